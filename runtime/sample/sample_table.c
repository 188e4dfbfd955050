/* SPDX-License-Identifier: MIT */
/* Samples of the program counter, by address; the dump finds the objects of the addresses.

   The handlers of several threads may write at the same time, so a slot is claimed, and counted
   in, atomically.  Tables are never rehashed: when one is half full, a larger one is put in
   front of it.  A handler that still counts in the older one does no harm; the dump adds all
   tables up. */
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"

enum { FIRST_SLOTS = 1024, GROWTH = 4 };

static bool enabled;  /* read by the handler */
static bool unwanted; /* by order of the program, or before the sampler is known; lock */

/* Samples of stopped threads, since the last reset.  Writers: the handlers, atomically. */
static uint64_t left_out;

/* Nanoseconds during which samples were taken: the start of the present period, if there is one,
   and the sum of earlier ones.  Lock. */
struct clocks {
  uint64_t wall, cpu;
};
static struct clocks since, before;
static bool clocks_run;

/* Counts at the last reset.  Lock. */
static uint64_t settled;

static struct bbp_sample_table *
make_table (size_t slots, struct bbp_sample_table *older)
{
  struct bbp_sample_table *table
      = bbp_slice_map (BBL_SAMPLES, 0, 0, sizeof *table + slots * sizeof *table->slots);
  if (table)
    {
      table->mask = slots - 1;
      table->limit = slots / 2;
      table->older = older;
      bbp_slice_ready (table);
    }
  return table;
}

/* Count TICKS at PC in TABLE; false: it is full. */
static bool
count_in (struct bbp_sample_table *table, uintptr_t pc, unsigned ticks)
{
  size_t first = (pc * (uint64_t) 0x9e3779b97f4a7c15) >> 32 & table->mask, i = first;
  do
    {
      struct bbp_sample *slot = &table->slots[i];
      uintptr_t seen = 0;
      if (__atomic_compare_exchange_n (&slot->pc, &seen, pc, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED))
        __atomic_fetch_add (&table->used, 1, __ATOMIC_RELAXED);
      if (seen == 0 || seen == pc)
        {
          __atomic_fetch_add (&slot->count, ticks, __ATOMIC_RELAXED);
          return true;
        }
      i = (i + 1) & table->mask;
  } while (i != first);
  return false;
}

static struct bbp_sample_table *
newest (void)
{
  return __atomic_load_n (&bbp.samples, __ATOMIC_ACQUIRE); /* pairs with the release in grow */
}

/* Puts a larger table in front of FULL, unless another handler did.  Without memory FULL is
   filled up; later calls try again.  If two handlers do so at the same moment, one of the tables
   stays empty. */
static void
grow (struct bbp_sample_table *full)
{
  size_t slots = (full->mask + 1) * GROWTH;
  if (newest () != full)
    return;
  struct bbp_sample_table *table = make_table (slots, full);
  if (!table)
    __atomic_store_n (&full->limit, full->mask + 1, __ATOMIC_RELAXED);
  else
    __atomic_compare_exchange_n (&bbp.samples, &full, table, false, __ATOMIC_RELEASE,
                                 __ATOMIC_RELAXED);
}

static void
count (uintptr_t pc, unsigned ticks)
{
  /* 0 means a free slot; 1 is outside of all objects, too */
  uintptr_t key = pc ? pc : 1;
  struct bbp_sample_table *table = newest ();
  bool counted = count_in (table, key, ticks);
  if (__atomic_load_n (&table->used, __ATOMIC_RELAXED)
      >= __atomic_load_n (&table->limit, __ATOMIC_RELAXED))
    grow (table);
  if (!counted && !count_in (newest (), key, ticks))
    __atomic_fetch_add (&bbp.lost_samples, ticks, __ATOMIC_RELAXED);
}

static bool
is_enabled (void)
{
  return __atomic_load_n (&enabled, __ATOMIC_ACQUIRE);
}

/* Context: signal. */
void
bbp_samples_leave_out (unsigned ticks)
{
  if (is_enabled ())
    __atomic_fetch_add (&left_out, ticks, __ATOMIC_RELAXED);
}

