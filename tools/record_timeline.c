/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of the timeline that was asked for: how it could be watched, as the file beside the profile says. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "runtime/bbprof-samples.h"
#include "trace/chunks.h"

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
  snprintf (text, size, "%.*s", (int) (c->content.size - sizeof *watch), (const char *) c->content.data + sizeof *watch);
  return true;
}

static void
tell (const struct bbs_watch *watch, const char *text)
{
  if (watch->how == BBS_BY_NOTHING)
    fprintf (stderr, "; no timeline: %s", text);
  else
    fputs ("; bbprof timeline shows who ran when", stderr);
  if (watch->how == BBS_BY_POLLS && watch->refused)
    fprintf (stderr, ", by looks at /proc: events are refused (%s; see bbprof doctor)", strerror ((int) watch->refused));
}

void
record_tell_timeline (const char *profile)
{
  struct chunks c;
  struct bbs_watch watch;
  struct error none;
  char *name, text[200];
  if (asprintf (&name, "%s.bbs", profile) < 0)
    return;
  if (chunks_open (&c, name, "file of samples", BBS_FILE_MAGIC, BBS_VERSION, &none) && find_watch (&c, &watch, text, sizeof text))
    tell (&watch, text);
  else
    fputs ("; no timeline was written", stderr);
  chunks_close (&c);
  free (name);
}
