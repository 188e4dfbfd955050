/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `bbprof blocks' shows, ready to be printed in one of several formats. */
#ifndef BBPROF_BLOCKS_EMIT_H
#define BBPROF_BLOCKS_EMIT_H

#include <stdio.h>

#include "blocks.h"
#include "profile.h"

struct block_row {
  const struct block *block;
  char *function;   /* demangled; null: no symbol there */
  const char *file; /* null: no debug information */
  unsigned line;
};

struct block_table {
  const char *program;
  char **profiles;
  int nprofiles;
  const struct profile *profile;
  const struct blocks *blocks;
  struct block_row *rows; /* the hottest first */
  size_t nrows;
};

void blocks_emit_text (FILE *, const struct block_table *);
void blocks_emit_json (FILE *, const struct block_table *);

/* Part of the whole in percent; 0 of nothing is 0. */
static inline double
blocks_percent (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : 0;
}

#endif
