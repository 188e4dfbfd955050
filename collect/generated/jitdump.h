/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary form of a description of generated code: a header, then records with their times, of
   code that is loaded or moved, and of its source lines. */
#ifndef BBPROF_JITDUMP_H
#define BBPROF_JITDUMP_H

#include "collect/generated/code.h"

struct jitdump {
  struct code_text text;
  bool has_header;
  bool other_clock; /* its times are not CLOCK_MONOTONIC */
  /* The lines of the next code at LINES_OF. */
  uint64_t lines_of;
  struct generated_line *lines;
  size_t nlines;
  char *texts; /* the record with the names of their files */
};

/* Reads the records that were added since the last call into SINK.  TIME: of records without a
   time.  LAST: none follow, so a cut record is damage.  A record that is damaged inside is skipped,
   and noted in the text; behind one without a valid size nothing is read.  False: SINK has no room,
   or no memory. */
bool jitdump_read (struct jitdump *, uint64_t time, bool last, const struct code_sink *);
void jitdump_free (struct jitdump *); /* not its descriptor */

#endif
