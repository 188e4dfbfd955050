/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's events (perf_event_open) on the threads of a process: a buffer for each processor,
   and in it an event for each thread that lived when watching began.  Later threads inherit the
   events.  Used by events.c, and by collect/outside. */
#ifndef BBPROF_MONITOR_ATTACH_H
#define BBPROF_MONITOR_ATTACH_H

#include "collect/watch/threads.h"
#include "runtime/switches/event_buffer.h"
#include "runtime/switches/kernel_records.h"

struct attached_cpu {
  struct bbp_event_buffer buffer;
  int *fds; /* of the events that write into the buffer; the first one is mapped */
  size_t n, room;
  /* index of the first event with a thread, or a descendant of it, that may still live */
  size_t polled;
  uint64_t lost; /* records that the buffer has reported as lost */
};

struct attached {
  pid_t pid;
  const struct perf_event_attr *events; /* of each thread, NEVENTS of them; borrowed */
  size_t nevents, pages;
  struct attached_cpu *cpus;
  size_t ncpus;
  bool twice; /* threads began while events were opened: some records may come twice */
  enum bbp_event_form form; /* private: which features of events this kernel has */
};

/* Attaches the events to all threads of PID, and returns these in THREADS.  The caller has set pid,
   events, and the pages of a buffer, at most (a power of two).  Where the kernel is too old,
   inherit_thread and PERF_FORMAT_LOST are left out.  False: errno says why, and nothing is
   attached. */
bool attach (struct attached *, struct threads *);
void detach (struct attached *);

/* Records of CPU that were dropped after the last record that reports a loss. */
uint64_t attach_dropped (const struct attached *, size_t cpu);

#endif
