/* SPDX-License-Identifier: MIT */
/* bbprof_function_counts: what functions have done so far, read while threads run.

      No thread pauses.  Counters only grow, and each thread writes its own.  So a sum of
   counters that are read one by one lies between its values at the begin and at the end of the
   reading.  Where entries are a difference of sums, the sum that adds is read first, and the
   result is not greater than the entries were at that moment.  It may be less than the time
   before; then the greater number is still right.  Once no thread runs the function, all is
   exact.  Context: any but inside of the loader. */
#include <errno.h>

#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "runtime/self/known_functions.h"

BBP_PUBLIC int bbprof_function_counts (const int *functions, struct bbprof_counts *counts, int n);

enum { AT_ONCE = 32 }; /* functions; their ranges are on the program's stack */

/* Entries of the function while its object was loaded before. */
static uint64_t
retired_entries (const struct bbp_known_function *f)
{
  const struct bbp_counts *edges = bbp.retired_flow[BBP_EDGES];
  return edges ? bbp_counts_of (edges, 0, f->first_block) : 0;
}

static uint64_t
present_entries (struct bbp_known_function *f)
{
  const struct bbp_module *module = bbp_module_in (f->object);
  if (!module)
    return 0;
  if (f->rebased != bbp.rebased)
    bbp_known_function_rebase (f, module);
  uint64_t plus = bbp_totals_sum (module, f->counters, f->nplus);
  int64_t entries = (int64_t) (plus - bbp_totals_sum (module, f->counters + f->nplus, f->nminus))
                    + f->in_flight;
  if (entries > (int64_t) f->told)
    f->told = (uint64_t) entries;
  return f->told;
}

static struct bbp_range
range_of (const struct bbp_known_function *f)
{
  uintptr_t moved = f->object->bias - f->object->base;
  if (f->object->presence == BBP_UNLOADED)
    return (struct bbp_range) { 0 };
  return (struct bbp_range) { .low = f->start + moved, .high = f->end + moved };
}

/* The time that samples stand for, as in the profile, where they add up to the CPU clock. */
struct scale {
  uint64_t taken, due; /* 32 bits each, so that products fit 64 bits */
  uint64_t rate;
  bool sampled;
};

static struct scale
make_scale (void)
{
  struct scale s = { .taken = bbp_samples_taken (),
                     .due = bbp_samples_due (),
                     .rate = (uint64_t) bbp_sampler_rate () };
  s.sampled = s.taken || bbp_sampler_runs ();
  while ((s.taken | s.due) >> 31)
    s.taken >>= 1, s.due >>= 1;
  return s;
}

static uint64_t
time_of (const struct scale *s, uint64_t samples)
{
  if (s->taken && s->due)
    samples = samples / s->taken * s->due + (samples % s->taken * s->due + s->taken / 2) / s->taken;
  return samples / s->rate * 1000000000 + samples % s->rate * 1000000000 / s->rate;
}

static void
describe (struct bbp_known_function *f, struct bbprof_counts *c)
{
  struct bbp_range range = range_of (f);
  *c = (struct bbprof_counts) { .name = f->name };
  c->address = f->object->presence == BBP_LOADED ? range.low : 0;
  c->bytes = f->end - f->start;
  if (!f->is_mapped)
    return;
  c->executions = retired_entries (f) + present_entries (f);
  c->known = BBPROF_EXECUTIONS;
  if (!f->counts_arcs)
    return;
  c->calls = c->executions;
  c->known |= BBPROF_CALLS;
}

static void
add_calls (struct bbprof_counts *counts, struct bbp_known_function *const *f,
           struct bbp_range *ranges, int n)
{
  bbp_gather_ranges (BBP_ARCS, ranges, (size_t) n);
  for (int i = 0; i < n; i++)
    if (!f[i]->counts_arcs)
      {
        counts[i].calls
            = ranges[i].count + bbp_counts_within (bbp.retired[BBP_ARCS], f[i]->start, f[i]->end);
        if (f[i]->calls_hook || counts[i].calls)
          counts[i].known |= BBPROF_CALLS;
      }
}

static void
add_time (struct bbprof_counts *counts, struct bbp_known_function *const *f,
          struct bbp_range *ranges, int n)
{
  const struct scale scale = make_scale ();
  for (int i = 0; i < n; i++)
    ranges[i].count = 0;
  bbp_gather_ranges (BBP_SAMPLES, ranges, (size_t) n);
  for (int i = 0; i < n && scale.sampled; i++)
    {
      counts[i].samples
          = ranges[i].count + bbp_counts_within (bbp.retired[BBP_SAMPLES], f[i]->start, f[i]->end);
      counts[i].time = time_of (&scale, counts[i].samples);
      if (f[i]->start != f[i]->end)
        counts[i].known |= BBPROF_TIME;
    }
}

/* At most AT_ONCE functions.  Lock held. */
static int
read_counts (const int *functions, struct bbprof_counts *counts, int n)
{
  struct bbp_known_function *f[AT_ONCE];
  struct bbp_range ranges[AT_ONCE];
  bool by_arcs = false;
  for (int i = 0; i < n; i++)
    {
      f[i] = bbp_known_function (functions[i]);
      if (!f[i])
        return -EINVAL;
      describe (f[i], &counts[i]);
      ranges[i] = range_of (f[i]);
      by_arcs |= !f[i]->counts_arcs;
    }
  if (by_arcs)
    add_calls (counts, f, ranges, n);
  add_time (counts, f, ranges, n);
  return 0;
}

int
bbprof_function_counts (const int *functions, struct bbprof_counts *counts, int n)
{
  int error = bbp.started ? 0 : -EINVAL;
  for (int done = 0; done < n && !error; done += AT_ONCE)
    {
      bbp_sigset old = bbp_lock ();
      error
          = read_counts (functions + done, counts + done, n - done < AT_ONCE ? n - done : AT_ONCE);
      bbp_unlock (old);
    }
  return error;
}
