/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/streams/chunks.h"
#include "collect/streams/samples_pack.h"
#include "collect/streams/samples_read.h"
#include "common/array.h"

/* There are few threads, and mostly the chunks of a thread follow each other. */
static struct samples_thread *
find_thread (struct samples_file *f, uint32_t number)
{
  size_t before = ARRAY_BEFORE (i, f->nthreads, f->threads[i].number < number);
  if (before < f->nthreads && f->threads[before].number == number)
    return &f->threads[before];
  if (!array_grow (&f->threads, f->nthreads, &f->room_threads, sizeof *f->threads))
    return NULL;
  memmove (&f->threads[before + 1], &f->threads[before],
           (f->nthreads++ - before) * sizeof *f->threads);
  f->threads[before] = (struct samples_thread) { .number = number };
  return &f->threads[before];
}

static bool
add_samples (struct samples_thread *t, const struct bbs_sample *samples, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      if (!array_grow (&t->samples, t->n, &t->room, sizeof *t->samples))
        return false;
      t->samples[t->n++] = samples[i];
    }
  return true;
}

/* Keeps the flags for the samples of the next chunk. */
static bool
keep_flags (struct samples_file *f, const struct chunks *c)
{
  struct bbs_flags head;
  free (f->flags);
  if (!samples_unpack_flags (c->content.data, c->content.size, &head, &f->flags))
    return chunks_damaged (c, "damaged flags of samples, or no memory for them", &f->why);
  f->nflags = head.n;
  return true;
}

static void
take_flags (struct samples_file *f, struct bbs_sample *samples, size_t n)
{
  for (size_t i = 0; i < n && f->nflags == n; i++)
    samples[i].flags = f->flags[i];
  f->nflags = 0;
}

static bool
add_chunk (struct samples_file *f, const struct chunks *c)
{
  struct bbs_samples head;
  struct bbs_sample *samples;
  if (!samples_unpack (c->content.data, c->content.size, &head, &samples))
    return chunks_damaged (c, "damaged samples, or no memory for them", &f->why);
  take_flags (f, samples, head.n);
  struct samples_thread *thread = find_thread (f, head.thread);
  bool ok = thread && add_samples (thread, samples, head.n);
  free (samples);
  if (!ok)
    return chunks_damaged (c, "out of memory", &f->why);
  thread->lost += head.lost;
  return true;
}

/* Samples are in order but for one case: while a sleeping thread is sampled by another one, it
   may take a sample itself. */
static bool
put_in_order (struct samples_thread *t)
{
  for (size_t i = 1; i < t->n; i++)
    if (t->samples[i].time < t->samples[i - 1].time)
      return array_sort_by_number (t->samples, t->n, sizeof *t->samples,
                                   offsetof (struct bbs_sample, time));
  return true;
}

static bool
read_chunk (struct samples_file *f, struct chunks *c, bool *ended)
{
  struct bbx_chunk chunk;
  if (!chunks_next (c, &chunk, &f->why))
    return false;
  *ended = chunk.type == BBX_TYPE_END;
  if (chunk.type == BBS_TYPE_SAMPLES)
    return add_chunk (f, c);
  if (chunk.type == BBS_TYPE_FLAGS)
    return keep_flags (f, c);
  if (chunk.type == BBX_TYPE_LOSSES)
    return chunks_losses (c, &f->losses, &f->nlosses, &f->why);
  return watched_read (f, c, chunk.type);
}

char *
samples_file_name (const char *profile)
{
  char *name;
  if (asprintf (&name, "%s" BBS_SUFFIX, profile) < 0)
    return NULL;
  if (access (name, F_OK) == 0 || errno != ENOENT)
    return name;
  free (name);
  return asprintf (&name, "%s" BBX_SUFFIX, profile) < 0 ? NULL : name;
}

static bool
is_sidecar (const char *name)
{
  const size_t n = strlen (name), suffix = sizeof BBX_SUFFIX - 1;
  return n > suffix && strcmp (name + n - suffix, BBX_SUFFIX) == 0;
}

bool
samples_chunks_open (struct chunks *c, const char *name, struct error *err)
{
  static const char what[] = "file of samples";
  return is_sidecar (name)
             ? chunks_open_inside (c, name, BBX_TYPE_STREAM, what, BBS_FILE_MAGIC, BBS_VERSION, err)
             : chunks_open (c, name, what, BBS_FILE_MAGIC, BBS_VERSION, err);
}

bool
samples_file_open (struct samples_file *f, const char *name, struct error *err)
{
  struct chunks c;
  *f = (struct samples_file) { .name = name };
  bool ok = samples_chunks_open (&c, name, err);
  if (ok)
    {
      bool ended = false;
      f->run = c.header.run;
      f->whole = true;
      while (f->whole && !ended)
        f->whole = read_chunk (f, &c, &ended);
      f->torn = !f->whole && c.torn;
      for (size_t i = 0; ok && i < f->nthreads; i++)
        ok = put_in_order (&f->threads[i]) || error_no_memory (err);
      ok = ok && (watched_sort (&f->watched) || error_no_memory (err));
    }
  chunks_close (&c);
  return ok;
}

void
samples_file_close (struct samples_file *f)
{
  for (size_t i = 0; i < f->nthreads; i++)
    free (f->threads[i].samples);
  free (f->threads);
  free (f->flags);
  free (f->losses);
  free (f->unwatched);
  watched_free (&f->watched);
  *f = (struct samples_file) { .name = NULL };
}
