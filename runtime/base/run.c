/* SPDX-License-Identifier: MIT */
/* The run: its random id and its clocks.  Context: cold, lock held, unless stated otherwise. */
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static struct {
  uint64_t started, wall, cpu; /* the clocks at the start of the run, nanoseconds */
  struct bbx_machine machine;
} run;

/* Asks the system at the start, because a sandbox may forbid these calls later. */
static void
find_machine (void)
{
  struct utsname names;
  unsigned long set[128]; /* 8,192 processors */
  run.machine = (struct bbx_machine) { .processes = 1 };
  struct bbp_text system = { .buffer = run.machine.system, .size = sizeof run.machine.system };
  if (bbp_sys_uname (&names) == 0)
    {
      bbp_text_string (&system, names.sysname);
      bbp_text_string (&system, " ");
      bbp_text_string (&system, names.release);
      bbp_text_string (&system, " ");
      bbp_text_string (&system, names.machine);
    }
  const int bytes = bbp_sys_sched_getaffinity (0, sizeof set, set);
  for (int i = 0; i < bytes / (int) sizeof *set; i++)
    for (; set[i]; set[i] &= set[i] - 1) /* its lowest bit */
      run.machine.processors++;
}

void
bbp_run_machine (struct bbx_machine *machine)
{
  *machine = run.machine;
  bbp_arch_processor (machine->processor, sizeof machine->processor);
}

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
  find_machine ();
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
