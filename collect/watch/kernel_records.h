/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel tells, one record at a time. */
#ifndef BBPROF_MONITOR_RECORDS_H
#define BBPROF_MONITOR_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

enum record_kind {
  RECORD_NAME = BBS_SWITCH_KINDS, /* the thread is called NAME from now on */
  RECORD_EXEC                     /* and it is the first thread of another program */
};

struct record {
  uint64_t time;   /* CLOCK_MONOTONIC, nanoseconds */
  uint32_t tid;    /* BBS_GAP: how many records are missing */
  uint32_t parent; /* BBS_BORN: tid of who made it */
  uint16_t cpu;
  uint16_t kind; /* enum bbs_switch_kind, or enum record_kind */
  char name[20];
};

/* Longest that the kernel writes for us; longer ones are none of ours. */
enum { RECORD_BYTES = 256 };

/* Of BYTES, aligned for it, as the kernel has written them into the buffer of CPU.  False: it is
   of another process than PID, or says nothing that matters here. */
bool record_decode (struct record *, const void *bytes, pid_t pid, uint16_t cpu);

#endif
