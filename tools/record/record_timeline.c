/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports on the requested timeline: how the threads were watched, as the file beside the
   profile says.  The file does not need the profile, and is complete even if the program is
   killed, when the writer has finished. */
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

/* Reads up to the chunk that says how the threads were watched.  TEXT: why they could not be. */
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
    fputs ("bbprof timeline shows which thread ran when", out);
  if (watch->how == BBS_BY_POLLS && watch->refused)
    fprintf (out, ", by polling /proc: events are refused (%s; see bbprof doctor)",
             strerror ((int) watch->refused));
}

/* True if the last chunk of NAME is the end marker. */
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
  /* waits, of 5 ms: until the file exists, and until it is complete */
  enum { APPEARS = 100, ENDS = 500 };
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
