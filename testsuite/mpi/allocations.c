/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: allocation number FAIL_AT of those that the shim for MPI makes fails, from 1, in the
   rank FAIL_IN.  Makes the file failed then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc (size_t), *__libc_calloc (size_t, size_t);

static atomic_int made;

static int
is_in_shim (void *caller)
{
  Dl_info info;
  return dladdr (caller, &info) && info.dli_fname
         && (strstr (info.dli_fname, "/libbbprof-openmpi.so")
             || strstr (info.dli_fname, "/libbbprof-mpich.so"));
}

static int
fails (void *caller)
{
  static _Thread_local int inside __attribute__ ((tls_model ("initial-exec")));
  const char *at = getenv ("FAIL_AT"), *in = getenv ("FAIL_IN"),
             *openmpi = getenv ("OMPI_COMM_WORLD_RANK"), *mpich = getenv ("PMI_RANK");
  const char *rank = openmpi ? openmpi : mpich;
  if (!at || !in || !rank || strcmp (rank, in) != 0 || inside)
    return 0;
  inside = 1;
  const int is = is_in_shim (caller) && atomic_fetch_add (&made, 1) + 1 == atoi (at);
  inside = 0;
  if (is)
    {
      close (open ("failed", O_CREAT | O_WRONLY, 0600));
      errno = ENOMEM;
    }
  return is;
}

void *
malloc (size_t n)
{
  return fails (__builtin_return_address (0)) ? NULL : __libc_malloc (n);
}

void *
calloc (size_t n, size_t size)
{
  return fails (__builtin_return_address (0)) ? NULL : __libc_calloc (n, size);
}
