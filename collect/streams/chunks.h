/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that is framed as the sidecar is: a header, then chunks (include/bbprof-file.h), read
   one after the other. */
#ifndef BBPROF_CHUNKS_H
#define BBPROF_CHUNKS_H

#include "collect/streams/bytes.h"
#include "common/error.h"
#include "include/bbprof-file.h"

struct chunks {
  const char *name; /* of the file; borrowed */
  int fd;
  uint64_t size, offset; /* of the file; of the next byte */
  uint64_t chunk;        /* offset of the header or chunk that is being read */
  struct bbx_header header;
  struct bytes content; /* of the chunk that was read last; with a byte behind it */
};

/* False: it is not WHAT, which has this MAGIC and VERSION.  chunks_close is right in both cases. */
bool chunks_open (struct chunks *, const char *name, const char *what, const char *magic,
                  uint32_t version, struct error *);
void chunks_close (struct chunks *);

/* The next one, with its content.  False: WHY the file is good only up to there. */
bool chunks_next (struct chunks *, struct bbx_chunk *, struct error *why);

/* The same, for what is wrong inside of a chunk; always false. */
bool chunks_damaged (const struct chunks *, const char *what, struct error *why);

bool chunks_read_at (const struct chunks *, void *to, size_t n, uint64_t offset);

/* The list of losses that is in a chunk, for free (), each cause with a zero at its end.  False:
   damaged, or memory is short. */
bool chunks_losses (const struct chunks *, struct bbx_loss **, size_t *n, struct error *why);

#endif
