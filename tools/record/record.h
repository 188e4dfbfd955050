/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record: a program runs with the run-time library preloaded, which samples it; here is
   what happens around it. */
#ifndef BBPROF_RECORD_H
#define BBPROF_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "tools/command.h"

struct record_options {
  const char *output;                    /* name of the profile */
  const char *sampler, *clock, *threads; /* null: as the library has it */
  const char *frequency, *signal;        /* the same */
  /* File of raw addresses that is to be written, too; null: none. */
  const char *raw;
  unsigned raw_words;   /* bytes of each */
  unsigned long repeat; /* runs, at least 1 */
  unsigned timeline;    /* enum bbs_timeline */
  bool raw_long;        /* in the place of these, a line for each sample */
  bool children, live, no_stacks, no_times, periodic, weighted, quiet;
  char **argv; /* of the program */
};

/* record_options.c: the options of bbprof record and bbprof run. */
extern const struct command_option record_option_table[];

/* Reads the command line of COMMAND, which has these options.  False: a line on stderr says what
   is wrong. */
bool record_parse (struct record_options *, const struct command *command, int argc, char **argv);

/* record_program.c: the program's file, by its name as a shell would look for it.  Null: ERR
   says why it cannot be started, or not be sampled, and *STATUS how to end then. */
const char *record_find_program (const char *name, int *status, struct error *err);

/* record_environment.c: the run-time library's file; null: ERR says why there is none that can
   be preloaded. */
const char *record_find_library (struct error *err);

/* record_needed.c: what FILE is preloaded with: LIBRARY, behind that of the address sanitizer,
   if it is linked with that; to stay. */
const char *record_preloads (const char *file, const char *library);

/* What a run of process PID that writes its profile to OUTPUT is given; null: no memory.  False
   of the first: ERR says why the options cannot be passed on. */
bool record_check_options (const struct record_options *, struct error *err);
char **record_environment (const struct record_options *, const char *library, const char *output,
                           pid_t pid);

/* record_process.c: a child in the foreground, and the signals of the user.  From
   record_hold_signals on nothing ends this process but SIGKILL, and what it may leave behind. */
struct record_run {
  const struct record_options *options;
  const char *file, *library, *output;
  pid_t pid;
  int status;      /* as of waitpid */
  int64_t started; /* nanoseconds since 1970 */
  bool strangers;  /* there were other children before the program was one */
  bool keeps_old;  /* the recording of that name has a second one, up to the end (record_old.c) */
  bool has_old;    /* and is there now, as OUTPUT.old */
};
void record_hold_signals (void);
/* false: *STATUS as above. */
bool record_start (struct record_run *, int *status, struct error *err);
void record_wait (struct record_run *);
/* Whether the file NAME was written in RUN. */
bool record_is_since (const char *name, const struct record_run *);
/* A signal has come while there was no program; record_leave dies of it. */
bool record_is_asked_to_end (void);
/* As the program has ended, by the same status or signal. */
_Noreturn void record_leave (int status);

/* record_profile.c: what became of the profile of RUN, which has ended: if it was killed it is
   recovered.  False: there is none, and ERR says why. */
bool record_secure (const struct record_run *, struct error *err);
/* Removes times of samples that lie beside PROFILE and are of another run, or of one that has
   left no profile: they tell nothing. */
void record_clear_times (const char *profile);
/* Calls VISIT, which may be null, for each profile of another process or program that RUN made
   (--children).  Returns how many there are. */
size_t record_visit_others (const struct record_run *, void (*visit) (const char *profile));
/* A line of the command's on stderr; on a terminal it is as many as TEXT takes. */
void record_tell_line (const char *text);
/* The closing line, on the profile OUTPUT of what RUN (the last one) has done. */
void record_tell (const struct record_run *, const char *output, unsigned long runs);

/* Whether what is to be written can be, as far as is known before; false: ERR says why not. */
bool record_check_places (const struct record_options *, struct error *err);

/* record_old.c: what has the output's name already.  It is kept before the program begins; when
   there is a new recording it is called OUTPUT.old; if there is none it gets its place back.
   What cannot be done is said. */
void record_keep_old (struct record_run *);
void record_retire_old (struct record_run *);
void record_bring_old_back (struct record_run *);

/* record_timeline.c.  The timeline of RUN, which has left no profile or was killed, is written
   by another process, and for that it is waited a moment; false: there is none.  What of the
   closing line is about the timeline. */
bool record_secure_timeline (const struct record_run *);
void record_tell_timeline (FILE *, const struct record_run *);

/* record_times.c: makes the file of times beside PROFILE, if there is one, part of its sidecar. */
void record_embed_times (const char *profile);

/* record_raw.c: OPTIONS->raw, of the profile OPTIONS->output.  False: ERR says why it is not
   there. */
bool record_write_raw (const struct record_options *, struct error *err);

/* record_repeat.c: many runs, added up into OPTIONS->output.  False: there is no profile; ERR
   says why. */
bool record_repeat (struct record_run *, int *status, struct error *err);

/* record_session.c: runs a program as COMMAND, and ends as it does.  THEN, if it is not null, is
   called when there is a profile.  It returns only for a wrong command line. */
enum command_result record_command (const struct command *command, int argc, char **argv,
                                    void (*then) (const struct record_options *),
                                    struct error *err);

#endif
