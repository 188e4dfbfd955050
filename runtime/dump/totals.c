/* SPDX-License-Identifier: MIT */
/* The totals of the modules' counters over all threads, at one moment.

   No counters are locked.  Running threads are paused (pause_threads.c), and the counters are read
   twice: they only grow, so if their sum is the same both times, all values are those of the moment
   in between.

   A thread that was interrupted to pause has entered a block and not left it: it is *in flight*.
   Deriving counts must take its position into account.

   While counting is stopped the totals are those of the stop.  What is counted between a stop and
   the next start is added to the baseline, like everything before the last reset; likewise the
   threads in flight.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"
#include "runtime/objects/objects.h"

/* The maximum number of readings, if a thread runs and does not pause. */
#define MOST_ATTEMPTS 6

/* Threads in flight at the last reading, as arcs from 0: pc and number.  Negative in lists that are
   subtracted. */
static struct bbp_counts in_flight_now;

/* The sum of N counters; also added to TOTALS if that is not null. */
static uint64_t
add (int64_t *totals, const int64_t *counters, size_t n)
{
  uint64_t sum = 0;
  if (totals)
    for (size_t i = 0; i < n; i++)
      {
        int64_t count = __atomic_load_n (&counters[i], __ATOMIC_RELAXED);
        totals[i] += count;
        sum += (uint64_t) count;
      }
  else
    for (size_t i = 0; i < n; i++)
      sum += (uint64_t) __atomic_load_n (&counters[i], __ATOMIC_RELAXED);
  return sum;
}

/* Likewise for MODULE: its own array and all copies. */
static uint64_t
add_module (int64_t *totals, const struct bbp_module *module)
{
  size_t n = bbp_module_ncounts (module);
  uint64_t sum = add (totals, module->counts_start, n);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (struct bbp_copy *copy = __atomic_load_n (&thread->copies, __ATOMIC_ACQUIRE); copy;
         copy = copy->next)
      if (copy->module == module)
        sum += add (totals, copy->counts, n);
  return sum;
}

static int64_t *
make_zeros (const struct bbp_module *module)
{
  return bbp_pages_map (bbp_module_ncounts (module) * sizeof (int64_t));
}

void
bbp_totals_free (int64_t *totals, const struct bbp_module *module)
{
  bbp_pages_unmap (totals, bbp_module_ncounts (module) * sizeof *totals);
}

/* Free what was read. */
void
bbp_totals_drop (void)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      bbp_totals_free (module->now, module);
      module->now = NULL;
    }
  in_flight_now.n = 0;
}

static int
read_all (uint64_t *sum)
{
  bbp_totals_drop ();
  *sum = 0;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      module->now = make_zeros (module);
      if (!module->now)
        return -ENOMEM;
      *sum += add_module (module->now, module);
    }
  return 0;
}

uint64_t
bbp_totals_sum_all (void)
{
  uint64_t sum = 0;
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    sum += add_module (NULL, module);
  return sum;
}

static void
sum_up (struct bbp_counts *list)
{
  bbp_counts_unite (list);
  bbp_counts_subtract (list, NULL);
}

/* LIST += WEIGHT times MORE, which may be null; only the part of MORE in OBJECT if that is not
   null. */
static int
add_in_flight (struct bbp_counts *list, const struct bbp_counts *more, int weight,
               const struct bbp_object *object)
{
  for (size_t i = 0; more && i < more->n; i++)
    if ((!object || bbp_object_holds (object, more->item[i].self))
        && !bbp_counts_put (list, 0, more->item[i].self, more->item[i].count * (uint64_t) weight))
      return -ENOMEM;
  sum_up (list);
  return 0;
}

