/* SPDX-License-Identifier: MIT */
/* Reads other threads' tables, the only code to do so: what all threads have counted, by run-time
   addresses, less what is settled.  No thread is paused; each count is read once.  Context: cold,
   lock held. */
#include <errno.h>

#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* The thread's newest table; the others follow by OLDER. */
static const struct bbp_arc_table *
tables_of (const struct bbp_thread *thread)
{
  return __atomic_load_n (&thread->newest, __ATOMIC_ACQUIRE);
}

static const struct bbp_sample_table *
samples (void)
{
  return __atomic_load_n (&bbp.samples,
                          __ATOMIC_ACQUIRE); /* pairs with the release in sample_table.c */
}

static size_t
count_slots (enum bbp_kind kind)
{
  size_t n = 0;
  if (kind == BBP_SAMPLES)
    for (const struct bbp_sample_table *table = samples (); table; table = table->older)
      n += __atomic_load_n (&table->used, __ATOMIC_RELAXED);
  else
    for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
      for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
        n += __atomic_load_n (&table->used, __ATOMIC_RELAXED);
  return n;
}

static bool
involves (uintptr_t from, uintptr_t self, const struct bbp_object *object)
{
  return !object || bbp_object_holds (object, from & ~BBP_ARC_MARKS)
         || bbp_object_holds (object, self);
}

static bool
is_note (const struct bbp_arc *arc)
{
  return arc->from == BBP_ARC_INTERRUPTED || arc->from == BBP_ARC_RESUMED;
}

static void
append_arcs (struct bbp_counts *counts, const struct bbp_arc_table *table,
             const struct bbp_object *object)
{
  size_t slots = table->mask / sizeof (struct bbp_arc) + 1;
  for (size_t i = 0; i < slots; i++)
    {
      const struct bbp_arc *arc = &table->slots[i];
      /* Pairs with the release in arc.c. */
      uintptr_t self = __atomic_load_n (&arc->self, __ATOMIC_ACQUIRE);
      if (self && !is_note (arc) && involves (arc->from, self, object))
        bbp_counts_append (counts, arc->from, self,
                           __atomic_load_n (&arc->count, __ATOMIC_RELAXED));
    }
}

static void
append_samples (struct bbp_counts *counts, const struct bbp_object *object)
{
  for (const struct bbp_sample_table *table = samples (); table; table = table->older)
    for (size_t i = 0; i <= table->mask; i++)
      {
        uintptr_t pc = __atomic_load_n (&table->slots[i].pc, __ATOMIC_RELAXED);
        if (pc && involves (0, pc, object))
          bbp_counts_append (counts, 0, pc,
                             __atomic_load_n (&table->slots[i].count, __ATOMIC_RELAXED));
      }
}

/* Makes room for the existing items and for those that running threads add meanwhile; a single
   thread makes the dump itself, mostly. */
int
bbp_gather_raw (struct bbp_counts *counts, enum bbp_kind kind, const struct bbp_object *object)
{
  const size_t more = bbp.threads && bbp.threads->next ? 1024 : 64;
  int error = bbp_counts_make (counts, count_slots (kind) + more);
  if (error)
    return error;
  if (kind == BBP_SAMPLES)
    append_samples (counts, object);
  else
    for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
      for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
        append_arcs (counts, table, object);
  return 0;
}

static bool
put_notes (struct bbp_counts *counts, const struct bbp_arc_table *table)
{
  bool put = true;
  for (size_t i = 0; put && i <= table->mask / sizeof (struct bbp_arc); i++)
    {
      const struct bbp_arc *arc = &table->slots[i];
      /* Pairs with the release in arc.c. */
      uintptr_t self = __atomic_load_n (&arc->self, __ATOMIC_ACQUIRE);
      uint64_t count = __atomic_load_n (&arc->count, __ATOMIC_RELAXED);
      if (self && is_note (arc))
        put = bbp_counts_put (counts, 0, self, arc->from == BBP_ARC_INTERRUPTED ? count : -count);
    }
  return put;
}

