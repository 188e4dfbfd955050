/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs lists of bytes into one zstd frame, and unpacks it.  Each list begins a new zstd block,
   because its statistics differ. */
#ifndef BBPROF_PACK_H
#define BBPROF_PACK_H

#include "collect/streams/bytes.h"

struct ZSTD_CCtx_s;

struct packer {
  struct ZSTD_CCtx_s *zstd;
};

/* Makes N empty LISTS with room for ROOM bytes each.  False: out of memory.  Call lists_free in
   both cases. */
bool lists_begin (struct bytes *lists, size_t n, size_t room);
void lists_free (struct bytes *lists, size_t n);

/* The unpacked size of a frame of these lists. */
uint64_t lists_bytes (const struct bytes *lists, size_t n);

bool packer_begin (struct packer *);
void packer_end (struct packer *);

/* Appends the frame of N LISTS to TO.  False: out of memory, and TO is unchanged. */
bool pack_lists (struct packer *, const struct bytes *lists, size_t n, struct bytes *to);

/* Unpacks the N bytes at FRAME into TO, which was empty; READ gets the COUNT lists in TO's
   memory.  False: damaged, more than MOST bytes, or out of memory. */
bool unpack_lists (const void *frame, size_t n, uint64_t most, struct bytes *to,
                   struct reading *read, size_t count);

#endif
