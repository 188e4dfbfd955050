/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A group of pieces, which become one chunk of the file (struct bbt_group), and back. */
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
  uint64_t unpacked; /* bytes of what the pieces hold */
};

/* An empty group; what memory it has is kept. */
void group_begin (struct group *);
void group_free (struct group *);

/* False if memory is short; the group is as it was then. */
bool group_add (struct group *, const struct piece *);

/* Is it time to write it? */
bool group_is_full (const struct group *);

/* Adds the chunk's content to TO; the group must begin anew then.  False if memory is short. */
bool group_pack (struct group *, struct packer *, struct bytes *to);

/* From a chunk's content of N bytes: how many pieces there are, and their heads, for free ();
   null: damaged, or memory is short. */
struct bbt_piece *group_read_heads (const unsigned char *content, size_t n, size_t *pieces);

/* What the pieces hold: CONTENTS gets one for each head, all in the one piece of memory MEMORY. */
bool group_read (const unsigned char *content, size_t n, const struct bbt_piece *heads,
                 size_t pieces, struct models *, struct piece *contents, struct bytes *memory);

#endif
