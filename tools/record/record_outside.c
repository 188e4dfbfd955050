/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof record -p: samples processes that run already, until they end, the time is over, or the
   user interrupts it.  Their own course is not changed, and their exit status is not known.
   bbprof record --outside starts a program, and samples it in the same way until it ends. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/outside/outside.h"
#include "common/clock.h"
#include "tools/arguments/thread_choice.h"
#include "tools/program/held_signals.h"
#include "tools/record/record.h"

enum { RATE = 1000, ROUND_MS = 20 };

static bool
is_wanted (uint32_t tid, const char *name, const void *list)
{
  return thread_choice_is (list, name, -1, tid);
}

/* 0: none has arrived. */
static int
take_signal (void)
{
  static const struct timespec none;
  const int number = sigtimedwait (held_signals (), NULL, &none);
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ? number
                                                                                        : 0;
}

/* Until there is a reason to end. */
static void
sample (struct record_run *run)
{
  const struct record_options *o = run->options;
  const uint64_t until = o->seconds > 0 ? clock_now () + (uint64_t) (o->seconds * 1e9) : UINT64_MAX;
  while (outside_take (run->outside, false) && clock_now () < until && !take_signal ())
    outside_wait (run->outside, ROUND_MS);
  outside_take (run->outside, true);
}

/* Until the program ends; its children may live on. */
static void
sample_program (struct record_run *run)
{
  bool ended = false;
  while (!ended)
    {
      outside_wait (run->outside, ROUND_MS);
      ended = record_has_ended (run);
      outside_take (run->outside, ended);
    }
}

/* The name of the profile of P.  Processes and programs behind the first have their pids in the
   name; the NTH program of a process, from 0, also that number. */
static char *
name_profile (const struct record_options *o, const struct process *p, size_t index, unsigned nth)
{
  char *name = NULL;
  const int n = index == 0 ? asprintf (&name, "%s", o->output)
                : nth == 0
                    ? asprintf (&name, "%s.%d", o->output, (int) outside_pid (p))
                    : asprintf (&name, "%s.%d.%u", o->output, (int) outside_pid (p), nth + 1);
  return n < 0 ? NULL : name;
}

/* Programs that the process of P ran before. */
static unsigned
programs_before (const struct outside *outside, const struct process *p)
{
  unsigned n = 0;
  for (const struct process *q = NULL; (q = outside_next (outside, q)) && q != p;)
    n += outside_pid (q) == outside_pid (p);
  return n;
}

/* Writes the profile NAME of P, with the counts that P has made itself. */
static bool
write_one (struct record_run *run, const struct process *p, const char *name, struct error *err)
{
  struct own_counts counts;
  const bool counted = record_read_counts (run, p, &counts);
  const bool good = outside_write (run->outside, p, counted ? &counts : NULL, name, err);
  if (counted)
    own_counts_free (&counts);
  if (good)
    record_embed_times (name);
  run->with_counts |= counted;
  run->overwritten |= record_is_overwritten (run, p, name);
  return good;
}

/* True: the first process has a profile; else ERR says why not.  Others have one if they have
   samples; those that could not be written are reported. */
static bool
write_all (struct record_run *run, struct error *err)
{
  struct error other = { 0 };
  bool ok = false;
  size_t index = 0;
  for (const struct process *p = NULL; (p = outside_next (run->outside, p)); index++)
    {
      if (index > 0 && outside_samples (p) == 0)
        continue;
      char *name = name_profile (run->options, p, index, programs_before (run->outside, p));
      struct error *mine = index == 0 ? err : &other;
      const bool good = name ? write_one (run, p, name, mine) : error_no_memory (mine);
      if (index == 0)
        {
          ok = good;
          run->pid = outside_pid (p);
          if (!run->file)
            run->file = good ? outside_program (p) : "";
        }
      else if (!good)
        error_print ("bbprof record", mine);
      free (name);
    }
  return ok || index > 0 || error_set (err, NULL, ERROR_NO_OFFSET, "no process was sampled");
}

static enum outside_kernel
kernel_of (const struct record_options *o)
{
  return !o->kernel || strcmp (o->kernel, "auto") == 0 ? OUTSIDE_KERNEL_AUTO
         : strcmp (o->kernel, "no") == 0               ? OUTSIDE_KERNEL_NO
                                                       : OUTSIDE_KERNEL_YES;
}

static bool
attach (struct record_run *run, const pid_t *pids, size_t npids, struct error *err)
{
  const struct record_options *o = run->options;
  const struct outside_options options = {
    .pids = pids,
    .npids = npids,
    .rate = o->frequency ? (unsigned) strtoul (o->frequency, NULL, 10) : RATE,
    .starting = o->outside,
    .children = o->children,
    .kernel = kernel_of (o),
    .times = !o->no_times,
    .timeline = o->timeline,
    .wall = o->clock && strcmp (o->clock, "wall") == 0,
    .wants = o->threads ? is_wanted : NULL,
    .data = o->threads,
  };
  run->outside = outside_open (&options, err);
  return run->outside;
}

/* A line for each process of which stacks are cut for lack of rights. */
static void
tell_cuts (const struct outside *outside)
{
  struct error why;
  for (const struct process *p = NULL; (p = outside_next (outside, p));)
    if (outside_is_cut (p, &why))
      record_tell_line (why.text);
}

/* Samples by BODY, which waits for the end, and writes the profiles. */
static bool
record_all (struct record_run *run, void (*body) (struct record_run *), struct error *err)
{
  const uint64_t begun = clock_now (), used = clock_used ();
  body (run);
  run->own_share = (double) (clock_used () - used) / (double) (clock_now () - begun);
  const bool ok = write_all (run, err);
  if (ok)
    {
      record_retire_old (run);
      if (!run->options->quiet)
        {
          record_tell (run, run->options->output, 1);
          tell_cuts (run->outside);
        }
    }
  outside_close (run->outside);
  record_free_counts (run);
  return ok;
}

static bool
attach_to_program (struct record_run *run, struct error *err)
{
  return attach (run, &run->pid, 1, err);
}

bool
record_from_outside (struct record_run *run, int *status, struct error *err)
{
  run->before = attach_to_program;
  if (!record_start (run, status, err))
    return false;
  *status = 0;
  return record_all (run, sample_program, err);
}

/* The name of the output, after the first process. */
static bool
expand_output (struct record_options *o, struct error *err)
{
  char link[64], file[PATH_MAX];
  snprintf (link, sizeof link, "/proc/%d/exe", (int) o->pids[0]);
  const ssize_t n = readlink (link, file, sizeof file - 1);
  file[n > 0 ? n : 0] = '\0';
  return record_expand_output (o, link, file, err);
}

bool
record_outside (struct record_options *o, struct error *err)
{
  if (!expand_output (o, err) || !record_check_outputs (o, err))
    return false;
  struct record_run run = { .options = o, .output = o->output };
  record_hold_signals ();
  record_keep_old (&run);
  struct timespec now;
  clock_gettime (CLOCK_REALTIME, &now);
  run.started = (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
  const bool ok = attach (&run, o->pids, o->npids, err)
                  && record_begin_counts (&run, o->pids, o->npids, err)
                  && record_all (&run, sample, err);
  record_bring_old_back (&run); /* does nothing if there is a profile */
  record_clear_times (o->output);
  return ok;
}
