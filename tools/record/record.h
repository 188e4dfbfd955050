/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record: runs a program with the run-time library preloaded.  These are the steps around
   the run. */
#ifndef BBPROF_RECORD_H
#define BBPROF_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "collect/outside/own_counts.h"
#include "tools/command.h"

struct record_options {
  const char *output;                    /* file name of the profile */
  const char *sampler, *clock, *threads; /* null: the library's default */
  const char *frequency, *signal;        /* null: the library's default */
  /* also write the raw addresses of the samples to this file; null: no */
  const char *raw;
  const char *mpi; /* whose shim is preloaded: "openmpi", "mpich", "auto" or "none" */
  /* In a rank of several: OUTPUT is the rank's own profile, SUM that of all together; else null. */
  const char *sum;
  unsigned rank;
  const char *languages; /* whose providers are preloaded: a list, "auto" or "none" */
  unsigned raw_words;    /* bytes of each address */
  unsigned long repeat;  /* runs, at least 1 */
  unsigned timeline;     /* enum bbs_timeline */
  bool raw_long;         /* write a text line for each sample instead */
  bool children, live, no_stacks, no_times, periodic, weighted, quiet;
  bool html, open;  /* run: write a page instead of the report; open it */
  const char *page; /* its file name; null: the default */
  pid_t *pids;      /* of processes that run already, to sample; allocated for good */
  size_t npids;
  double seconds;     /* for how long, at most; 0: not limited */
  bool outside;       /* sample the program that is started from outside */
  const char *kernel; /* from outside: "auto", "no", "yes": samples in the kernel; null: auto */
  char **argv;        /* of the program; null: none is started */
};

struct record_run;

/* record_options.c: the options of bbprof record, and with more of them, bbprof run. */
extern const struct command_option record_option_table[], run_option_table[];

/* Reads the command line of COMMAND, which has these options.  False: a line on stderr says what
   is wrong. */
bool record_parse (struct record_options *, const struct command *command, int argc, char **argv);

/* record_program.c: finds the program's file, as a shell does.  Null: ERR says why it cannot be
   started or sampled; *STATUS: exit status for that.  OUTSIDE: nothing is preloaded into it.
   *EXECUTED: the file, or a script's interpreter; valid until the next call. */
const char *record_find_program (const char *name, bool outside, const char **executed, int *status,
                                 struct error *err);

/* record_languages.c: is LIST one that record_add_providers knows?  LIBRARY, and behind it the
   providers of the languages of LIST ("auto": of those that FILE executes), for LD_PRELOAD.
   Allocated for good; null: ERR says which one is missing. */
bool record_is_language_list (const char *list);
const char *record_add_providers (const char *file, const char *library, const char *list,
                                  struct error *err);

/* record_ranks.c: if FILE is a program of MPI, adds its shim to *LIBRARY for LD_PRELOAD; in one of
   several ranks also sets the names of OPTIONS.  Allocated for good.  False: ERR says which shim is
   missing. */
bool record_add_shim (struct record_options *options, const char *file, const char **library,
                      struct error *err);
/* Has the profile of RUN, which ended, become part of the sum? */
bool record_is_summed (const struct record_run *run);

/* record_needed.c: the MPI that FILE is linked with, "openmpi" or "mpich"; null: none. */
const char *record_needed_mpi (const char *file);

/* record_needed.c: the files to preload into FILE: LIBRARY, behind the address sanitizer's
   library if FILE is linked with that.  Allocated for good. */
const char *record_preloads (const char *file, const char *library);

/* record_check_options: whether the options can be passed on; false: ERR says why not.
   record_environment: the environment of a run of process PID that writes its profile to OUTPUT,
   in one piece of memory; null: no memory. */
bool record_check_options (const struct record_options *, struct error *err);
char **record_environment (const struct record_options *, const char *library, const char *output,
                           pid_t pid);

/* record_process.c: runs the program as a child in the foreground and handles the user's
   signals.  After record_hold_signals only SIGKILL ends this process early, with temporary files
   left behind. */
