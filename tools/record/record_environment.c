/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment for the run-time library: LD_PRELOAD, and BBPROF_OPTIONS with this command's
   options, "::", and the user's options.  The library removes both again
   (runtime/base/environment.c).  New variables are put first, so that the others keep their
   order. */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/bbprof-samples.h"
#include "tools/program/part.h"
#include "tools/record/record.h"

enum { MOST_VALUE = 1000 }; /* of one option: less than BBP_OPTION_TEXT */

static const char preload[] = "LD_PRELOAD=", options_name[] = "BBPROF_OPTIONS=";

const char *
record_find_library (struct error *err)
{
  const char *path = getenv ("BBPROF_LIBRARY");
  if (!path)
    path = part_beside ("/../runtime/libbbprof.so");
  if (!path)
    path = BBP_LIBRARY;
  if (access (path, R_OK) != 0)
    return error_set (err, path, ERROR_NO_OFFSET,
                      "the run-time library is not there (BBPROF_LIBRARY names another)"),
           NULL;
  if (strpbrk (path, ": $"))
    return error_set (err, path, ERROR_NO_OFFSET, "the loader cannot preload a file of that name"),
           NULL;
  return path;
}

static bool
check (const char *what, const char *value, struct error *err)
{
  if (!value || (*value && strlen (value) < MOST_VALUE && !strpbrk (value, ":\"")))
    return true;
  return error_set (err, NULL, ERROR_NO_OFFSET,
                    "%s: '%s' is empty, too long, or has a colon or quotation mark in it", what,
                    value);
}

bool
record_check_options (const struct record_options *o, struct error *err)
{
  return check ("--output", o->output, err) && check ("--sampler", o->sampler, err)
         && check ("--clock", o->clock, err) && check ("--threads", o->threads, err)
         && check ("--frequency", o->frequency, err) && check ("--signal", o->signal, err);
}

static void
put (FILE *out, const char *key, const char *value)
{
  if (value)
    fprintf (out, ":%s=%s", key, value);
}

/* NAME, in which no character is special. */
static void
put_name (FILE *out, const char *key, const char *name)
{
  fprintf (out, ":%s=", key);
  for (; *name; name++)
    fprintf (out, *name == '%' ? "%%%%" : "%c", *name);
}

/* Of a rank.  Its own profile stays if it has a timeline, which no sum has. */
static void
write_rank_options (FILE *out, const struct record_options *o)
{
  char command[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", command, sizeof command - 1);
  command[n > 0 ? n : 0] = '\0';
  put_name (out, "output", o->sum);
  fputs (".rank%r", out);
  put_name (out, "sum", o->sum);
  put (out, "command", *command && !strpbrk (command, ":\"") ? command : NULL);
  put (out, "keep-ranks", o->timeline ? "1" : NULL);
}

/* All options that the library needs.  The profile's name is OUTPUT. */
static void
write_options (FILE *out, const struct record_options *o, const char *output, pid_t pid)
{
  fputs ("record=1", out);
  put (out, "sampler", o->sampler);
  put (out, "clock", o->clock);
  put (out, "rate", o->frequency);
  put (out, "threads", o->threads);
  put (out, "signal", o->signal);
  put (out, "children", o->children ? "1" : NULL);
  put (out, "live", o->live ? "1" : NULL);
  put (out, "stacks", o->no_stacks ? "0" : NULL);
  put (out, "times", o->no_times || o->repeat > 1 || (o->sum && !o->timeline) ? "0" : NULL);
  put (out, "timeline", o->timeline == BBS_TIMELINE_POLLS ? "polls" : o->timeline ? "1" : NULL);
  const char *writer = part_beside ("/../collect/bbprof-writer");
  put (out, "writer", writer && !strpbrk (writer, ":\"") ? writer : NULL);
  put (out, "periodic", o->periodic ? "1" : NULL);
  put (out, "weighted", o->weighted ? "1" : NULL);
  fprintf (out, ":recorder=%ld", (long) getppid ());
  if (o->sum)
    write_rank_options (out, o);
  else
    put_name (out, "output", output);
  fprintf (out, ":process=%ld:image=0", (long) pid);
}

/* NAME=OURS, followed by SEPARATOR and the user's VALUE if there is one; null: no memory. */
static char *
join (const char *name, const char *ours, const char *separator, const char *value)
{
  char *entry;
  return asprintf (&entry, "%s%s%s%s", name, ours, value ? separator : "", value ? value : "") < 0
             ? NULL
             : entry;
}

/* The variable NAME in ENVIRONMENT; if it is missing, the entry in front, so *FIRST moves. */
static char **
place_of (char **environment, char ***first, const char *name)
{
  for (char **e = environment; *e; e++)
    if (strncmp (*e, name, strlen (name)) == 0)
      return e;
  *--*first = NULL;
  return *first;
}

static bool
set (char **environment, char ***first, const char *name, const char *ours, const char *separator)
{
  char **place = place_of (environment, first, name);
  *place = join (name, ours, separator, *place ? *place + strlen (name) : NULL);
  return *place;
}

char **
record_environment (const struct record_options *o, const char *library, const char *output,
                    pid_t pid)
{
  enum { NEW = 2 };
  size_t n = 0, size;
  while (environ[n])
    n++;
  char **all = calloc (NEW + n + 1, sizeof *all), *ours = NULL;
  FILE *out = open_memstream (&ours, &size);
  if (!all || !out)
    return NULL;
  write_options (out, o, output, pid);
  if (fclose (out) != 0)
    return NULL;
  memcpy (all + NEW, environ, n * sizeof *all);
  char **first = all + NEW;
  if (!set (all + NEW, &first, options_name, ours, "::")
      || !set (all + NEW, &first, preload, library, ":"))
    return NULL;
  return first;
}
