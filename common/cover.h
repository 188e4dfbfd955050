/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of addresses that lie over and in each other, flattened: at each address the one of the
   best rank counts. */
#ifndef BBPROF_COVER_H
#define BBPROF_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COVER_NONE UINT32_MAX

struct cover {
  struct cover_range *ranges; /* as added; gone after cover_finish */
  size_t nranges, room_ranges;
  struct cover_piece *pieces; /* by address, without overlap; each up to the next */
  size_t npieces, room;
};

/* [LOW, HIGH) is OWNER's.  A smaller rank is better; of equal ranks the range that was added
   later.  False if memory is short. */
bool cover_add (struct cover *, uint64_t low, uint64_t high, uint64_t rank, uint32_t owner);

/* After the last range, before the first question. */
bool cover_finish (struct cover *);
void cover_free (struct cover *);

/* The owner of ADDRESS, or COVER_NONE.  *END becomes the first address above where the answer is
   another, if that is below. */
uint32_t cover_find (const struct cover *, uint64_t address, uint64_t *end);

/* The owner of the last address before ADDRESS that has one, or COVER_NONE. */
uint32_t cover_before (const struct cover *, uint64_t address);

#endif
