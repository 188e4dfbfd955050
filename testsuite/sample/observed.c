/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that is ticked at known places, and reads its samples one by one: see
   observed.test. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bbprof.h"
#include "self_tick.h"

PLACE (plain, "")
PLACE (carry, "stc\n\t")
PLACE (direction, "std\n\t")
PLACE (checked, "pushfq\n\torq $0x40000, (%%rsp)\n\tpopfq\n\t")
PLACE (many, "")
PLACE (in_child, "")

#define CHECK(condition) \
  ((condition) ? (void) 0 : (printf ("line %d: %s\n", __LINE__, #condition), exit (1)))

enum { KEPT = 16384 };
static struct bbprof_sample samples[2 * KEPT];

/* N samples in FUNCTION, of this thread, with FLAGS of those in MASK. */
static void
expect (const struct bbprof_sample *s, int n, int (*function) (int), unsigned mask, unsigned flags)
{
  for (int i = 0; i < n; i++)
    {
      CHECK (s[i].address - (uintptr_t) function < 128);
      CHECK (s[i].tid == (int) syscall (SYS_gettid));
      CHECK (s[i].in_kernel == 1); /* the tick comes with the call that sends it */
      CHECK ((s[i].flags & mask) == flags);
      CHECK (s[i].ticks == 1 && s[i].lost == 0);
      CHECK (i == 0 || s[i].time >= s[i - 1].time);
    }
}

enum { CARRY = 1, DIRECTION = 0x400, CHECKS = 0x40000, ALL = CARRY | DIRECTION | CHECKS };

static void *
in_thread (void *unused)
{
  carry (4);
  CHECK (bbprof_samples (samples, 10) == 4);
  expect (samples, 4, carry, ALL, CARRY);
  return unused;
}

static void
api (void)
{
  pthread_t thread;
  plain (3);
  CHECK (bbprof_samples (samples, 10) == 0); /* from here on they are kept */
  plain (5);
  carry (7);
  direction (2);
  checked (6);
  CHECK (bbprof_samples (samples, 8) == 8);
  expect (samples, 5, plain, ALL, 0);
  expect (samples + 5, 3, carry, ALL, CARRY);
  CHECK (bbprof_samples (samples, 2 * KEPT) == 12);
  expect (samples, 4, carry, ALL, CARRY);
  expect (samples + 4, 2, direction, ALL, DIRECTION);
  expect (samples + 6, 6, checked, ALL, CHECKS);
  CHECK (bbprof_samples (samples, 10) == 0);
  CHECK (pthread_create (&thread, NULL, in_thread, NULL) == 0 && pthread_join (thread, NULL) == 0);

  many (KEPT + 100);
  CHECK (bbprof_samples (samples, 2 * KEPT) == KEPT);
  expect (samples, KEPT, many, CARRY, 0);
  plain (1);
  CHECK (bbprof_samples (samples, 10) == 1 && samples[0].lost == 100);
  for (int i = 0; i < 10; i++) /* round and round */
    {
      many (KEPT / 3);
      CHECK (bbprof_samples (samples, 2 * KEPT) == KEPT / 3);
      expect (samples, KEPT / 3, many, CARRY, 0);
    }
  bbprof_stop ();
  plain (5);
  CHECK (bbprof_samples (samples, 10) == 0);
}

/* Two libraries by turns; prints how often one came where the other had been. */
static void
turns (void)
{
  uintptr_t place = 0;
  int same = 0;
  for (int i = 0; i < 20; i++)
    {
      void *library = dlopen (i % 2 ? "./second.so" : "./first.so", RTLD_NOW);
      int (*call) (int) = library ? (int (*) (int)) dlsym (library, i % 2 ? "omega" : "alpha")
                                  : NULL;
      CHECK (call);
      call (i % 2 ? 3 : 5);
      same += (uintptr_t) call == place;
      place = (uintptr_t) call;
      dlclose (library);
    }
  printf ("%d\n", same);
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  stop_timer ();
  if (strcmp (what, "nothing") == 0)
    return bbprof_samples (samples, 1) != -EINVAL;
  if (strcmp (what, "api") == 0)
    api ();
  if (strcmp (what, "turns") == 0)
    {
      plain (7);
      many (40000);
      turns ();
    }
  if (strcmp (what, "fork") == 0)
    {
      plain (4);
      if (fork () == 0)
        {
          in_child (9);
          return 0;
        }
      wait (NULL);
      carry (2);
    }
  if (strcmp (what, "reset") == 0)
    {
      many (100);
      bbprof_reset ();
      plain (3);
    }
  return 0;
}
