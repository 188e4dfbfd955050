/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc says of a thread.  Files that are read often stay open, within a limit. */
#ifndef BBPROF_MONITOR_PROC_H
#define BBPROF_MONITOR_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"
#include "runtime/bbprof-samples.h"

struct proc {
  pid_t pid;
  uint64_t started;         /* CLOCK_MONOTONIC, nanoseconds: times are told from here */
  enum bbs_reasons reasons; /* that it tells us */
  bool schedstat;           /* it knows times to the nanosecond, and waits; else processor time in ticks only */
  uint64_t tick;            /* nanoseconds */
  unsigned kept;            /* open files */
};

enum proc_file { PROC_SCHEDSTAT, PROC_STAT, PROC_STATUS, PROC_SYSCALL, PROC_WCHAN, PROC_FILES };
struct proc_thread {
  uint32_t tid;
  int files[PROC_FILES]; /* descriptors; -1 */
};

struct proc_sums {
  uint64_t run, wait; /* as in struct bbs_look */
  uint64_t turns;     /* how often it got a processor, or left it: changes whenever it has */
};

/* False: ERR says why. */
bool proc_open (struct proc *, pid_t pid, uint64_t started, struct error *err);

void proc_thread_open (struct proc_thread *, uint32_t tid);
void proc_thread_close (struct proc *, struct proc_thread *);

/* Cheap: about a microsecond.  False: the thread has ended (errno ENOENT or ESRCH), or what errno says.  What a thread has run is
   as of its last switch, or the kernel's last tick. */
bool proc_sums (struct proc *, struct proc_thread *, struct proc_sums *);

/* All of it, but of the switches only if SWITCHES; into NAME, if not null, what the thread is called.  SUMS: as they were just
   before; as they are.  Time, reason and sums are of the same turn; of a thread that changed all the while the state is not told
   (0), and the reason is that of one of its sleeps just before.  False as above. */
bool proc_look (struct proc *, struct proc_thread *, struct proc_sums *sums, bool switches, struct bbs_look *, char name[20]);

#endif
