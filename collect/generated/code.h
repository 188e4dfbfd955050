/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that a process has generated, as it describes it in a file: the perf map /tmp/perf-PID.map,
   or a jitdump, jit-PID.dump.  Both are read while the process appends to them. */
#ifndef BBPROF_CODE_H
#define BBPROF_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The instructions from ADDRESS up to the next line's belong to LINE of FILE. */
struct generated_line {
  uint64_t address;
  uint32_t line;
  const char *file;
};

/* It covers its addresses from TIME until other code is there. */
struct generated_code {
  uint64_t start, size; /* in the process; SIZE is not 0 */
  uint64_t time;        /* nanoseconds, CLOCK_MONOTONIC */
  /* 0, or: the code that was at this address, with its name and lines, is at START now. */
  uint64_t from;
  const char *name; /* NAME_BYTES without a zero; then one follows */
  size_t name_bytes;
  const struct generated_line *lines; /* by address */
  size_t nlines;
  uint64_t bytes_at; /* offset of its SIZE bytes in the file; 0: not there */
};

/* Addresses and sizes of code are below these: others are damage. */
#define GENERATED_ADDRESS_MOST (1UL << 56)
#define GENERATED_SIZE_MOST (1UL << 32)
enum { GENERATED_NAME_MOST = 32768 }; /* bytes; longer names are cut */

static inline bool
generated_is_possible (uint64_t start, uint64_t size)
{
  return start < GENERATED_ADDRESS_MOST && size > 0 && size < GENERATED_SIZE_MOST;
}

/* Takes a copy of what it needs.  False: no memory, or no room; reading ends. */
struct code_sink {
  bool (*take) (void *to, const struct generated_code *);
  void *to;
};

/* A file that is read as far as it has been written. */
struct code_text {
  int fd;
  uint64_t offset; /* of the first byte that is not understood yet */
  uint64_t codes;  /* that were taken */
  uint64_t bad;    /* entries that are damaged */
  uint64_t bad_at; /* offset of the first of them */
  const char *why; /* what was expected there; null: none is damaged */
  bool ended;      /* nothing can follow */
};

/* Notes damage at OFFSET. */
static inline void
code_text_blame (struct code_text *t, uint64_t offset, const char *why)
{
  if (t->bad++ == 0)
    {
      t->bad_at = offset;
      t->why = why;
    }
}

#endif
