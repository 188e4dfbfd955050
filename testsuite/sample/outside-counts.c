/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts calls of known numbers before its byte comes, and behind it: in the first thread, in two
   further threads, and in a library that it loads only then.  With "stays" it does not end. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

NOIPA int both (int i) { return i % 3 == 0 ? i : i / 2; }
NOIPA int early (int i) { return both (i) + 1; }
NOIPA int late (int i) { return both (i) - 1; }

static void *
work (void *unused)
{
  for (int i = 0; i < 30000; i++)
    late (i);
  return unused;
}

int
main (int argc, char **argv)
{
  const bool stays = argc > 1 && strcmp (argv[1], "stays") == 0;
  char byte;
  if (argc > 1 && strcmp (argv[1], "deaf") == 0)
    signal (SIGURG, SIG_IGN);
  for (int i = 0; i < 9000; i++)
    early (i);
  puts ("ready");
  fflush (stdout);
  if (read (0, &byte, 1) != 1)
    return 1;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  work (NULL);
  void *library = dlopen ("./counted.so", RTLD_NOW);
  int (*function) (int) = library ? (int (*) (int)) dlsym (library, "in_library") : NULL;
  for (int i = 0; function && i < 500; i++)
    function (i);
  puts (function ? "done" : dlerror ());
  fflush (stdout);
  while (stays)
    pause ();
  return 7;
}
