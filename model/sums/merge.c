/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/gmon_write.h"
#include "model/files/output_pair.h"
#include "model/sums/merge.h"

void
merge_init (struct merge *m)
{
  memset (m, 0, sizeof *m);
  bbx_sum_init (&m->sidecar);
  m->shape = gmon_shape_unknown ();
  m->profile.exact_callers = true;
}

void
merge_free (struct merge *m)
{
  profile_free (&m->profile);
  bbx_sum_free (&m->sidecar);
}

/* Adding. */

/* Without its whole sidecar the meaning of a profile's addresses is unknown. */
static bool
read_sidecar (struct bbx *x, const struct gmon_file *f, struct error *err)
{
  if (f->run == 0)
    return true;
  bbx_read (x, f->name, f->run, f->moment);
  if (x->state == BBX_WHOLE)
    return true;
  return error_set (err, f->name, ERROR_NO_OFFSET, "its sidecar (.bbx) cannot be used: %.160s",
                    x->why.text);
}

static void
move_profile (struct profile *p, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < p->nhistograms; i++)
    {
      struct histogram *h = &p->histograms[i];
      const struct gmon_move *move = gmon_find_move (moves, h->low, h->high);
      h->low += move ? move->distance : 0;
      h->high += move ? move->distance : 0;
    }
  for (size_t i = 0; i < p->ncalls; i++)
    {
      p->calls[i].from = gmon_moved (moves, p->calls[i].from);
      p->calls[i].self = gmon_moved (moves, p->calls[i].self);
    }
  for (size_t i = 0; i < p->nexecutions; i++)
    p->executions[i].address = gmon_moved (moves, p->executions[i].address);
  profile_disorder (p);
}

/* Reads the open profile, and moves it to the places of the sum. */
static bool
read_one (struct merge *m, struct gmon_file *f, struct merge_one *one, struct gmon_moves *moves,
          struct error *err)
{
  return bbx_sum_place (&m->sidecar, &one->sidecar, f->name, moves, err)
         && gmon_read (&one->profile, f, &m->shape, moves, err)
         && (profile_finish (&one->profile) || error_no_memory (err));
}

/* The same for a profile of another build of the program. */
static bool
join_one (struct merge *m, struct gmon_file *f, struct merge_one *one, struct gmon_moves *moves,
          struct error *err)
{
  const struct gmon_moves none = { NULL, 0 };
  if (!gmon_read (&one->profile, f, &m->shape, &none, err))
    return false;
  if (!profile_finish (&one->profile))
    return error_no_memory (err);
  if (!m->joiner->join (m->joiner, bbx_sum_executable (&m->sidecar), &m->profile, one, err)
      || !bbx_sum_place (&m->sidecar, &one->sidecar, f->name, moves, err))
    return false;
  move_profile (&one->profile, moves);
  return profile_finish (&one->profile) || error_no_memory (err);
}

static bool
add_profile (struct merge *m, struct merge_one *one, struct error *err)
{
  if (profile_fits (&m->profile, &one->profile, err))
    return profile_add_profile (&m->profile, &one->profile) || error_no_memory (err);
  err->file = one->name;
  return false;
}

/* Adds the counts of an own rank, or takes those of a sum. */
static bool
add_counts (struct merge *m, struct merge_one *one, struct error *err)
{
  return (sum_ranks_take_counts (&one->sidecar.ranks, &one->profile) || error_no_memory (err))
         && add_profile (m, one, err);
}

/* Leaves in P the histograms of the code of O, without counts. */
static void
keep_bins (struct profile *p, const struct bbx_object *o)
{
  size_t kept = 0;
  for (size_t i = 0; i < p->nhistograms; i++)
    if (p->histograms[i].low < o->end && p->histograms[i].high > o->start)
      {
        p->histograms[kept] = p->histograms[i];
        p->histograms[kept++].nfilled = 0;
      }
    else
      free (p->histograms[i].bins);
  p->nhistograms = kept;
  p->ncalls = p->nexecutions = 0;
  p->has_calls = p->has_executions = false;
}

