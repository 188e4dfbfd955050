/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flattens overlapping and nested address ranges: each address belongs to the range of the best
   rank. */
#ifndef BBPROF_COVER_H
#define BBPROF_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COVER_NONE UINT32_MAX

struct cover {
  struct cover_range *ranges; /* as added; freed by cover_finish */
  size_t nranges, room_ranges;
  struct cover_piece *pieces; /* by address, without overlap; each ends where the next begins */
  size_t npieces, room;
};

/* Gives [LOW, HIGH) to OWNER.  A smaller rank is better; of equal ranks the range added later.
   False: out of memory. */
bool cover_add (struct cover *, uint64_t low, uint64_t high, uint64_t rank, uint32_t owner);

/* Call after the last cover_add and before the first search. */
bool cover_finish (struct cover *);
void cover_free (struct cover *);

/* The owner of ADDRESS, or COVER_NONE.  Lowers *END to the next address with another owner, if
   that is below. */
uint32_t cover_find (const struct cover *, uint64_t address, uint64_t *end);

/* The owner of the last address before ADDRESS that has one, or COVER_NONE. */
uint32_t cover_before (const struct cover *, uint64_t address);

#endif
