/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes the kernel's records.  Called by events.c. */
#ifndef BBPROF_MONITOR_RECORDS_H
#define BBPROF_MONITOR_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

enum record_kind {
  RECORD_NAME = BBS_SWITCH_KINDS, /* the thread has the name NAME from now on */
  RECORD_EXEC                     /* likewise, and it is the first thread of another program */
};

struct record {
  uint64_t time;   /* CLOCK_MONOTONIC, nanoseconds */
  uint32_t tid;    /* BBS_GAP: number of missing records */
  uint32_t parent; /* BBS_BORN: tid of the thread that made it */
  uint16_t cpu;
  uint16_t kind; /* enum bbs_switch_kind, or enum record_kind */
  char name[20];
};

/* The longest record that the requested events have; longer ones are skipped. */
enum { RECORD_BYTES = 256 };

/* Decodes the record at BYTES (aligned), which was in the buffer of CPU.  False: it is of another
   process than PID, or of a kind that is not needed. */
bool record_decode (struct record *, const void *bytes, pid_t pid, uint16_t cpu);

/* The clocks of two processors differ by little: a thread that moves may seem to begin on its new
   processor before it ends on the old one.  RECORDS are N, by time; the thread of the first one was
   seen to run on CPU.  If the first one is its begin elsewhere, moves its end on CPU in front. */
void records_uncross (struct record *records, size_t n, uint16_t cpu);

#endif
