/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user of `bbprof replay' says and is told: the commands, the same in both forms, and the
   texts. */
#ifndef BBPROF_REPLAY_SESSION_H
#define BBPROF_REPLAY_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/replay/replay.h"
#include "tools/replay/location.h"
#include "tools/view/source.h"

struct replay_session {
  const char *file;    /* name of the trace */
  const char *warning; /* of what has been read; null: none */
  struct replay replay;
  struct source source;
  struct location *stops;
  size_t nstops, room_stops;
};

bool replay_session_open (struct replay_session *, const char *file, struct trace *,
                          struct error *);
void replay_session_close (struct replay_session *); /* right in both cases */

enum replay_effect {
  REPLAY_STAYED, /* what OUT got is the answer */
  /* There is another position, or it was looked for; OUT got what else there is to say. */
  REPLAY_MOVED,
  REPLAY_QUIT,
};
enum replay_effect replay_command (struct replay_session *, const char *line, FILE *out);

/* Number, time, thread, depth, function, address and line of the position, in one line; no end
   of line. */
void replay_print_place (struct replay_session *, FILE *out);
/* Function, address and line of a block; null: a frame that is not known. */
void replay_print_block (struct replay_session *, const struct trace_block *, FILE *out);
/* The source line of the position, if it is there; with its number and end of line. */
void replay_print_source (struct replay_session *, FILE *out);

/* The innermost frames, so many at most: who has called whom. */
void replay_print_stack (struct replay_session *, unsigned most, FILE *out);
/* The source around the position; if it is not there, the blocks of the function around it. */
void replay_print_list (struct replay_session *, unsigned around, FILE *out);

/* The fronts: lines of IN, typed in answer to a prompt or not; */
void replay_text (struct replay_session *, FILE *in, bool prompt, FILE *out);
/* a screen and keys.  False: the terminal cannot do that. */
bool replay_screen (struct replay_session *);

#endif
