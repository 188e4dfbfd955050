/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of one thread, in the order in which they were taken, as the contents of chunks
   (struct bbs_samples), and back. */
#ifndef BBPROF_SAMPLES_PACK_H
#define BBPROF_SAMPLES_PACK_H

#include "collect/streams/pack.h"
#include "include/bbprof-samples.h"

/* Puts N of THREAD, which has LOST so many meanwhile, into TO, which is empty.  False if memory
   is short. */
bool samples_pack (struct packer *, uint32_t thread, const struct bbs_sample *, size_t n,
                   uint64_t lost, struct bytes *to);

/* The N bytes at CONTENT; *SAMPLES for free ().  False: damaged, or memory is short. */
bool samples_unpack (const unsigned char *content, size_t n, struct bbs_samples *head,
                     struct bbs_sample **samples);

/* Their flags words, as the content of the chunk before theirs (struct bbs_flags), and back, as
   *WORDS for free ().  False: likewise. */
bool samples_pack_flags (struct packer *, const struct bbs_sample *, size_t n, struct bytes *to);
bool samples_unpack_flags (const unsigned char *content, size_t n, struct bbs_flags *head,
                           uint32_t **words);
bool samples_have_flags (const struct bbs_sample *, size_t n); /* some are known */

#endif