bool
merge_choose (struct merge *m, const char *name, struct error *err)
{
  const struct gmon_moves none = { NULL, 0 };
  struct gmon_file f;
  struct merge_one one = { .name = name, .sidecar.state = BBX_NONE };
  bool ok = gmon_open (&f, name, &m->shape, err) && read_sidecar (&one.sidecar, &f, err);
  if (ok && one.sidecar.nobjects > 0)
    {
      ok = gmon_read (&one.profile, &f, &m->shape, &none, err);
      if (ok)
        keep_bins (&one.profile, &one.sidecar.objects[0].fixed);
      ok = ok
           && ((bbx_sum_choose (&m->sidecar, &one.sidecar, name)
                && profile_add_profile (&m->profile, &one.profile))
               || error_no_memory (err));
    }
  gmon_close (&f);
  profile_free (&one.profile);
  bbx_free (&one.sidecar);
  return ok;
}

bool
merge_has_build (const struct merge *m)
{
  return bbx_sum_executable (&m->sidecar);
}

bool
merge_add (struct merge *m, const char *name, struct error *err)
{
  struct gmon_file f;
  struct merge_one one = { .name = name, .sidecar.state = BBX_NONE };
  struct bbx *x = &one.sidecar;
  struct gmon_moves moves = { 0 };
  size_t kept = m->sidecar.nothers;
  bool ok = gmon_open (&f, name, &m->shape, err) && read_sidecar (x, &f, err);
  one.profile.exact_callers = ok && f.exact_callers;
  ok = ok
       && (m->joiner && bbx_sum_is_other_build (&m->sidecar, x)
               ? join_one (m, &f, &one, &moves, err)
               : read_one (m, &f, &one, &moves, err));
  const bool is_sum = x->ranks.n > 0 && x->ranks.all->fixed.flags & BBX_RANK_COUNTS;
  ok = ok && add_counts (m, &one, err);
  if (!ok)
    bbx_sum_forget (&m->sidecar, kept);
  else
    m->profile.exact_callers &= f.exact_callers;
  if (ok)
    ok = (bbx_sum_take (&m->sidecar, x, f.run, &moves)
          && sum_ranks_add (&m->sidecar.ranks, &x->ranks, &moves, !is_sum))
         || error_no_memory (err);
  gmon_close (&f);
  profile_free (&one.profile);
  free (moves.moves);
  bbx_free (x);
  return ok;
}

/* Writing. */

static int
compare_histograms (const void *a, const void *b, void *context)
{
  const struct histogram *x = a, *y = b;
  (void) context;
  return x->low < y->low ? -1 : x->low > y->low;
}

static bool
finish (struct merge *m)
{
  struct profile *p = &m->profile;
  struct gmon_moves moves = { 0 };
  bool ok = bbx_sum_finish (&m->sidecar, &moves);
  if (ok)
    {
      move_profile (p, &moves);
      ok = profile_finish (p)
           && array_sort (p->histograms, p->nhistograms, sizeof *p->histograms, compare_histograms,
                          NULL);
    }
  free (moves.moves);
  return ok;
}

static void
write_profile (struct merge *m, struct output *o)
{
  const struct profile *p = &m->profile;
  struct gmon_writer w = { .output = o, .shape = &m->shape };
  gmon_write_header (&w, m->sidecar.run, m->profile.exact_callers);
  for (size_t i = 0; i < p->nhistograms; i++)
    gmon_write_histogram (&w, p, &p->histograms[i]);
  for (size_t i = 0; i < p->ncalls; i++)
    gmon_write_call (&w, p->calls[i].from, p->calls[i].self, p->calls[i].count);
  if (p->has_executions)
    gmon_write_executions (&w, p->executions, p->nexecutions);
}

bool
merge_write (struct merge *m, const char *file, struct error *err)
{
  struct output_pair pair;
  bool has_sidecar = m->sidecar.run != 0;
  if (!finish (m))
    return error_no_memory (err);
  bool ok = output_pair_open (&pair, file, has_sidecar, err);
  if (ok)
    {
      write_profile (m, &pair.profile);
      ok = (!has_sidecar || bbx_sum_write (&m->sidecar, &pair.sidecar) || error_no_memory (err))
           && output_pair_publish (&pair, err);
    }
  output_pair_close (&pair);
  return ok;
}