/* Context: signal. */
bool
bbp_samples_count (uintptr_t pc, unsigned ticks)
{
  if (!is_enabled () || !bbp_sample_above.counts ())
    {
      bbp_samples_leave_out (ticks);
      return false;
    }
  if (bbp_is_own (pc)) /* the profiler's own cost is not the program's time */
    {
      __atomic_fetch_add (&bbp.own_samples, ticks, __ATOMIC_RELAXED);
      return false;
    }
  count (pc, ticks);
  return true;
}

/* Context: signal, or a thread without thread-local words of libc. */
bool
bbp_samples_count_asleep (uintptr_t pc, unsigned ticks)
{
  if (!is_enabled () || bbp.stopped)
    {
      bbp_samples_leave_out (ticks);
      return false;
    }
  count (pc, ticks);
  return true;
}

bool
bbp_samples_make (void)
{
  if (!bbp.samples)
    bbp.samples = make_table (FIRST_SLOTS, NULL);
  return bbp.samples;
}

static struct clocks
now (void)
{
  return (struct clocks) { bbp_sys_nanoseconds (CLOCK_MONOTONIC),
                           bbp_sys_nanoseconds (CLOCK_PROCESS_CPUTIME_ID) };
}

static struct clocks
so_far (void)
{
  struct clocks end = clocks_run ? now () : since;
  return (struct clocks) { before.wall + end.wall - since.wall, before.cpu + end.cpu - since.cpu };
}

void
bbp_samples_set_clocks (void)
{
  bool run = enabled && bbp_sampler_runs () && !bbp_sampler_is_paused ();
  if (run == clocks_run)
    return;
  before = so_far ();
  since = now ();
  clocks_run = run;
}

void
bbp_samples_enable (bool on)
{
  on = on && bbp.samples && !unwanted;
  if (on == enabled)
    return;
  if (on)
    bbp_collector_start ();
  __atomic_store_n (&enabled, on, __ATOMIC_RELEASE);
  bbp_sampler_run (on);
  bbp_samples_set_clocks ();
  if (on)
    bbp_collector_describe ();
}

void
bbp_samples_want (bool want)
{
  unwanted = !want;
}

/* No ticks come for a while (bbp_sampler_pause), and none are due. */
void
bbp_samples_pause (bool pause)
{
  bbp_sampler_pause (pause);
  bbp_samples_set_clocks ();
}

void
bbp_samples_clocks (uint64_t *wall, uint64_t *cpu)
{
  struct clocks time = so_far ();
  *wall = time.wall;
  *cpu = time.cpu;
}

static uint64_t
due (void)
{
  uint64_t wall, cpu;
  bbp_samples_clocks (&wall, &cpu);
  return (cpu / 1000 * (uint64_t) bbp_sampler_rate () + 500000) / 1000000;
}

/* For wall time it is unknown how many threads existed for how long. */
uint64_t
bbp_samples_due (void)
{
  return bbp_sampling.clock == BBP_CLOCK_WALL || bbp_sampling.partial ? 0 : due ();
}

/* A thread misses less than a tick at its end. */
uint64_t
bbp_samples_missed (void)
{
  uint64_t most = bbp_samples_taken () + bbp_sampled_threads (),
           expected = bbp_sampling.partial ? due () : 0;
  return expected > most ? expected - most : 0;
}

uint64_t
bbp_samples_left_out (void)
{
  return left_out;
}

uint64_t
bbp_samples_taken (void)
{
  uint64_t taken = left_out + bbp.own_samples + bbp.lost_samples - settled;
  for (const struct bbp_sample_table *table = newest (); table; table = table->older)
    for (size_t i = 0; i <= table->mask; i++)
      taken += __atomic_load_n (&table->slots[i].count, __ATOMIC_RELAXED);
  return taken;
}

void
bbp_samples_reset (void)
{
  bbp.own_samples = bbp.lost_samples = 0;
  settled = left_out = 0;
  settled = bbp_samples_taken ();
  before = (struct clocks) { 0 };
  since = clocks_run ? now () : before;
}
