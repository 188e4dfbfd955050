/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread of the process runs when, and the marks that it sets: watched, gathered until
   they are worth a chunk, or old, and written. */
#ifndef BBPROF_WATCH_WRITE_H
#define BBPROF_WATCH_WRITE_H

#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "collect/writer/program_marks.h"
#include "common/error.h"

struct watch_writer {
  struct monitor *monitor; /* null: none, or it could not be watched */
  struct error why;        /* the second */
  struct bbs_watch told;   /* what the file says of that, if it TELLS anything */
  bool tells;
  struct program_marks marks;
  const struct bbs_wait *waits; /* of the process, BBS_WAITS of them */
  struct watched seen;
  uint64_t since; /* clock_now; when the first of SEEN came */
  struct packer *packer;
  struct bytes content; /* of the chunk that is being made */
  struct trace_out *out;
  uint64_t lost_file, lost_marks; /* that had no room in the file */
};

/* Begins to watch, and lets the process know that, or that it cannot be.  OUT need not be open
   yet. */
void watch_begin (struct watch_writer *, struct bbs_head *, struct packer *, struct trace_out *out);

/* As monitor_wait. */
void watch_wait (struct watch_writer *, unsigned milliseconds);

/* Takes what there is; what was gathered before the time BEFORE (clock_now) is written.  LAST:
   nothing comes behind it. */
void watch_take (struct watch_writer *, uint64_t before, bool last);

/* Losses that are to stand in the file, into LOSSES; how many. */
enum { WATCH_LOSSES = 3 };
size_t watch_losses (const struct watch_writer *, struct bbx_loss losses[WATCH_LOSSES]);

#endif
