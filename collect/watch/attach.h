/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's events on the threads of a process: for each processor a buffer, and in that an
   event of each thread that was there when watching began; the kernel makes those of threads
   that are born later. */
#ifndef BBPROF_MONITOR_ATTACH_H
#define BBPROF_MONITOR_ATTACH_H

#include "collect/watch/buffer.h"
#include "collect/watch/threads.h"

struct attached_cpu {
  struct buffer buffer;
  int *fds; /* of the events whose records are in the buffer; the first one is mapped */
  size_t n, room;
  size_t polled; /* index: the first whose thread, or one born by it, may still live */
  uint64_t lost; /* records that the buffer has told to be missing */
};

struct attached {
  pid_t pid;
  struct attached_cpu *cpus;
  size_t ncpus;
  bool twice; /* threads were born while watching began: some records may come twice */
  int form;   /* of the events: what this kernel knows; private */
};

/* Of all threads that PID has; those are in THREADS then.  PAGES: of a buffer, at most, a power
   of two.  False: errno says why; nothing is attached. */
bool attach (struct attached *, pid_t pid, size_t pages, struct threads *);
void detach (struct attached *);

/* Records of CPU that have been dropped since the last one that could be written there. */
uint64_t attach_dropped (const struct attached *, size_t cpu);

#endif
