/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof top: a process is watched, and its sums are shown again and again. */
#ifndef BBPROF_TOP_H
#define BBPROF_TOP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/error.h"
#include "tools/command.h"
#include "tools/top/top_sums.h"
#include "tools/top/top_table.h"

struct top_options {
  pid_t pid;               /* 0: ARGV */
  char **argv;             /* of the program to be started */
  const char *output;      /* its output's file; null: it is printed when top ends */
  uint64_t interval;       /* nanoseconds */
  unsigned long refreshes; /* 0: until the end */
  bool batch, json, polls, ascii, cpus;
  struct top_choice choice;
};

/* top_options.c: reads the command line of COMMAND, which has these options.  False: a line on
   stderr says what is wrong. */
extern const struct command_option top_option_table[];
bool top_parse (struct top_options *, const struct command *command, int argc, char **argv);

/* A program of our own (top_program.c).  It has our terminal and process group; its input is
   /dev/null. */
struct top_program {
  pid_t pid;
  int gate;      /* it begins when a byte is written to this */
  int complaint; /* errno comes from this if it cannot begin */
  int output;    /* file; -1: the user's */
  bool ended;
  int status; /* as of waitpid */
};
/* From here on signals that end or stop this process wait for top_take_signal. */
void top_hold_signals (void);
/* The next one of them that has come; 0: none.  *OURS: meant for us alone, not for all in the
   foreground of the terminal. */
int top_take_signal (bool *ours);
/* Stops this process, as the user asked for, until it is continued. */
void top_stop (void);
/* Makes a process that will be the program when it is let go.  False: ERR says why, and *STATUS
   how to end. */
bool top_program_start (struct top_program *, char **argv, const char *output, int *status,
                        struct error *);
bool top_program_go (struct top_program *, const char *name, int *status, struct error *);
/* True: it has; STATUS says how. */
bool top_program_has_ended (struct top_program *);
/* What it has written, to FD. */
void top_program_print (const struct top_program *, int fd);

/* The process that is watched (top_watch.c). */
struct top_watch {
  pid_t pid;
  char name[64];
  bool named;       /* by the caller; else as the process calls itself, which exec changes */
  uint64_t started; /* CLOCK_MONOTONIC, nanoseconds */
  uint64_t ended;   /* nanoseconds since; 0: it lives */
  int fd;           /* of the process: readable when it has ended */
  struct monitor *monitor;
  struct bbs_watch how;
  struct watched seen;
  struct top_sums sums;
};
/* False: ERR says why; top_watch_close is right in both cases. */
bool top_watch_open (struct top_watch *, pid_t pid, const char *name, bool polls, struct error *);
void top_watch_close (struct top_watch *);
/* Waits for so many milliseconds at most, and takes what was seen.  False: no memory. */
bool top_watch_take (struct top_watch *, unsigned milliseconds);
uint64_t top_watch_now (const struct top_watch *);
/* "by events", "by polls (Permission denied)". */
void top_watch_describe (const struct top_watch *, char *text, size_t size);

/* What is shown, and what it is shown from (top_session.c). */
struct top {
  const struct top_options *options;
  struct top_choice choice;
  struct top_watch watch;
  struct top_program *program; /* null: the process is not ours */
  struct top_rows rows;
  void (*stop) (void); /* what is done if the user stops us: top_stop, at last */
  bool asked_to_end;   /* by a signal that was passed on to the program */
  bool redraw;         /* a signal has come after which the screen is not what it was */
};
/* The period ends; the rows are chosen anew.  People are shown the whole at the end.  False: no
   memory. */
bool top_refresh (struct top *);
/* How many milliseconds top may wait at once until a thing that is DUE: signals and keys do not
   wake it. */
enum { TOP_PATIENCE = 50 };
unsigned top_patience (uint64_t due, uint64_t now);
/* Signals that have come: those to end are passed on to a program of our own, if it has not got
   them itself, and top ends with that; else this returns their number, to be ended by.  0: go
   on. */
int top_obey_signals (struct top *);
/* "3 threads, ...": the whole process in the last period. */
void top_summarize (const struct top *, char *text, size_t size);

/* One refresh, on OUT. */
void top_print_text (FILE *out, const struct top *);
void top_print_json (FILE *out, const struct top *);

/* On the terminal, until the user ends it (top_screen.c).  False: ERR says why the terminal
   cannot do that, or no memory.  *SIGNAL: by which it was ended; 0: by a key. */
bool top_screen (struct top *, int *signal, struct error *);

#endif
