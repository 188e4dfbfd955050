/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record and bbprof run from the command line to the end: the order of the steps. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/visible.h"
#include "tools/program/library_file.h"
#include "tools/record/record.h"

/* STATUS 0: the program ran and ends as it ended; there is no profile for another reason. */
static enum command_result
end (struct record_run *run, int *status, bool *profile, bool ok, struct error *err)
{
  const bool started = ok || !*status,
             timeline = !ok && started && run->options->timeline && record_secure_timeline (run);
  *profile = ok || timeline;
  if (timeline)
    record_retire_old (run);
  else
    record_bring_old_back (run); /* does nothing if there is a profile */
  if (!timeline)
    record_clear_times (run->options->output);
  if (!started)
    return COMMAND_FAILED;
  if (!ok)
    error_print ("bbprof record", err);
  if (timeline && !run->options->quiet)
    {
      fprintf (stderr, "bbprof record: %s.bbs: ", visible (run->options->output));
      record_tell_timeline (stderr, run);
      fputc ('\n', stderr);
    }
  *status = run->status;
  return COMMAND_DONE;
}

/* The same for a rank whose profile is part of the sum, of which rank 0 speaks. */
static enum command_result
end_summed (struct record_run *run, struct record_options *o, int *status, bool *profile)
{
  record_clear_times (o->output);
  o->output = o->sum;
  *profile = o->rank == 0;
  if (*profile && !o->quiet)
    record_tell (run, o->sum, 1);
  *status = run->status;
  return COMMAND_DONE;
}

/* Everything up to the profile.  COMMAND_DONE: *STATUS is the program's, as waitpid returns it;
   *PROFILE: whether there is a profile.  Otherwise ERR says why nothing was run, and *STATUS is
   the exit status. */
static enum command_result
run_all (struct record_options *o, int *status, bool *profile, struct error *err)
{
  struct record_run run = { .options = o, .output = o->output };
  const char *executed;
  *status = EXIT_FAILURE;
  if (!record_check_options (o, err))
    return COMMAND_FAILED;
  run.library = o->outside ? NULL : library_file (err);
  run.file = run.library || o->outside
                 ? record_find_program (o->argv[0], o->outside, &executed, status, err)
                 : NULL;
  if (!run.file)
    return COMMAND_FAILED;
  if (!record_expand_output (o, executed, o->argv[0], err) || !record_check_outputs (o, err))
    return COMMAND_FAILED;
  run.output = o->output;
  if (run.library)
    {
      run.library = record_add_providers (run.file, run.library, o->languages, err);
      if (!run.library)
        return COMMAND_FAILED;
      if (!record_add_shim (o, run.file, &run.library, err))
        return COMMAND_FAILED;
      run.output = o->output;
      run.library = record_preloads (run.file, run.library);
    }
  record_hold_signals ();
  if (!o->sum)
    record_keep_old (&run);
  if (o->repeat > 1)
    {
      bool ok = record_repeat (&run, status, err);
      return end (&run, status, profile, ok, err);
    }
  if (o->outside)
    {
      bool ok = record_from_outside (&run, status, err);
      return end (&run, status, profile, ok, err);
    }
  if (!record_start (&run, status, err))
    return end (&run, status, profile, false, err);
  record_wait (&run);
  *status = 0;
  bool ok = record_secure (&run, err);
  if (!ok && record_is_summed (&run))
    return end_summed (&run, o, status, profile);
  if (ok)
    record_retire_old (&run);
  ok = ok && (!o->raw || record_write_raw (o, err)); /* of addresses as in the process */
  if (ok && o->timeline && WIFSIGNALED (run.status))
    record_secure_timeline (&run);
  record_embed_times (o->output);
  record_visit_others (&run, record_embed_times);
  if (ok && !o->quiet && o->rank == 0)
    record_tell (&run, o->output, 1);
  return end (&run, status, profile, ok, err);
}

enum command_result
record_command (const struct command *command, int argc, char **argv,
                void (*then) (const struct record_options *), struct error *err)
{
  struct record_options o;
  int status;
  bool profile;
  if (!record_parse (&o, command, argc, argv))
    return COMMAND_USAGE;
  if (o.npids > 0)
    {
      if (!record_outside (&o, err))
        return COMMAND_FAILED;
      if (then)
        then (&o);
      return COMMAND_DONE;
    }
  if (run_all (&o, &status, &profile, err) == COMMAND_DONE)
    {
      if (profile && then)
        then (&o);
      record_leave (status);
    }
  error_print (argv[0], err);
  exit (status);
}
