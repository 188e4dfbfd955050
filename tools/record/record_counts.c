/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of instrumented processes for their profiles from outside: a process writes its own
   profile, on request or at its end, and the counts are read from that.  Those of the beginning are
   taken away. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/program/control_request.h"
#include "tools/program/library_note.h"
#include "tools/record/record.h"

/* A line with the reason why the profile of process PID has only samples. */
static void
complain (pid_t pid, const struct error *err)
{
  struct error all;
  error_set (&all, err->file, ERROR_NO_OFFSET, "no counts of process %d: %s", (int) pid, err->text);
  error_print ("bbprof record", &all);
}

/* The profile that process PID writes on request; null: it has no counts, or does not answer, which
   is reported. */
static char *
written_by (pid_t pid)
{
  static const char words[] = "written: ";
  char answer[CONTROL_ANSWER];
  struct error err;
  const enum library_presence library = library_in_process (pid, pid);
  if (library == LIBRARY_ABSENT || library == LIBRARY_UNKNOWN)
    return NULL;
  if (!control_request (pid, BBC_DUMP, answer, &err))
    {
      complain (pid, &err);
      return NULL;
    }
  const char *found = strstr (answer, words);
  return found ? strdup (found + strlen (words)) : NULL;
}

/* Reads the counts of process PID from its profile NAME.  The process may be replacing it, with its
   last one, so there are several tries.  REPORT: a profile that cannot be read is reported. */
static bool
read_profile (pid_t pid, const char *name, bool report, struct own_counts *counts)
{
  enum { TRIES = 5, PAUSE_MS = 20 };
  struct error err;
  for (int tries = report ? TRIES : 1;; poll (NULL, 0, PAUSE_MS))
    {
      if (own_counts_read (counts, pid, name, &err))
        return true;
      const bool last = --tries == 0;
      if (last && report)
        complain (pid, &err);
      own_counts_free (counts);
      if (last)
        return false;
    }
}

/* The same for a process that probably lives, and may have other file systems than this one. */
static bool
read_of_living (pid_t pid, const char *name, struct own_counts *counts)
{
  char *path;
  if (asprintf (&path, "/proc/%d/root%s", (int) pid, name) < 0)
    return false;
  const bool good = read_profile (pid, access (path, F_OK) == 0 ? path : name, true, counts);
  free (path);
  return good;
}

static void
begin (struct own_profile *own)
{
  own->name = written_by (own->pid);
  own->counted = own->name && read_of_living (own->pid, own->name, &own->before);
}

bool
record_begin_counts (struct record_run *run, const pid_t *pids, size_t npids, struct error *err)
{
  run->own_profiles = calloc (npids, sizeof *run->own_profiles);
  if (!run->own_profiles)
    return error_no_memory (err);
  for (size_t i = 0; i < npids; i++)
    {
      run->own_profiles[i].pid = pids[i];
      begin (&run->own_profiles[run->nown++]);
    }
  return true;
}

static struct own_profile *
find (const struct record_run *run, pid_t pid)
{
  for (size_t i = 0; i < run->nown; i++)
    if (run->own_profiles[i].pid == pid)
      return &run->own_profiles[i];
  return NULL;
}

/* What P has counted up to now, or up to its end. */
static bool
read_now (const struct record_run *run, const struct own_profile *own, const struct process *p,
          struct own_counts *counts)
{
  const pid_t pid = outside_pid (p);
  /* A program that this command started was not asked; its profile would be replaced. */
  if (!own)
    return read_profile (pid, run->output, false, counts);
  if (!own->name)
    return false;
  if (!outside_runs (p))
    return read_profile (pid, own->name, true, counts);
  char *name = written_by (pid);
  const bool good = name && read_of_living (pid, name, counts);
  free (name);
  return good;
}

bool
record_read_counts (const struct record_run *run, const struct process *p,
                    struct own_counts *counts)
{
  const struct own_profile *own = find (run, outside_pid (p));
  struct error err;
  if (!read_now (run, own, p, counts))
    return false;
  bool good = !own || !own->counted || own_counts_subtract (counts, &own->before)
              || error_no_memory (&err);
  good = good && own_counts_place (counts, p, &err);
  if (!good)
    {
      complain (outside_pid (p), &err);
      own_counts_free (counts);
    }
  return good;
}

/* Will a process that still runs replace the file OUTPUT by its own profile? */
bool
record_is_overwritten (const struct record_run *run, const struct process *p, const char *output)
{
  const struct own_profile *own = find (run, outside_pid (p));
  if (!own || !own->name || !outside_runs (p))
    return false;
  char *mine = realpath (output, NULL), *its = realpath (own->name, NULL);
  const bool same = mine && its && strcmp (mine, its) == 0;
  free (mine);
  free (its);
  return same;
}

void
record_free_counts (struct record_run *run)
{
  for (size_t i = 0; i < run->nown; i++)
    {
      if (run->own_profiles[i].counted)
        own_counts_free (&run->own_profiles[i].before);
      free (run->own_profiles[i].name);
    }
  free (run->own_profiles);
}