struct own_profile {
  pid_t pid;
  char *name;   /* null: it writes none */
  bool counted; /* BEFORE has what it had counted when sampling began */
  struct own_counts before;
};
struct record_run {
  const struct record_options *options;
  const char *file, *library, *output;
  pid_t pid;
  char **environment; /* from record_environment, while the program starts */
  int status;         /* as waitpid returns it */
  int64_t started;    /* nanoseconds since 1970 */
  bool strangers;     /* this process had children before it started the program */
  bool keeps_old;     /* the previous recording has a second name until the end (record_old.c) */
  bool has_old;       /* the previous recording is now OUTPUT.old */
  /* Called before the program begins, when its process waits for that; null: nothing to do.
     False: ERR says why the program is not to run. */
  bool (*before) (struct record_run *, struct error *err);
  struct outside *outside; /* what samples it from outside; null: nothing does */
  /* From outside: the profile that each of the processes writes itself (record_counts.c). */
  struct own_profile *own_profiles;
  size_t nown;
  bool with_counts; /* the profile has counts that its process has made itself */
  bool overwritten; /* its process still runs, and will write its own profile to the same file */
  double own_share; /* from outside: of one processor that sampling itself took; else 0 */
};
void record_hold_signals (void);
/* Starts the program.  False: not started; *STATUS as for record_program. */
bool record_start (struct record_run *, int *status, struct error *err);
void record_wait (struct record_run *);
/* The same without waiting.  True: the program has ended. */
bool record_has_ended (struct record_run *);
/* True if the file NAME was written during RUN. */
bool record_is_since (const char *name, const struct record_run *);
/* A signal arrived while no program was running; record_leave ends by it. */
bool record_is_asked_to_end (void);
/* Ends as the program did: with the same exit status, or by the same signal. */
_Noreturn void record_leave (int status);

/* record_profile.c: checks the profile of RUN, which ended; recovers it if the process was
   killed.  False: no profile; ERR has the reason. */
bool record_secure (const struct record_run *, struct error *err);
/* Removes a file of sample times beside PROFILE that is of another run, or of a run without a
   profile. */
void record_clear_times (const char *profile);
/* Calls VISIT (or null) for each profile of another process or program of RUN (--children).
   Returns their number. */
size_t record_visit_others (const struct record_run *, void (*visit) (const char *profile));
/* Prints TEXT to stderr with the command's name in front; wrapped on a terminal. */
void record_tell_line (const char *text);
/* Prints the closing line: the profile OUTPUT, made by RUN (the last one). */
void record_tell (const struct record_run *, const char *output, unsigned long runs);

/* Expands the %-letters in OPTIONS->output for the program NAME, of the file EXECUTED.  False: ERR
   says which letter cannot be expanded. */
bool record_expand_output (struct record_options *options, const char *executed, const char *name,
                           struct error *err);
/* Checks before the run whether all outputs can be written, as far as that can be known; false:
   ERR has the reason. */
bool record_check_outputs (const struct record_options *, struct error *err);

/* record_old.c: keeps a previous recording with the output's name.  It is secured before the
   program starts.  If there is a new recording, the old one becomes OUTPUT.old; otherwise it
   gets its name back.  Failures are reported. */
void record_keep_old (struct record_run *);
void record_retire_old (struct record_run *);
void record_bring_old_back (struct record_run *);

/* record_timeline.c.  If RUN left no profile or was killed, waits a moment for the writer
   process to complete the timeline; false: there is none.  Then prints the timeline's part of
   the closing line. */
bool record_secure_timeline (const struct record_run *);
void record_tell_timeline (FILE *, const struct record_run *);

/* record_times.c: names the generated code of PROFILE, and moves the file of sample times beside
   it, if any, into its sidecar. */
void record_embed_times (const char *profile);

/* record_raw.c: writes OPTIONS->raw from the profile OPTIONS->output.  False: not written; ERR
   has the reason. */
bool record_write_raw (const struct record_options *, struct error *err);

/* record_repeat.c: runs the program several times and adds up the profiles into OPTIONS->output.
   False: no profile; ERR has the reason. */
bool record_repeat (struct record_run *, int *status, struct error *err);

/* record_outside.c: samples the processes that OPTIONS name, which run already, and writes their
   profiles.  False: no profile; ERR has the reason. */
bool record_outside (struct record_options *, struct error *err);
/* Runs the program of RUN and samples it in the same way.  Results as of record_start, if it was
   not started (*STATUS is not 0); else as of record_secure. */
bool record_from_outside (struct record_run *run, int *status, struct error *err);

/* record_counts.c: the counts of instrumented processes, for their profiles from outside.
   record_begin_counts: when sampling begins, has the processes write their own profiles; false: out
   of memory.
   record_read_counts: what P has counted since, or since its start; false: there are none; a
   failure is reported.
   record_is_overwritten: will P, which still runs, replace OUTPUT by its own profile? */
bool record_begin_counts (struct record_run *, const pid_t *pids, size_t npids, struct error *err);
bool record_read_counts (const struct record_run *, const struct process *p, struct own_counts *);
bool record_is_overwritten (const struct record_run *, const struct process *p, const char *output);
void record_free_counts (struct record_run *);

/* record_session.c: runs a program as COMMAND, and ends as it does.  THEN, if it is not null, is
   called when there is a profile.  It returns only for a wrong command line. */
enum command_result record_command (const struct command *command, int argc, char **argv,
                                    void (*then) (const struct record_options *),
                                    struct error *err);

#endif
