/* SPDX-License-Identifier: MIT */
/* The memory that a process shares with its witness, a process of its own (bbprof-writer), which
   says whether a filter of system calls (seccomp) binds a thread: where one may be that nobody
   has seen, the thread cannot ask the kernel, because that is a system call, too.  It stores its
   question, and looks until the answer is there. */
#ifndef BBPROF_WITNESS_H
#define BBPROF_WITNESS_H

#include <stdatomic.h>
#include <stdint.h>

#define BBW_MAGIC 0x3157424250525342UL

enum { BBW_SLOTS = 64 };

/* The lowest two bits of a slot; above them, while it is asked, the thread's number. */
enum bbw_state { BBW_FREE, BBW_ASKED, BBW_CLEAR, BBW_FILTERED, BBW_STATES };

struct bbw_head {
  uint64_t magic;
  uint32_t pid;
  /* writer: the witness, whenever it has looked through all slots; 0: it has not begun. */
  _Atomic uint32_t looks;
  _Atomic uint32_t over; /* writer: the process; 1: the witness is to end */
  uint32_t unused;
  /* Of whoever has made it other than free, until that thread frees it. */
  _Atomic uint64_t slot[BBW_SLOTS];
};

#endif
