/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "collect/streams/samples_read.h"
#include "collect/streams/watched_pack.h"

static bool
no_memory (struct samples_file *f, const struct chunks *c)
{
  return chunks_damaged (c, "out of memory", &f->why);
}

/* Bounds all times, so that sums do not overflow.  In an ordered list the last time is checked. */
static bool
is_time (uint64_t time)
{
  return time < BBS_TIME_END;
}

static bool
read_switches (struct samples_file *f, const struct chunks *c)
{
  size_t n = 0;
  bool ok = true;
  struct bbs_switch *switches = switches_unpack (c->content.data, c->content.size, &n);
  if (!switches)
    return chunks_damaged (c, "damaged context switches, or no memory for them", &f->why);
  if (n > 0 && !is_time (switches[n - 1].time))
    return free (switches),
           chunks_damaged (c, "damaged context switches: impossible time", &f->why);
  for (size_t i = 0; ok && i < n; i++)
    ok = watched_add_switch (&f->watched, &switches[i]);
  free (switches);
  return ok || no_memory (f, c);
}

static bool
read_looks (struct samples_file *f, const struct chunks *c)
{
  size_t n = 0;
  bool ok = true;
  struct bbs_look *looks = polls_unpack (c->content.data, c->content.size, &n);
  if (!looks)
    return chunks_damaged (c, "damaged polls of threads, or no memory for them", &f->why);
  if (n > 0 && !is_time (looks[n - 1].time))
    return free (looks), chunks_damaged (c, "damaged polls of threads: impossible time", &f->why);
  f->looks_of_chunk = 0;
  for (size_t i = 0; ok && i < n; i++)
    {
      ok = watched_add_look (&f->watched, &looks[i]);
      f->looks_of_chunk += ok;
    }
  free (looks);
  return ok || no_memory (f, c);
}

/* Reads the locks of the polls in the chunk before. */
static bool
read_locks (struct samples_file *f, const struct chunks *c)
{
  const size_t n = f->looks_of_chunk;
  struct bbs_look *looks = n > 0 ? f->watched.looks + (f->watched.nlooks - n) : NULL;
  f->looks_of_chunk = 0;
  return locks_unpack (c->content.data, c->content.size, looks, n)
         || chunks_damaged (c, "damaged locks of threads, or no memory for them", &f->why);
}

static bool
read_names (struct samples_file *f, const struct chunks *c)
{
  struct bbs_name name;
  if (c->content.size % sizeof name != 0)
    return chunks_damaged (c, "damaged names of threads", &f->why);
  for (size_t i = 0; i < c->content.size; i += sizeof name)
    {
      memcpy (&name, c->content.data + i, sizeof name);
      name.name[sizeof name.name - 1] = '\0';
      if (!is_time (name.time))
        return chunks_damaged (c, "damaged names of threads: impossible time", &f->why);
      if (!watched_add_name (&f->watched, name.time, name.tid, name.name))
        return no_memory (f, c);
    }
  return true;
}

static bool
read_marks (struct samples_file *f, const struct chunks *c)
{
  struct bbs_mark mark;
  if (c->content.size % sizeof mark != 0)
    return chunks_damaged (c, "damaged markers", &f->why);
  for (size_t i = 0; i < c->content.size; i += sizeof mark)
    {
      memcpy (&mark, c->content.data + i, sizeof mark);
      mark.text[sizeof mark.text - 1] = '\0';
      if (!is_time (mark.time))
        return chunks_damaged (c, "damaged markers: impossible time", &f->why);
      if (!watched_add_mark (&f->watched, &mark))
        return no_memory (f, c);
    }
  return true;
}

static bool
read_mpi_calls (struct samples_file *f, const struct chunks *c)
{
  size_t n = 0;
  bool ok = true;
  struct bbs_mpi_call *calls = mpi_calls_unpack (c->content.data, c->content.size, &n);
  if (!calls)
    return chunks_damaged (c, "damaged calls of MPI, or no memory for them", &f->why);
  for (size_t i = 0; ok && i < n; i++)
    ok = watched_add_mpi_call (&f->watched, &calls[i]);
  free (calls);
  return ok || no_memory (f, c);
}

static bool
read_waits (struct samples_file *f, const struct chunks *c)
{
  struct bbs_wait wait;
  for (size_t i = 0; i + sizeof wait <= c->content.size && f->nwaits < BBS_WAITS; i += sizeof wait)
    {
      memcpy (&wait, c->content.data + i, sizeof wait);
      if (wait.from > wait.to || wait.to > BBS_TIME_END)
        return chunks_damaged (c, "damaged record of waits for the writer: impossible time",
                               &f->why);
      f->waits[f->nwaits++] = wait;
    }
  return true;
}

/* A second chunk changes how the threads were watched, but the time of the first one remains. */
static bool
read_watch (struct samples_file *f, const struct chunks *c)
{
  struct bbs_watch watch;
  const uint64_t since = f->watch.how ? f->watch.time : UINT64_MAX;
  if (c->content.size < sizeof watch)
    return chunks_damaged (c, "damaged record of how threads were watched", &f->why);
  memcpy (&watch, c->content.data, sizeof watch);
  if (watch.how > BBS_BY_POLLS || watch.reasons > BBS_REASONS_SYSCALL || !is_time (watch.time))
    return chunks_damaged (c, "damaged record of how threads were watched", &f->why);
  const char *why = (const char *) c->content.data + sizeof watch;
  if (watch.how == BBS_BY_NOTHING)
    {
      free (f->unwatched);
      f->unwatched = strndup (why, c->content.size - sizeof watch);
      return f->unwatched || no_memory (f, c);
    }
  f->watch = watch;
  f->watch.time = watch.time < since ? watch.time : since;
  return true;
}

bool
watched_read (struct samples_file *f, const struct chunks *c, uint32_t type)
{
  switch (type)
    {
    case BBS_TYPE_WATCH: return read_watch (f, c);
    case BBS_TYPE_SWITCHES: return read_switches (f, c);
    case BBS_TYPE_LOOKS: return read_looks (f, c);
    case BBS_TYPE_LOCKS: return read_locks (f, c);
    case BBS_TYPE_NAMES: return read_names (f, c);
    case BBS_TYPE_MARKS: return read_marks (f, c);
    case BBS_TYPE_MPI_CALLS: return read_mpi_calls (f, c);
    case BBS_TYPE_WAITS: return read_waits (f, c);
    default: return true;
    }
}
