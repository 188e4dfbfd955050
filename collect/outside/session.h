/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of sampling from outside. */
#ifndef BBPROF_OUTSIDE_SESSION_H
#define BBPROF_OUTSIDE_SESSION_H

#include "collect/outside/feed.h"
#include "collect/outside/kernel_names.h"
#include "collect/outside/outside.h"
#include "collect/outside/outside_process.h"

struct outside {
  struct outside_options options;
  struct feed *feed;
  struct perf_event_attr events[EVENTS_MOST];
  size_t nevents;
  bool kernel; /* the kernel allows samples in it */
  struct kernel_names names;
  struct object_file *files;
  struct process *all, **end; /* in the order in which they began; the link behind the last one */
  struct process *living;     /* in any order */
  uint64_t period;            /* nanoseconds of processor time between two ticks */
  uint64_t now;               /* time of the last record */
  uint64_t lost;              /* records for which the kernel's buffers had no room */
  uint64_t lost_memory;       /* records, for lack of memory */
};

/* refusal.c: can the process PID be sampled, as far as that is known before?  False: ERR says why
   not. */
bool refusal_check (pid_t pid, struct error *err);
/* Stacks are cut, N of them, because the memory of PID may not be read.  SCOPE: the setting
   kernel.yama.ptrace_scope; 0: that is not why. */
void refusal_explain_memory (pid_t pid, uint64_t n, int scope, struct error *why);
/* ERROR: errno of the attempt.  Always false. */
bool refusal_explain (pid_t pid, int error, enum outside_kernel, struct error *err);

#endif
