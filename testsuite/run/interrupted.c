/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers that jump out of branchy code, and some that let it go on elsewhere; in one of these the
   process forks, or counts from zero, stops or dumps.  Each process prints how often it has passed
   the places that count.

     interrupted reset|stop|fork|dump|thread
     interrupted load LIBRARY...     the same, of libraries that are this program again, one after
                                     the other, each three times */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include "bbprof.h"

#define NOIPA __attribute__ ((noipa))
#define PLAIN __attribute__ ((no_instrument_function, noipa))

static __thread sigjmp_buf back;
static __thread int faults;
static const char *way;
static struct {
  int on; /* not stopped */
  long branchy, head, odd, even; /* in branchy () */
} passed = { 1, 0, 0, 0, 0 };

#define COUNT(name) ((void) __atomic_fetch_add (&passed.name, passed.on, __ATOMIC_RELAXED))

/* Divide by 0, without a branch, and so without a block behind it; two bytes of code. */
#define FAULT_IF(condition)                                        \
  __asm__ volatile ("xorl %%edx, %%edx; movl $1, %%eax; divl %%ecx" \
                   :                                               \
                   : "c"(!(condition))                             \
                   : "eax", "edx", "cc")

/* Faults in round FAULT.  Without calls: those have counters of their own. */
NOIPA static void
branchy (int fault)
{
  COUNT (branchy);
  for (int i = 0; i < 10; i++)
    {
      COUNT (head);
      if (i % 3 == 1)
        {
          COUNT (odd);
          FAULT_IF (i == fault);
        }
      else
        {
          COUNT (even);
          FAULT_IF (i == fault);
        }
    }
}

PLAIN static void
print (void)
{
  printf ("branchy %ld\nhead %ld\nodd %ld\neven %ld\n", passed.branchy, passed.head, passed.odd,
          passed.even);
  fflush (stdout);
}

PLAIN static void
forget (void)
{
  passed.branchy = passed.head = passed.odd = passed.even = 0;
}

PLAIN static void
on_fault (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  faults++;
  if (!strcmp (way, "reset") && faults == 4)
    {
      bbprof_reset ();
      forget ();
    }
  if (!strcmp (way, "stop") && (faults == 4 || faults == 8))
    {
      passed.on = faults == 8;
      passed.on ? bbprof_start () : bbprof_stop ();
    }
  if (!strcmp (way, "fork") && faults == 4)
    {
      if (fork () == 0)
        forget ();
      else
        wait (NULL);
    }
  if (!strcmp (way, "dump") && faults == 4)
    bbprof_dump ();
  if (faults % 2)
    siglongjmp (back, 1);
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_RIP] += 2;
}

void *run (void *);

void *
run (void *unused)
{
  for (volatile int fault = 0; fault < 10; fault++)
    if (sigsetjmp (back, 1) == 0)
      branchy (fault);
  return unused;
}

void set (const char *);

void
set (const char *what)
{
  const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
  way = what;
  sigaction (SIGFPE, &action, NULL);
}

static int
load (const char *library)
{
  void *handle = dlopen (library, RTLD_NOW);
  if (!handle)
    return 1;
  ((void (*) (const char *)) dlsym (handle, "set")) ("");
  ((void *(*) (void *)) dlsym (handle, "run")) (NULL);
  dlclose (handle);
  return 0;
}

int
main (int count, char **word)
{
  if (count > 2)
    for (int i = 0; i < 3 * (count - 2); i++)
      if (load (word[2 + i % (count - 2)]))
        return 1;
  if (count > 2)
    return 0;
  set (word[1]);
  pthread_t threads[3];
  for (int i = 0; i < 3 && !strcmp (way, "thread"); i++)
    pthread_create (&threads[i], NULL, run, NULL);
  run (NULL);
  for (int i = 0; i < 3 && !strcmp (way, "thread"); i++)
    pthread_join (threads[i], NULL);
  print ();
  return 0;
}
