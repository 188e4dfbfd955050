/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples processes from outside: nothing is put into them, and they are not stopped.  The kernel
   takes the samples (perf_event_open): registers and a copy of the stack, which this process
   unwinds.

     perf_records.c     the kernel's events and their records
     feed.c             all records, in order of time
     outside_process.c  what they say of each process
     stack_walk.c       a sample's stack, by the run-time library's unwinder
     count_sample.c     the sample in the tree of its process
     outside.c          each record into the right process
     own_counts.c       what a process has counted itself
     profile_write.c    a process's profile
     sample_times.c     the times of its samples
     switch_times.c     which of its threads had which processor when
     refusal.c          why a process cannot be sampled */
#ifndef BBPROF_OUTSIDE_H
#define BBPROF_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct outside;
struct own_counts;
struct process;

/* Samples in the kernel: where it allows them; never; or else an error. */
enum outside_kernel { OUTSIDE_KERNEL_AUTO, OUTSIDE_KERNEL_NO, OUTSIDE_KERNEL_YES };

struct outside_options {
  const pid_t *pids;
  size_t npids;
  unsigned rate; /* ticks a second of processor time */
  bool starting; /* they have not called exec yet: what they run now is not the program */
  bool children; /* also processes that they fork, and programs behind exec */
  enum outside_kernel kernel;
  bool times;    /* write the times of samples */
  bool timeline; /* also which thread ran when */
  bool wall;     /* also the time in which threads have no processor; needs samples in the kernel */
  /* Is a thread of this tid and name wanted?  Null: all are. */
  bool (*wants) (uint32_t tid, const char *name, const void *data);
  const void *data;
};

enum { OUTSIDE_RATE_MOST = 10000 };

/* Attaches to the processes.  Null: ERR says why this is not possible, and what would allow it. */
struct outside *outside_open (const struct outside_options *, struct error *);
void outside_close (struct outside *); /* may be null */

/* Waits until there is something to take, or MILLISECONDS have passed; a signal ends it early. */
void outside_wait (struct outside *, unsigned milliseconds);

/* Takes what was sampled.  LAST: also what is held back for the order.  False: all processes have
   ended. */
bool outside_take (struct outside *, bool last);

/* The processes, and with CHILDREN the programs that they ran, in the order in which they began;
   null: there is no further one. */
const struct process *outside_next (const struct outside *, const struct process *);

pid_t outside_pid (const struct process *);
uint64_t outside_samples (const struct process *);
/* The path of its program; null: it ended before that was known. */
const char *outside_program (const struct process *);

/* Does it still run? */
bool outside_runs (const struct process *);

/* Are stacks of P cut because its memory may not be read?  WHY says so, and what would allow it. */
bool outside_is_cut (const struct process *p, struct error *why);

/* Writes the profile OUTPUT, with its sidecar, of P; also COUNTS, which P has made itself, null: it
   has not.  After the last outside_take. */
bool outside_write (const struct outside *, const struct process *p,
                    const struct own_counts *counts, const char *output, struct error *);

#endif
