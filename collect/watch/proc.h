/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc says of a thread.  Files that are read often stay open, within a limit. */
#ifndef BBPROF_MONITOR_PROC_H
#define BBPROF_MONITOR_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "include/bbprof-samples.h"

struct proc {
  pid_t pid;
  uint64_t started;         /* CLOCK_MONOTONIC, nanoseconds: times are told from here */
  enum bbs_reasons reasons; /* that it tells us */
  /* It knows times to the nanosecond, and waits; else processor time in ticks only. */
  bool schedstat;
  uint64_t tick;       /* nanoseconds */
  unsigned kept;       /* open files */
  struct waits *waits; /* what its libc's functions wait for; null: nobody has asked */
};

enum proc_file { PROC_SCHEDSTAT, PROC_STAT, PROC_STATUS, PROC_SYSCALL, PROC_WCHAN, PROC_FILES };
struct proc_thread {
  uint32_t tid;
  int files[PROC_FILES]; /* descriptors; -1 */
};

struct proc_stat {
  char name[20];
  char state;
  uint16_t cpu;   /* BBS_CPU_UNKNOWN */
  uint64_t ticks; /* on a processor */
};

struct proc_sums {
  uint64_t run, wait; /* as in struct bbs_look */
  uint64_t turns;     /* how often it got a processor, or left it: changes whenever it has */
};

/* Does /proc tell of the processes that this one sees, by the same numbers?  False: ERR says
   what it does. */
bool proc_is_ours (struct error *err);

/* False: ERR says why. */
bool proc_open (struct proc *, pid_t pid, uint64_t started, struct error *err);
void proc_close (struct proc *); /* not its threads */

void proc_thread_open (struct proc_thread *, uint32_t tid);
void proc_thread_close (struct proc *, struct proc_thread *);

/* One file each: the whole of it as a string; what stands in "stat"; the switches in "status",
   BBS_NOT_KNOWN.  False: the thread has ended (errno ENOENT or ESRCH), or what errno says. */
bool proc_read (struct proc *, struct proc_thread *, enum proc_file, char *text, size_t size);
bool proc_read_stat (struct proc *, struct proc_thread *, struct proc_stat *);
bool proc_read_switches (struct proc *, struct proc_thread *, uint64_t *voluntary,
                         uint64_t *involuntary);

/* Cheap: about a microsecond.  False as above.  What a thread has run is as of its last switch,
   or the kernel's last tick. */
bool proc_sums (struct proc *, struct proc_thread *, struct proc_sums *);

/* How much of it: what a sleep is for, and of a common call that it can be interrupted; also
   state, processor and name; also the switches.  With cold caches about 15, 25 and 40 us of a
   processor. */
enum proc_detail { PROC_REASON, PROC_STATE, PROC_SWITCHES };

/* Into NAME, if not null, what the thread is called (not with PROC_REASON).  SUMS: as they were
   just before; as they are.  Time, reason and sums are of the same turn; of a thread that
   changed all the while the state is not told (0), and the reason is that of one of its sleeps
   just before.  False as above. */
bool proc_poll (struct proc *, struct proc_thread *, struct proc_sums *sums, enum proc_detail,
                struct bbs_look *, char name[20]);

#endif
