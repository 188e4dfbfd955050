/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sequential reader of a file that is framed as the sidecar is: a header, then chunks
   (include/bbprof-file.h).  Used for gmon.out.bbt and gmon.out.bbs. */
#ifndef BBPROF_CHUNKS_H
#define BBPROF_CHUNKS_H

#include "collect/streams/bytes.h"
#include "common/error.h"
#include "include/bbprof-file.h"

struct chunks {
  const char *name; /* of the file; borrowed */
  int fd;
  uint64_t size, offset; /* of the file; of the next chunk: bytes */
  uint64_t chunk;        /* offset of the header or chunk that is being read */
  bool torn;             /* the file ends inside of a chunk, or before the last one */
  struct bbx_header header;
  struct bytes content; /* of the last chunk; one more byte is allocated behind it */
};

/* Opens the file NAME.  False: it is no WHAT with this MAGIC, of VERSION or an earlier one.  Call
   chunks_close in both cases. */
bool chunks_open (struct chunks *, const char *name, const char *what, const char *magic,
                  uint32_t version, struct error *);
void chunks_close (struct chunks *);

/* Likewise, but the file is the content of the first chunk of TYPE in the sidecar NAME.  Offsets
   count from the start of the sidecar. */
bool chunks_open_inside (struct chunks *, const char *name, uint32_t type, const char *what,
                         const char *magic, uint32_t version, struct error *);

/* Reads the next chunk and its content.  False: WHY has the damage; the file is good up to
   there; TORN tells the end that a killed writer leaves from other damage. */
bool chunks_next (struct chunks *, struct bbx_chunk *, struct error *why);

/* Sets WHY to damage inside of the current chunk.  Always false. */
bool chunks_damaged (const struct chunks *, const char *what, struct error *why);

bool chunks_read_at (const struct chunks *, void *to, size_t n, uint64_t offset);

/* The list of losses in the current chunk; the caller frees it.  Each cause is terminated. False:
   damaged, or out of memory. */
bool chunks_losses (const struct chunks *, struct bbx_loss **, size_t *n, struct error *why);

#endif
