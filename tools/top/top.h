/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof top: watches a process, and shows its sums at intervals. */
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
  pid_t pid;                  /* 0: ARGV */
  char **argv;                /* of the program to start */
  const char *program_output; /* file for its output; null: top prints it when it ends */
  const char *output;         /* file for what top prints; null: standard output */
  uint64_t interval;          /* nanoseconds */
  unsigned long refreshes;    /* 0: until the end */
  bool batch, json, polls, ascii, cpus;
  struct top_choice choice;
};

/* top_options.c: reads the command line of COMMAND, which has these options.  False: a line on
   stderr says what is wrong. */
extern const struct command_option top_option_table[];
bool top_parse (struct top_options *, const struct command *command, int argc, char **argv);

/* A program that top has started (top_program.c), with top's terminal and process group; its input
   is /dev/null. */
struct top_program {
  pid_t pid;
  int gate;      /* the program starts when a byte is written to this */
  int complaint; /* delivers errno if the program cannot start */
  int output;    /* file of the output; -1: the user's */
  bool ended;
  int status; /* as of waitpid */
};
/* From now on signals that end or stop this process are held for top_take_signal. */
void top_hold_signals (void);
/* The next held signal; 0: none.  *OURS: it was sent to this process alone, not to all in the
   foreground of the terminal. */
int top_take_signal (bool *ours);
/* Stops this process, as the user wants, until it is continued. */
void top_stop (void);
/* Makes a process that becomes the program later.  False: ERR says why not, and *STATUS is the exit
   status. */
bool top_program_start (struct top_program *, char **argv, const char *output, int *status,
                        struct error *);
bool top_program_go (struct top_program *, const char *name, int *status, struct error *);
/* True: it has ended, with STATUS. */
bool top_program_has_ended (struct top_program *);
/* Copies its output to FD. */
void top_program_print (const struct top_program *, int fd);

/* The process that is watched (top_watch.c). */
struct top_watch {
  pid_t pid;
  char name[64];
  bool named;       /* NAME is from the caller; else it is the process's own, which exec changes */
  uint64_t started; /* CLOCK_MONOTONIC, nanoseconds */
  uint64_t ended;   /* nanoseconds since STARTED; 0: it has not ended */
  int fd;           /* of the process; readable when it has ended */
  struct monitor *monitor;
  struct bbs_watch how;
  struct watched seen;
  struct top_sums sums;
};
/* False: ERR says why; call top_watch_close in any case. */
bool top_watch_open (struct top_watch *, pid_t pid, const char *name, bool polls, struct error *);
void top_watch_close (struct top_watch *);
/* Waits at most so many milliseconds, and takes the new records.  False: out of memory. */
bool top_watch_take (struct top_watch *, unsigned milliseconds);
uint64_t top_watch_now (const struct top_watch *);
/* "by events", "by polls (Permission denied)". */
void top_watch_describe (const struct top_watch *, char *text, size_t size);

/* The state of the display (top_session.c). */
struct top {
  const struct top_options *options;
  struct top_choice choice;
  struct top_watch watch;
  struct top_program *program; /* null: top did not start the process */
  struct top_rows rows;
  void (*stop) (void); /* called when the user stops top; ends with top_stop */
  bool asked_to_end;   /* by a signal that was passed on to the program */
  bool redraw;         /* a signal came that may have changed the screen */
};
/* Ends the period and chooses the rows.  At the end of the process, text shows its whole time.
   False: out of memory. */
bool top_refresh (struct top *);
/* How many milliseconds top may wait for what is DUE; signals and keys do not end a wait. */
enum { TOP_PATIENCE = 50 };
unsigned top_patience (uint64_t due, uint64_t now);
/* Obeys held signals.  One that ends top is passed on to a program that top has started, if that
   has not got it, and top ends with it; without such a program its number is returned, for top to
   end by.  0: go on. */
int top_obey_signals (struct top *);
/* "3 threads, ...": the process in the last period. */
void top_summarize (const struct top *, char *text, size_t size);

/* Print one refresh to OUT. */
void top_print_text (FILE *out, const struct top *);
void top_print_json (FILE *out, const struct top *);

/* The screen, until the user ends it (top_screen.c).  False: ERR says why the terminal does not
   allow it, or out of memory.  *SIGNAL: the signal that ended it; 0: a key. */
bool top_screen (struct top *, int *signal, struct error *);

#endif
