/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs a group of pieces into one chunk of the trace (struct bbt_group), and unpacks it. */
#ifndef BBPROF_GROUP_H
#define BBPROF_GROUP_H

#include "collect/streams/marks.h"
#include "collect/streams/pack.h"
#include "collect/streams/pieces_read.h"
#include "collect/streams/predict_bits.h"
#include "collect/streams/predict_tokens.h"

enum {
  GROUP_BITS = 0,
  GROUP_TOKENS = GROUP_BITS + BITS_DEGREES,
  GROUP_MARKS = GROUP_TOKENS + TOKENS_LISTS,
  GROUP_LISTS = GROUP_MARKS + MARKS_LISTS,
};

struct models {
  struct bits_model bits;
  struct tokens_model tokens;
};

struct group {
  struct models models;
  struct bytes lists[GROUP_LISTS];
  struct bbt_piece *heads;
  size_t pieces, room;
  uint64_t unpacked; /* bytes in all pieces */
};

/* Empties the group; keeps its memory. */
void group_begin (struct group *);
void group_free (struct group *);

/* False: out of memory, and the group is unchanged. */
bool group_add (struct group *, const struct piece *);

/* Is the group large enough to be written? */
bool group_is_full (const struct group *);

/* Appends the chunk's content to TO; then the group must be begun anew.  False: out of memory. */
bool group_pack (struct group *, struct packer *, struct bytes *to);

/* Reads the heads of the PIECES in a chunk's content of N bytes; the caller frees them.  Null:
   damaged, or out of memory. */
struct bbt_piece *group_read_heads (const unsigned char *content, size_t n, size_t *pieces);

/* Unpacks the pieces: CONTENTS gets one for each head, all in MEMORY. */
bool group_read (const unsigned char *content, size_t n, const struct bbt_piece *heads,
                 size_t pieces, struct models *, struct piece *contents, struct bytes *memory);

#endif