/* Pausing threads, and code that handlers of the program's interrupted and have not resumed. */
int
bbp_totals_find_in_flight (void)
{
  in_flight_now.n = 0;
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      uintptr_t pc = bbp_pause_pc (thread);
      if (pc && !bbp_thread_is_apart (thread) && !bbp_counts_put (&in_flight_now, 0, pc, 1))
        return -ENOMEM;
    }
  int error = bbp_gather_interrupts (&in_flight_now);
  sum_up (&in_flight_now);
  return error;
}

/* One attempt; WHOLE: it succeeded.  Threads that began to run since are asked to pause before the
   second reading. */
static int
read_once (struct bbp_counts *arcs, bool *whole)
{
  uint64_t sum;
  int error = read_all (&sum);
  if (!error && arcs)
    {
      bbp_counts_free (arcs);
      error = bbp_gather_raw (arcs, BBP_ARCS, NULL);
    }
  *whole = !error && !bbp_dump_above.pause_more () && bbp_totals_sum_all () == sum
           && bbp_dump_above.pause_is_complete ();
  return error;
}

int
bbp_totals_take (struct bbp_counts *arcs)
{
  bool whole = false;
  int error = 0;
  bbp_dump_above.pause_begin ();
  bbp_dump_above.pause_more (); /* else the first reading would be in vain if threads run */
  for (int attempt = 0; attempt < MOST_ATTEMPTS && !whole && !error; attempt++)
    error = read_once (arcs, &whole);
  if (!error)
    error = bbp_totals_find_in_flight ();
  bbp_dump_above.totals_taken ();
  bbp_dump_above.pause_end ();
  if (arcs)
    bbp_gather_finish (arcs, BBP_ARCS);
  bbp.lost_running += !error && !whole;
  return error;
}

/* The counts of MODULE up to now, or to the stop; null: no memory. */
static int64_t *
make_whole (struct bbp_module *module)
{
  int64_t *totals = module->at_stop ? NULL : module->now;
  module->now = totals ? NULL : module->now;
  if (totals || !(totals = make_zeros (module)))
    return totals;
  if (module->at_stop)
    add (totals, module->at_stop, bbp_module_ncounts (module));
  else
    add_module (totals, module);
  return totals;
}

int64_t *
bbp_totals_make (struct bbp_module *module)
{
  int64_t *totals = make_whole (module);
  for (size_t i = 0; totals && module->baseline && i < bbp_module_ncounts (module); i++)
    totals[i] -= module->baseline[i];
  return totals;
}

/* The total of counter I of MODULE, up to now, or to the stop. */
static uint64_t
total_of (const struct bbp_module *module, uint32_t i)
{
  if (module->at_stop)
    return (uint64_t) module->at_stop[i];
  uint64_t total = (uint64_t) __atomic_load_n (&module->counts_start[i], __ATOMIC_ACQUIRE);
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_copy *copy = thread->copies; copy; copy = copy->next)
      if (copy->module == module)
        total += (uint64_t) __atomic_load_n (&copy->counts[i], __ATOMIC_ACQUIRE);
  return total;
}

uint64_t
bbp_totals_sum (const struct bbp_module *module, const uint32_t *index, size_t n)
{
  uint64_t sum = 0;
  for (; n--; index++)
    sum += total_of (module, *index) - (module->baseline ? (uint64_t) module->baseline[*index] : 0);
  return sum;
}

static const struct bbp_counts *
in_flight (void)
{
  return bbp.stopped ? bbp.in_flight_at_stop : &in_flight_now;
}

/* As a list for deriving counts, valid until the next call.  Without memory no thread is in
   flight. */
size_t
bbp_totals_in_flight (const struct bbp_in_flight **list)
{
  static struct bbp_in_flight *made;
  static size_t room;
  struct bbp_counts all = { 0 };
  size_t n = add_in_flight (&all, in_flight (), 1, NULL)
                     || add_in_flight (&all, bbp.in_flight_before, -1, NULL)
                 ? 0
                 : all.n;
  if (n > room)
    {
      bbp_pages_unmap (made, room * sizeof *made);
      made = bbp_pages_map (n * sizeof *made);
      room = made ? n : 0;
    }
  n = n < room ? n : room;
  for (size_t i = 0; i < n; i++)
    made[i]
        = (struct bbp_in_flight) { bbp_flow_home (all.item[i].self), (int64_t) all.item[i].count };
  bbp_counts_free (&all);
  *list = made;
  return n;
}

