/* SPDX-License-Identifier: MIT */
/* The run: its random id and its clocks.  Context: cold, lock held, unless stated otherwise. */
#include <sys/auxv.h>
#include <time.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static struct {
  uint64_t started, wall, cpu; /* the clocks at the start of the run, nanoseconds */
} run;

/* Start a run; a forked child starts another one.  The run id is random, so that no other file has
   the same. */
void
bbp_run_begin (void)
{
  run.started = bbp_sys_nanoseconds (CLOCK_REALTIME);
  run.wall = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
  run.cpu = bbp_sys_nanoseconds (CLOCK_PROCESS_CPUTIME_ID);
  const void *random = (const void *) getauxval (AT_RANDOM); /* 16 random bytes, at any alignment */
  uint64_t mixed = 0;
  if (random)
    bbp_copy_bytes (&mixed, random, sizeof mixed);
  mixed ^= run.started ^ (uint64_t) bbp_sys_getpid () << 40;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  bbp.run = (mixed ^ mixed >> 31) | 1;
}

uint64_t
bbp_run_started (void)
{
  return run.started;
}

uint64_t
bbp_run_began (void)
{
  return run.wall;
}

uint64_t
bbp_run_time (void)
{
  uint64_t now = bbp_clock_now ();
  return now ? now - run.wall : 0;
}

void
bbp_run_clocks (uint64_t *wall, uint64_t *cpu)
{
  *wall = bbp_sys_nanoseconds (CLOCK_MONOTONIC) - run.wall;
  *cpu = bbp_sys_nanoseconds (CLOCK_PROCESS_CPUTIME_ID) - run.cpu;
}
