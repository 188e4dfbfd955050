/* SPDX-License-Identifier: MIT */
/* The kernel's records of context switches: the event that writes them, and their decoder.  For
   the process itself (runtime/self), and for another one that watches it (collect/watch). */
#ifndef BBP_KERNEL_RECORDS_H
#define BBP_KERNEL_RECORDS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/bbprof-samples.h"

#pragma GCC visibility push(hidden)

/* Features that older kernels lack: counts of dropped records (6.0); events that threads inherit
   and forked processes do not (5.13). */
enum bbp_event_form { BBP_EVENT_ALL, BBP_EVENT_NO_LOST, BBP_EVENT_NO_THREAD, BBP_EVENT_FORMS };

/* A dummy event of a thread and those that it makes.  It counts nothing; only its side records
   are wanted.  They need no processor, because each buffer belongs to one.  A reader that polls
   is woken up when the buffer is half full. */
struct perf_event_attr bbp_switch_event (void);

/* Leaves out of EVENT the features that a kernel of FORM lacks. */
void bbp_event_reduce (struct perf_event_attr *event, enum bbp_event_form form);

enum bbp_record_kind {
  BBP_RECORD_NAME = BBS_SWITCH_KINDS, /* the thread has the name NAME from now on */
  BBP_RECORD_EXEC                     /* likewise, and it is the first thread of another program */
};

struct bbp_record {
  uint64_t time;   /* CLOCK_MONOTONIC, nanoseconds */
  uint32_t tid;    /* BBS_GAP: number of missing records */
  uint32_t parent; /* BBS_BORN: tid of the thread that made it */
  uint16_t cpu;
  uint16_t kind; /* enum bbs_switch_kind, or enum bbp_record_kind */
  char name[20];
};

/* The longest record that the requested events have; longer ones are skipped. */
enum { BBP_RECORD_BYTES = 256 };

/* Decodes the record at BYTES (aligned), which was in the buffer of CPU.  False: it is of another
   process than PID, or of a kind that is not needed. */
bool bbp_record_decode (struct bbp_record *, const void *bytes, pid_t pid, uint16_t cpu);

/* The clocks of two processors differ by little: a thread that moves may seem to begin on its
   new processor before it ends on the old one.  RECORDS are N, by time; the thread of the first
   one was seen to run on CPU.  If the first one is its begin elsewhere, moves its end on CPU in
   front. */
void bbp_records_uncross (struct bbp_record *records, size_t n, uint16_t cpu);

#pragma GCC visibility pop

#endif