/* All counts so far become the baseline.  Each is changed by one store, because the process may
   fork meanwhile. */
int
bbp_totals_reset (void)
{
  int error = 0;
  bbp.rebased++;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      int64_t *old = module->baseline, *whole = make_whole (module);
      __atomic_store_n (&module->baseline, whole, __ATOMIC_RELEASE);
      bbp_totals_free (old, module);
      if (!whole)
        error = -ENOMEM;
    }
  const struct bbp_counts *list = in_flight ();
  bbp_counts_drop (&bbp.in_flight_before, NULL);
  return list && bbp_counts_keep (&bbp.in_flight_before, list) ? -ENOMEM : error;
}

static void
stop_module (struct bbp_module *module)
{
  __atomic_store_n (&module->at_stop, make_whole (module), __ATOMIC_RELEASE);
  bbp.inexact |= !module->at_stop;
}

/* Add what was counted since the stop to the baseline. */
static void
start_module (struct bbp_module *module)
{
  int64_t *baseline = module->at_stop, *old = module->baseline;
  if (!baseline)
    return;
  for (size_t i = 0; i < bbp_module_ncounts (module); i++)
    baseline[i] = module->now[i] - baseline[i] + (old ? old[i] : 0);
  __atomic_store_n (&module->baseline, baseline, __ATOMIC_RELEASE);
  __atomic_store_n (&module->at_stop, NULL, __ATOMIC_RELEASE);
  bbp_totals_free (old, module);
}

/* For a module that is loaded while counting is stopped. */
void
bbp_totals_add_module (struct bbp_module *module)
{
  if (bbp.stopped)
    stop_module (module);
}

static int
stop_in_flight (void)
{
  bbp_counts_drop (&bbp.in_flight_at_stop, NULL);
  return bbp_counts_keep (&bbp.in_flight_at_stop, &in_flight_now);
}

static int
start_in_flight (void)
{
  struct bbp_counts between = { 0 };
  int error = add_in_flight (&between, &in_flight_now, 1, NULL);
  if (!error)
    error = add_in_flight (&between, bbp.in_flight_at_stop, -1, NULL);
  if (!error)
    error = bbp_counts_keep (&bbp.in_flight_before, &between);
  bbp_counts_free (&between);
  return error;
}

/* Replaces the entries of OBJECT in LIST by those of in_flight_now. */
static int
settle (struct bbp_counts **list, const struct bbp_object *object)
{
  struct bbp_counts change = { 0 };
  int error = add_in_flight (&change, &in_flight_now, 1, object);
  if (!error)
    error = add_in_flight (&change, *list, -1, object);
  if (!error)
    error = bbp_counts_keep (list, &change);
  bbp_counts_free (&change);
  return error;
}

/* The next object at these addresses begins without threads in flight. */
int
bbp_totals_settle (const struct bbp_object *object)
{
  bbp.rebased++;
  int error = settle (&bbp.in_flight_before, object);
  if (!error && bbp.stopped)
    error = settle (&bbp.in_flight_at_stop, object);
  in_flight_now.n = 0;
  return error;
}

/* From now on counts are not in the profile; or they are again. */
void
bbp_totals_stop (bool stop)
{
  int error = bbp_totals_take (NULL);
  bbp.rebased++;
  for (struct bbp_module *module = bbp.modules; module && !error; module = module->next)
    if (stop)
      stop_module (module);
    else
      start_module (module);
  if (error || (stop ? stop_in_flight () : start_in_flight ()))
    bbp.inexact = true;
  bbp_totals_drop ();
}
