/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session of `bbprof replay': its commands, which are the same in both forms, and its texts. */
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
  const char *file;    /* file name of the trace */
  const char *warning; /* about the trace, from reading it; null: none */
  struct replay replay;
  struct source source;
  /* Where wrong commands are reported, each as an error of the command line; null: in the place of
     their answer. */
  FILE *complaints;
  bool misused, unanswered; /* a command was wrong; a location was not found */
  struct location *stops;
  size_t nstops, room_stops;
};

bool replay_session_open (struct replay_session *, const char *file, struct trace *,
                          struct error *);
void replay_session_close (struct replay_session *); /* right in both cases */

enum replay_effect {
  REPLAY_STAYED, /* OUT has the answer */
  /* The position moved, or a search for it failed; OUT has further messages. */
  REPLAY_MOVED,
  REPLAY_QUIT,
};
enum replay_effect replay_command (struct replay_session *, const char *line, FILE *out);

/* Prints number, time, thread, depth, function, address and line of the position in one line,
   without its end. */
void replay_print_place (struct replay_session *, FILE *out);
/* Prints function, address and line of a block; null: an unknown frame. */
void replay_print_block (struct replay_session *, const struct trace_block *, FILE *out);
/* Prints the source line of the position, if available, with its number. */
void replay_print_source (struct replay_session *, FILE *out);

/* Prints the call stack, innermost frame first, at most so many frames. */
void replay_print_stack (struct replay_session *, unsigned most, FILE *out);
/* Prints the source around the position; without source, the blocks of the function. */
void replay_print_list (struct replay_session *, unsigned around, FILE *out);

/* The two forms: lines of IN, with a prompt or without; */
void replay_text (struct replay_session *, FILE *in, bool prompt, FILE *out);
/* a screen and keys.  False: the terminal does not support it. */
bool replay_screen (struct replay_session *);

#endif
