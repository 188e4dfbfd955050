/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes which thread of the process runs when, the markers that it sets, and its calls of MPI:
   gathers them until they fill a chunk, or are old. */
#ifndef BBPROF_WATCH_WRITE_H
#define BBPROF_WATCH_WRITE_H

#include "collect/streams/file_write.h"
#include "collect/streams/pack.h"
#include "collect/writer/program_queue.h"
#include "common/error.h"

struct watch_writer {
  struct monitor *monitor;  /* null: not wanted, or watching failed */
  struct error why;         /* why it failed */
  struct bbs_watch written; /* the last one in the file, if IS_WRITTEN */
  bool is_written;
  struct bbs_head *head;
  struct program_queue marks, calls;
  const struct bbs_wait *waits; /* the process's waits, BBS_WAITS of them */
  struct watched seen;
  uint64_t since; /* clock_now: time of the first record in SEEN */
  struct packer *packer;
  struct bytes content; /* of the next chunk */
  struct trace_out *out;
  uint64_t lost_file, lost_marks, lost_calls; /* records without room in the file */
};

/* Begins to watch, and tells the process whether that works.  OUT need not be open yet. */
void watch_begin (struct watch_writer *, struct bbs_head *, struct packer *, struct trace_out *out);

/* As monitor_wait. */
void watch_wait (struct watch_writer *, unsigned milliseconds);

/* Takes what the monitor has, and writes what was gathered before the time BEFORE (clock_now).
   LAST: nothing follows. */
void watch_take (struct watch_writer *, uint64_t before, bool last);

/* Fills LOSSES for the file; returns how many. */
enum { WATCH_LOSSES = 4 };
size_t watch_losses (const struct watch_writer *, struct bbx_loss losses[WATCH_LOSSES]);

#endif
