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
  char *writer = part_beside ("/../collect/bbprof-writer");
  put (out, "writer", writer && !strpbrk (writer, ":\"") ? writer : NULL);
  free (writer);
  put (out, "periodic", o->periodic ? "1" : NULL);
  put (out, "weighted", o->weighted ? "1" : NULL);
  fprintf (out, ":recorder=%ld", (long) getppid ());
  if (o->sum)
    write_rank_options (out, o);
  else
    put_name (out, "output", output);
  fprintf (out, ":process=%ld:image=0", (long) pid);
}

/* A variable, with what is put in front of the user's value. */
struct variable {
  const char *name, *ours, *separator;
  char **user; /* in environ; null: there is none */
};

static char **
find_variable (const char *name)
{
  for (char **e = environ; *e; e++)
    if (strncmp (*e, name, strlen (name)) == 0)
      return e;
  return NULL;
}

static const char *
user_value (const struct variable *v)
{
  return v->user ? *v->user + strlen (v->name) : "";
}

static size_t
entry_size (const struct variable *v)
{
  return strlen (v->name) + strlen (v->ours) + strlen (v->separator) + strlen (user_value (v)) + 1;
}

/* Writes the entry to *TEXT, which moves behind it. */
static char *
put_entry (const struct variable *v, char **text)
{
  char *entry = *text;
  *text += 1
           + sprintf (entry, "%s%s%s%s", v->name, v->ours, v->user ? v->separator : "",
                      user_value (v));
  return entry;
}

/* environ with the N variables, in one piece of memory; null: out of memory. */
static char **
make_environment (const struct variable *v, size_t n)
{
  size_t old = 0, bytes = 0, front = 0;
  while (environ[old])
    old++;
  for (size_t i = 0; i < n; i++)
    bytes += entry_size (&v[i]);
  char **all = malloc ((n + old + 1) * sizeof *all + bytes);
  if (!all)
    return NULL;
  char *text = (char *) (all + n + old + 1);
  for (size_t i = 0; i < n; i++)
    if (!v[i].user)
      all[front++] = put_entry (&v[i], &text);
  memcpy (all + front, environ, (old + 1) * sizeof *all);
  for (size_t i = 0; i < n; i++)
    if (v[i].user)
      all[front + (size_t) (v[i].user - environ)] = put_entry (&v[i], &text);
  return all;
}

char **
record_environment (const struct record_options *o, const char *library, const char *output,
                    pid_t pid)
{
  char *ours = NULL;
  size_t size;
  FILE *out = open_memstream (&ours, &size);
  if (!out)
    return NULL;
  write_options (out, o, output, pid);
  char **all = NULL;
  if (fclose (out) == 0)
    {
      const struct variable v[] = { { preload, library, ":", find_variable (preload) },
                                    { options_name, ours, "::", find_variable (options_name) } };
      all = make_environment (v, sizeof v / sizeof *v);
    }
  free (ours);
  return all;
}
