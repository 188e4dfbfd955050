/* SPDX-License-Identifier: MIT */
/* The files of GCC 2.95's run-time library, as text and as bytes: what the run-time library with
   historic=1 and `bbprof historic' have in common, so that both write the same.  The same object
   files are in both.  Nothing here allocates, or calls anything but the receiver.  Context: any. */
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

/* bb_out.c: the parts of bb.out.  WHEN: see bbh_time. */
struct bbh_row {                 /* a block, in the order of its unit */
  uint64_t address, count, line; /* address, line: 0: not known */
  const char *function, *file;   /* null: not known */
};
struct bbh_jump {
  uint64_t from, to, count;
};
#define BBH_TIME 32
void bbh_time (char when[BBH_TIME],
               int64_t seconds); /* as ctime has it; SECONDS: local time, since 1970 */
/* Of bb.in, that names nobody. */
void bbh_word (const struct bbh_receiver *, bool first, const char *when, const char *name,
               const char *file);
void bbh_words_end (const struct bbh_receiver *);
/* In any order; sorts them. */
void bbh_jumps (const struct bbh_receiver *, const char *when, unsigned variant, struct bbh_jump *,
                size_t n);
void bbh_counts (const struct bbh_receiver *, const char *when);
void bbh_unit (const struct bbh_receiver *, const char *name, const struct bbh_row *, size_t n);
void bbh_counts_end (const struct bbh_receiver *);

/* Of a date. */
struct bbh_date {
  int64_t year;
  unsigned month, day; /* from 0 */
};
struct bbh_date bbh_date (int64_t days); /* since 1970 */

#pragma GCC visibility pop

#endif
