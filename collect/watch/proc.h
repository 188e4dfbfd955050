/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what /proc says of a thread.  Files that are read often stay open, within a limit. */
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
  uint64_t started;         /* CLOCK_MONOTONIC, nanoseconds: the zero of all times */
  enum bbs_reasons reasons; /* where wait reasons can be read from */
  /* schedstat works: nanoseconds of running and of waiting; else only processor time, in ticks. */
  bool schedstat;
  uint64_t tick;       /* nanoseconds */
  unsigned kept;       /* number of open files */
  struct waits *waits; /* for threads in futex calls; null: not needed yet */
};

enum proc_file { PROC_SCHEDSTAT, PROC_STAT, PROC_STATUS, PROC_SYSCALL, PROC_WCHAN, PROC_FILES };
struct proc_thread {
  uint32_t tid;
  int files[PROC_FILES]; /* descriptors; -1: not open */
};

struct proc_stat {
  char name[20];
  char state;
  uint16_t cpu;   /* or BBS_CPU_UNKNOWN */
  uint64_t ticks; /* processor time */
};

struct proc_sums {
  uint64_t run, wait; /* as in struct bbs_look */
  uint64_t turns;     /* how often it got a processor, or left one: changes with each switch */
};

/* Does /proc show the processes of this PID namespace?  False: ERR says what it shows. */
bool proc_is_ours (struct error *err);

/* False: ERR says why. */
bool proc_open (struct proc *, pid_t pid, uint64_t started, struct error *err);
void proc_close (struct proc *); /* does not close its threads */

void proc_thread_open (struct proc_thread *, uint32_t tid);
void proc_thread_close (struct proc *, struct proc_thread *);

/* Reads one file each: all of it as a string; fields of "stat"; the switches in "status", or
   BBS_NOT_KNOWN.  False: the thread has ended (errno ENOENT or ESRCH), or errno says why. */
bool proc_read (struct proc *, struct proc_thread *, enum proc_file, char *text, size_t size);
bool proc_read_stat (struct proc *, struct proc_thread *, struct proc_stat *);
bool proc_read_switches (struct proc *, struct proc_thread *, uint64_t *voluntary,
                         uint64_t *involuntary);

/* About a microsecond.  False as above.  Running time is as of the thread's last switch, or of
   the kernel's last tick. */
bool proc_sums (struct proc *, struct proc_thread *, struct proc_sums *);

/* The extent of a poll: the wait reason, if the system call alone tells a common one; then also
   state, processor and name; then also the switches.  With cold caches about 15, 25 and 40 us of
   processor time. */
enum proc_detail { PROC_REASON, PROC_STATE, PROC_SWITCHES };

/* Polls the thread once.  NAME, if not null, gets the thread's name (not with PROC_REASON).  SUMS:
   on entry the sums read just before, on return the present ones.  Time, reason and sums belong to
   one turn of the thread on a processor.  If the thread switched during each try, the state is 0
   (unknown), and the reason is that of one of its sleeps just before.  False as above. */
bool proc_poll (struct proc *, struct proc_thread *, struct proc_sums *sums, enum proc_detail,
                struct bbs_look *, char name[20]);

#endif
