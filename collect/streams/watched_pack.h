/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was seen of threads, as the content of a chunk, and back: switches (struct bbs_switches),
   looks (struct bbs_looks).  Those of a chunk are in order of time. */
#ifndef BBPROF_WATCHED_PACK_H
#define BBPROF_WATCHED_PACK_H

#include "collect/streams/pack.h"
#include "include/bbprof-samples.h"

/* Put N of them, at least one, into TO, which is empty.  False if memory is short. */
bool switches_pack (struct packer *, const struct bbs_switch *, size_t n, struct bytes *to);
bool looks_pack (struct packer *, const struct bbs_look *, size_t n, struct bytes *to);

/* The N bytes at CONTENT, which are *COUNT; for free ().  Null: damaged, or memory is short. */
struct bbs_switch *switches_unpack (const unsigned char *content, size_t n, size_t *count);
struct bbs_look *looks_unpack (const unsigned char *content, size_t n, size_t *count);

#endif
