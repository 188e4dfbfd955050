/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of bytes in one zstd frame, and back.  Each list begins a block of its own, because its
   statistics are its own. */
#ifndef BBPROF_PACK_H
#define BBPROF_PACK_H

#include "collect/streams/bytes.h"

struct ZSTD_CCtx_s;

struct packer {
  struct ZSTD_CCtx_s *zstd;
};

/* ROOM bytes in each of N LISTS, which are empty.  False if memory is short; lists_free is right
   in both cases. */
bool lists_begin (struct bytes *lists, size_t n, size_t room);
void lists_free (struct bytes *lists, size_t n);

/* How many bytes they are, unpacked, in a frame. */
uint64_t lists_bytes (const struct bytes *lists, size_t n);

bool packer_begin (struct packer *);
void packer_end (struct packer *);

/* Adds the frame of N LISTS to TO.  False if memory is short; TO is as it was then. */
bool pack_lists (struct packer *, const struct bytes *lists, size_t n, struct bytes *to);

/* The N bytes at FRAME into TO, which was empty.  READ gets the COUNT lists, in TO's memory.
   False: damaged, or of more than MOST bytes, or memory is short. */
bool unpack_lists (const void *frame, size_t n, uint64_t most, struct bytes *to,
                   struct reading *read, size_t count);

#endif
