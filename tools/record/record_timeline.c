/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the timeline that was asked for: how it could be watched, as the file beside
   the profile says.  It does not need the profile, and nothing of it is lost with a program that
   is killed, when its writer has come to the end. */
#include "config.h"

#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/streams/samples_read.h"
#include "include/bbprof-samples.h"
#include "tools/record/record.h"

/* Up to the chunk that says it: how, and, where nobody could watch, in TEXT why. */
static bool
find_watch (struct chunks *c, struct bbs_watch *watch, char *text, size_t size)
{
  struct bbx_chunk chunk;
  struct error damaged;
  do
    if (!chunks_next (c, &chunk, &damaged) || chunk.type == BBX_TYPE_END)
      return false;
  while (chunk.type != BBS_TYPE_WATCH || c->content.size < sizeof *watch);
  memcpy (watch, c->content.data, sizeof *watch);
  snprintf (text, size, "%.*s", (int) (c->content.size - sizeof *watch),
            (const char *) c->content.data + sizeof *watch);
  return true;
}

static void
tell (FILE *out, const struct bbs_watch *watch, const char *text)
{
  if (watch->how == BBS_BY_NOTHING)
    fprintf (out, "no timeline: %s", text);
  else
    fputs ("bbprof timeline shows who ran when", out);
  if (watch->how == BBS_BY_POLLS && watch->refused)
    fprintf (out, ", by looks at /proc: events are refused (%s; see bbprof doctor)",
             strerror ((int) watch->refused));
}

/* The last chunk of NAME says that nothing comes any more. */
static bool
is_whole (const char *name)
{
  struct bbx_chunk last = { 0 };
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  off_t size = fd >= 0 ? lseek (fd, 0, SEEK_END) : 0;
  bool whole = size > (off_t) sizeof last
               && pread (fd, &last, sizeof last, size - (off_t) sizeof last) == sizeof last
               && last.type == BBX_TYPE_END;
  if (fd >= 0)
    close (fd);
  return whole;
}

bool
record_secure_timeline (const struct record_run *run)
{
  enum { APPEARS = 100, ENDS = 500 }; /* moments, until it is there, and until it is whole */
  static const struct timespec moment = { .tv_nsec = 5000000 };
  char *name;
  bool there = false;
  if (asprintf (&name, "%s.bbs", run->output) < 0)
    return false;
  for (int i = 0; i < (there ? ENDS : APPEARS) && !(there && is_whole (name)); i++)
    {
      if (i > 0)
        nanosleep (&moment, NULL);
      there = record_is_since (name, run);
    }
  free (name);
  return there;
}

void
record_tell_timeline (FILE *out, const struct record_run *run)
{
  struct chunks c;
  struct bbs_watch watch;
  struct error none;
  char *name, text[200];
  if (!(name = samples_file_name (run->output)))
    return;
  if (samples_chunks_open (&c, name, &none) && find_watch (&c, &watch, text, sizeof text))
    tell (out, &watch, text);
  else
    fputs ("no timeline was written", out);
  chunks_close (&c);
  free (name);
}
