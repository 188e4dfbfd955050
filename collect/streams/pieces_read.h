/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a trace, gmon.out.bbt (include/bbprof-trace.h): its objects, and its streams piece by
   piece.  Opening it reads all heads; bits and tokens are unpacked when a piece is loaded.
   Everything up to the first damage is used. */
#ifndef BBPROF_PIECES_READ_H
#define BBPROF_PIECES_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/build_id.h"
#include "common/error.h"
#include "include/bbprof-trace.h"

struct pieces_object {
  struct bbt_object fixed; /* as in the file */
  struct build_id build_id;
  char *path;
};

/* A piece that is not loaded. */
struct pieces_entry {
  struct bbt_piece head; /* as in the file; its name is terminated */
  uint32_t group, index; /* private: its place in the file */
};

/* All pieces of a stream, in order.  A gap in the sequence numbers means that pieces are
   missing. */
struct pieces_stream {
  uint32_t number;
  struct pieces_entry *entries;
  size_t nentries, room;
};

struct pieces {
  const char *name; /* of the file; borrowed */
  bool whole;
  bool torn;        /* it is not whole, but good up to its end: its writer was killed */
  struct error why; /* the damage, if the file is not whole */
  uint32_t version; /* of the file, at most BBT_VERSION */
  uint64_t run;     /* run id, as in the sidecar */
  struct bbt_run about;
  char *program;                 /* null or its path */
  struct pieces_object *objects; /* by number */
  size_t nobjects, room_objects;
  /* By number; a handler's stream has a higher number than the stream that it interrupts. */
  struct pieces_stream *streams;
  size_t nstreams, room_streams;
  struct bbx_loss *losses; /* each cause is terminated */
  size_t nlosses;
  struct pieces_file *file; /* private */
};

/* False: not a trace, or nothing of it can be used. */
bool pieces_open (struct pieces *, const char *name, struct error *);
void pieces_close (struct pieces *);

/* A loaded piece. */
struct piece {
  const struct bbt_piece *head;
  const uint64_t *words; /* the bits; the oldest is the highest of the first word */
  size_t nbits;
  const uint64_t *tokens;
  size_t ntokens;
  const struct bbt_mark *marks; /* ascending */
  size_t nmarks;
};

static inline bool
piece_bit (const struct piece *p, size_t i)
{
  return p->words[i / 64] >> (63 - i % 64) & 1;
}

/* Keeps the unpacked group of the last piece; use one for each stream that is read. */
struct pieces_loader *pieces_loader_new (struct pieces *);
void pieces_loader_free (struct pieces_loader *);

/* PIECE is valid until this loader loads the next one.  False: damaged in spite of a correct
   checksum, or out of memory. */
bool pieces_load (struct pieces_loader *, const struct pieces_entry *, struct piece *,
                  struct error *);

#endif
