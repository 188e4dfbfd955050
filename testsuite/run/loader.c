/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effects of dlopen and its like, as seen from a library (-DLIBRARY) and from the program that
   loads it: $ORIGIN in a library's own path, RTLD_NEXT, a namespace of its own, handles, and
   errors.
   Prints what it finds. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY

/* Loads its neighbour, which is found by this library's RUNPATH only: the loader has to see which
   library asks. */
int
load_neighbour (void)
{
  void *handle = dlopen ("libneighbour.so", RTLD_NOW);
  int (*neighbour) (void) = handle ? (int (*) (void)) dlsym (handle, "neighbour") : NULL;
  int result = neighbour ? neighbour () : -1;
  if (handle)
    dlclose (handle);
  return result;
}

/* The next one, not the program's and not this one. */
size_t
strlen (const char *text)
{
  static size_t (*next) (const char *);
  if (!next)
    next = (size_t (*) (const char *)) dlsym (RTLD_NEXT, "strlen");
  return next == strlen ? 0 : next (text);
}

size_t
length (const char *text)
{
  return strlen (text);
}

static void __attribute__ ((destructor))
leave (void)
{
  puts ("the library leaves");
}

#else

int
main (void)
{
  void *handle = dlopen ("./folder/libasker.so", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return puts (dlerror ());
  int (*load_neighbour) (void) = (int (*) (void)) dlsym (handle, "load_neighbour");
  size_t (*length) (const char *) = (size_t (*) (const char *)) dlsym (handle, "length");
  printf ("neighbour: %d, length: %zu\n", load_neighbour (), length ("four"));
  printf ("again: %d\n", dlopen ("./folder/libasker.so", RTLD_NOW | RTLD_NOLOAD) == handle);
  printf ("found from here: %d\n", dlopen ("libneighbour.so", RTLD_NOW) != NULL);
  printf ("global: %d\n", dlsym (RTLD_DEFAULT, "load_neighbour") != NULL);
  dlclose (handle);
  printf ("close: %d\n", dlclose (handle));
  handle = dlmopen (LM_ID_NEWLM, "./folder/libneighbour.so", RTLD_NOW);
  int (*neighbour) (void) = handle ? (int (*) (void)) dlsym (handle, "neighbour") : NULL;
  printf ("in a namespace: %d\n", neighbour ? neighbour () : -1);
  if (handle)
    printf ("close: %d\n", dlclose (handle));
  errno = 0;
  handle = dlopen ("./nothing.so", RTLD_NOW);
  printf ("nothing: %d %s\n", handle != NULL, strerror (errno));
  return 42;
}

#endif
