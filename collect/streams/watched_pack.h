/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs records of threads into the content of a chunk, and unpacks them: context switches (struct
   bbs_switches), polls (struct bbs_looks), their locks (struct bbs_locks), calls of MPI (struct
   bbs_mpi_calls).  The records of a chunk are in order of time. */
#ifndef BBPROF_WATCHED_PACK_H
#define BBPROF_WATCHED_PACK_H

#include "collect/streams/pack.h"
#include "include/bbprof-samples.h"

/* Put N records, at least one, into TO, which is empty.  False: out of memory. */
bool switches_pack (struct packer *, const struct bbs_switch *, size_t n, struct bytes *to);
bool polls_pack (struct packer *, const struct bbs_look *, size_t n, struct bytes *to);
bool mpi_calls_pack (struct packer *, const struct bbs_mpi_call *, size_t n, struct bytes *to);

/* Unpack the N bytes at CONTENT into *COUNT records; the caller frees them.  Null: damaged, or
   out of memory. */
struct bbs_switch *switches_unpack (const unsigned char *content, size_t n, size_t *count);
struct bbs_look *polls_unpack (const unsigned char *content, size_t n, size_t *count);
struct bbs_mpi_call *mpi_calls_unpack (const unsigned char *content, size_t n, size_t *count);

/* Counts the polls, of N, that have a lock.  locks_pack packs these locks into the chunk behind the
   chunk of the polls. */
size_t locks_count (const struct bbs_look *, size_t n);
bool locks_pack (struct packer *, const struct bbs_look *, size_t n, struct bytes *to);
/* Unpacks BYTES of CONTENT into the N polls of the chunk before.  False: damaged, or out of
   memory. */
bool locks_unpack (const unsigned char *content, size_t bytes, struct bbs_look *polls, size_t n);

#endif
