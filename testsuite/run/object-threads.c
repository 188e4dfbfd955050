/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads call into a linked library while another one loads and unloads plugins, the two by turns
   at the same addresses; a thread lives through loads that it takes no part in, and calls into what
   others have loaded. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

int linked (int n, int (*back) (int));

static int rounds, calls;

int __attribute__ ((noinline))
called_back (int n)
{
  return n + 1;
}

static void *
call (void *unused)
{
  for (int i = 0; i < calls; i++)
    linked (1, called_back);
  return unused;
}

static void *
call_plugin (void *plugin)
{
  ((int (*) (int, int (*) (int))) plugin) (5, called_back);
  return NULL;
}

static int __attribute__ ((noinline))
load (const char *name)
{
  void *handle = dlopen (name, RTLD_NOW);
  if (!handle)
    return 1;
  pthread_t thread;
  pthread_create (&thread, NULL, call_plugin, dlsym (handle, "plugin"));
  pthread_join (thread, NULL);
  return dlclose (handle);
}

int
main (int argc, char **argv)
{
  pthread_t threads[3];
  int failed = argc != 3;
  rounds = atoi (argv[1]);
  calls = atoi (argv[2]);
  for (int i = 0; i < 3; i++)
    pthread_create (&threads[i], NULL, call, NULL);
  for (int i = 0; i < rounds; i++)
    failed |= load (i % 2 ? "./odd.so" : "./even.so");
  for (int i = 0; i < 3; i++)
    pthread_join (threads[i], NULL);
  return failed;
}
