/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's events for sampling from outside, and their records. */
#ifndef BBPROF_PERF_RECORDS_H
#define BBPROF_PERF_RECORDS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "collect/outside/object_file.h"

/* The longest record: its length has 16 bits. */
enum { RECORD_MOST = 65536 };

enum { EVENT_TICKS, EVENT_SWITCHES, EVENTS_MOST };

struct event_options {
  unsigned rate; /* ticks a second of processor time */
  bool kernel;   /* samples in the kernel, with its functions */
  bool children; /* processes that fork makes inherit the events */
  bool switches; /* stacks of threads that leave their processor; needs KERNEL */
};

/* Fills in the events, returns their number. */
size_t events_describe (struct perf_event_attr[EVENTS_MOST], const struct event_options *);

enum outside_kind {
  OUTSIDE_SAMPLE,
  OUTSIDE_SWITCHED, /* a sample of a thread that leaves its processor; its OUT follows */
  OUTSIDE_IN,       /* the thread gets a processor */
  OUTSIDE_OUT,
  OUTSIDE_FORK, /* a thread or a process begins */
  OUTSIDE_EXIT,
  OUTSIDE_NAME,
  OUTSIDE_EXEC, /* likewise, and the process runs another program */
  OUTSIDE_MAP,
  OUTSIDE_LOST,
  OUTSIDE_OTHER
};

struct outside_record {
  enum outside_kind kind;
  uint64_t time; /* CLOCK_MONOTONIC, nanoseconds */
  uint32_t pid, tid;
  uint32_t cpu;
  uint32_t parent_pid, parent_tid; /* FORK */
  bool preempted;                  /* OUT: the thread could go on */
  uint64_t lost;                   /* LOST: number of records */
  char name[16];                   /* NAME, EXEC */
  struct object_mapping mapping;   /* MAP: of code */
  /* Samples: */
  bool in_kernel, has_registers;
  bool only_pc; /* of the registers only the program counter and the stack pointer are known */
  ucontext_t context; /* the registers in the program */
  /* The stack from the stack pointer on, in the record. */
  const unsigned char *stack;
  size_t stack_bytes;
  const uint64_t *calls; /* the kernel's functions, the innermost first */
  size_t ncalls;
};

/* Decodes the record at BYTES (aligned), which must stay. */
void record_read (struct outside_record *, const void *bytes);

/* The time of the record at BYTES. */
uint64_t record_time (const void *bytes);

#endif
