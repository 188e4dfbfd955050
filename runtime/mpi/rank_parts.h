/* SPDX-License-Identifier: MIT */
/* The profiles of ranks as files and as bytes, and their sum, which the program bbprof makes in a
   process of its own: nothing of that runs in the program.  Knows no MPI. */
#ifndef BBP_RANK_PARTS_H
#define BBP_RANK_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-ranks.h"

#pragma GCC visibility push(hidden)

/* A profile and its sidecar, as bytes. */
struct part {
  uint64_t bytes[2];
  char *content[2]; /* null: no memory, or none */
};
void part_free (struct part *);

/* The error, in one line; empty: there is none. */
enum { PARTS_WHY = BBM_WHY };

/* Those of some ranks: one that is a file, and others that were received. */
struct parts {
  const struct bbm_files *files;
  char folder[1024]; /* of what was received; empty: nothing was */
  int rank, n;
  int ranks[64]; /* names of those received */
  char why[PARTS_WHY];
};

/* Says WHY there is no sum; the first reason counts. */
void parts_fail (struct parts *, const char *why);
void parts_begin (struct parts *, const struct bbm_files *, int rank);
/* Adds the bytes of the ranks from RANK on. */
void parts_add (struct parts *, int rank, const struct part *);
/* Their sum as bytes; of a single one its own.  The caller frees it.  WHY: there is none. */
void parts_sum (struct parts *, struct part *);
/* Their sum as the file files->sum. */
void parts_write (struct parts *);
/* Removes what was received. */
void parts_end (struct parts *);
/* Removes the rank's own file, which the sum contains. */
void parts_remove_own (const struct bbm_files *);

#pragma GCC visibility pop

#endif
