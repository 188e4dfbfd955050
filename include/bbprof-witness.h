/* SPDX-License-Identifier: MIT */
/* The memory that a process shares with its witness, a process of its own (bbprof-writer).  The
   witness reads whether a system call filter (seccomp) binds a thread.  Where a filter may be
   that the library has not seen, the thread cannot find out itself: that takes a system call,
   too.  The thread stores its request in a slot, and reads the slot until the answer is there. */
#ifndef BBPROF_WITNESS_H
#define BBPROF_WITNESS_H

#include <stdatomic.h>
#include <stdint.h>

#define BBW_MAGIC 0x3157424250525342UL

enum { BBW_SLOTS = 64 };

/* The lowest two bits of a slot; in a request the bits above them are the thread's tid. */
enum bbw_state { BBW_FREE, BBW_ASKED, BBW_CLEAR, BBW_FILTERED, BBW_STATES };

struct bbw_head {
  uint64_t magic;
  uint32_t pid;
  /* Number of passes through all slots; 0: not started; writer: the witness. */
  _Atomic uint32_t passes;
  _Atomic uint32_t over; /* 1: the witness must end; writer: the process */
  uint32_t unused;
  /* Writer: the thread that claimed the slot, until it frees it; the witness, for the answer. */
  _Atomic uint64_t slot[BBW_SLOTS];
};

#endif
