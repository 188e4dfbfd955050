/* SPDX-License-Identifier: MIT */
/* The formats of the files of GCC 2.95's run-time library, as text and as bytes.  The run-time
   library with historic=1 and `bbprof historic' link the same object files, so both write the
   same.  The code allocates nothing, and calls nothing but the receiver.  Context: any. */
#ifndef BBPROF_HISTORIC_FILES_H
#define BBPROF_HISTORIC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Takes the bytes of a file as they are made. */
struct bbh_receiver {
  void (*put) (void *context, const void *bytes, size_t n);
  void *context;
};

/* bb_out.c: the parts of bb.out.  For WHEN see bbh_time. */
struct bbh_row {                 /* a block, in the order of its unit */
  uint64_t address, count, line; /* address, line: 0: unknown */
  const char *function, *file;   /* null: unknown */
};
struct bbh_jump {
  uint64_t from, to, count;
};
#define BBH_TIME 32
void bbh_time (char when[BBH_TIME],
               int64_t seconds); /* as ctime prints it; SECONDS: local time, since 1970 */
/* An entry of bb.in that matches no function. */
void bbh_word (const struct bbh_receiver *, bool first, const char *when, const char *name,
               const char *file);
void bbh_words_end (const struct bbh_receiver *);
/* In any order; sorts them. */
void bbh_jumps (const struct bbh_receiver *, const char *when, unsigned variant, struct bbh_jump *,
                size_t n);
void bbh_counts (const struct bbh_receiver *, const char *when);
void bbh_unit (const struct bbh_receiver *, const char *name, const struct bbh_row *, size_t n);
void bbh_counts_end (const struct bbh_receiver *);

/* A calendar date. */
struct bbh_date {
  int64_t year;
  unsigned month, day; /* from 0 */
};
struct bbh_date bbh_date (int64_t days); /* since 1970 */

#pragma GCC visibility pop

#endif