int
bbp_gather_interrupts (struct bbp_counts *counts)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
      if (!put_notes (counts, table))
        return -ENOMEM;
  return 0;
}

void
bbp_gather_finish (struct bbp_counts *counts, enum bbp_kind kind)
{
  bbp_counts_unite (counts);
  bbp_counts_subtract (counts, bbp.settled[kind]);
}

int
bbp_gather (struct bbp_counts *counts, enum bbp_kind kind, const struct bbp_object *object)
{
  int error = bbp_gather_raw (counts, kind, object);
  if (!error)
    bbp_gather_finish (counts, kind);
  return error;
}

void
bbp_gather_addresses (void (*each) (void *data, uintptr_t address), void *data)
{
  for (enum bbp_kind kind = 0; kind < BBP_KINDS; kind++)
    {
      struct bbp_counts counts = { 0 };
      if (bbp.settled[kind] ? bbp_gather (&counts, kind, NULL)
                            : bbp_gather_raw (&counts, kind, NULL))
        continue;
      for (size_t i = 0; i < counts.n; i++)
        {
          each (data, counts.item[i].self);
          each (data, counts.item[i].from & ~BBP_ARC_INDIRECT);
        }
      bbp_counts_free (&counts);
    }
}

static uint64_t
sum_arcs (const struct bbp_arc_table *table)
{
  uint64_t sum = 0;
  for (size_t i = 0; i <= table->mask / sizeof (struct bbp_arc); i++)
    sum += __atomic_load_n (&table->slots[i].count, __ATOMIC_RELAXED);
  return sum;
}

uint64_t
bbp_gather_sum (void)
{
  uint64_t sum = bbp_totals_sum_all ();
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
      sum += sum_arcs (table);
  for (const struct bbp_sample_table *table = samples (); table; table = table->older)
    for (size_t i = 0; i <= table->mask; i++)
      sum += __atomic_load_n (&table->slots[i].count, __ATOMIC_RELAXED);
  return sum;
}

static void
add_to_ranges (struct bbp_range *ranges, size_t n, uintptr_t self, const uint64_t *count)
{
  for (; n--; ranges++)
    if (self - ranges->low < ranges->high - ranges->low)
      ranges->count += __atomic_load_n (count, __ATOMIC_RELAXED);
}

static void
add_arcs_to_ranges (struct bbp_range *ranges, size_t n, const struct bbp_arc_table *table)
{
  for (size_t i = 0; i <= table->mask / sizeof (struct bbp_arc); i++)
    {
      const struct bbp_arc *arc = &table->slots[i];
      /* Pairs with the release in arc.c. */
      uintptr_t self = __atomic_load_n (&arc->self, __ATOMIC_ACQUIRE);
      if (self && !is_note (arc) && !(arc->from & BBP_ARC_MARKS))
        add_to_ranges (ranges, n, self, &arc->count);
    }
}

static void
add_samples_to_ranges (struct bbp_range *ranges, size_t n)
{
  for (const struct bbp_sample_table *table = samples (); table; table = table->older)
    for (size_t i = 0; i <= table->mask; i++)
      {
        uintptr_t pc = __atomic_load_n (&table->slots[i].pc, __ATOMIC_RELAXED);
        if (pc)
          add_to_ranges (ranges, n, pc, &table->slots[i].count);
      }
}

void
bbp_gather_ranges (enum bbp_kind kind, struct bbp_range *ranges, size_t n)
{
  if (kind == BBP_SAMPLES)
    add_samples_to_ranges (ranges, n);
  else
    for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
      for (const struct bbp_arc_table *table = tables_of (thread); table; table = table->older)
        add_arcs_to_ranges (ranges, n, table);
  for (; n--; ranges++)
    ranges->count -= bbp_counts_within (bbp.settled[kind], ranges->low, ranges->high);
}
