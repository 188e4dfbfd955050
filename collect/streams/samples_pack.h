/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs the samples of one thread, in the order in which they were taken, into the content of a
   chunk (struct bbs_samples), and unpacks it. */
#ifndef BBPROF_SAMPLES_PACK_H
#define BBPROF_SAMPLES_PACK_H

#include "collect/streams/pack.h"
#include "include/bbprof-samples.h"

/* Puts N samples of THREAD, of which LOST more were lost meanwhile, into TO, which is empty.
   False: out of memory. */
bool samples_pack (struct packer *, uint32_t thread, const struct bbs_sample *, size_t n,
                   uint64_t lost, struct bytes *to);

/* Unpacks the N bytes at CONTENT; the caller frees *SAMPLES.  False: damaged, or out of memory. */
bool samples_unpack (const unsigned char *content, size_t n, struct bbs_samples *head,
                     struct bbs_sample **samples);

/* The flags words of samples, as the content of the chunk before theirs (struct bbs_flags), and
   back; the caller frees *WORDS.  False: damaged, or out of memory. */
bool samples_pack_flags (struct packer *, const struct bbs_sample *, size_t n, struct bytes *to);
bool samples_unpack_flags (const unsigned char *content, size_t n, struct bbs_flags *head,
                           uint32_t **words);
bool samples_have_flags (const struct bbs_sample *, size_t n); /* Does any have flags? */

#endif
