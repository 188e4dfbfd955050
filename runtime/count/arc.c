/* SPDX-License-Identifier: MIT */
/* Arc tables: which call site called which function, how often; one chain of tables per thread.

   Only the owner writes, but its own signal handlers may interrupt it at any instruction.  So a
   slot is claimed by setting FROM in one instruction, and is valid when SELF is set.  A handler
   that finds a slot claimed but not valid uses the next one.  If it inserts the same arc there, the
   table has the arc twice, and the dump adds both counts.  Counting is one instruction.  So no
   interruption loses a call. */
#include "arch.h"
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/count/count.h"
#include "runtime/objects/objects.h"
#include "runtime/select/select.h"

/* A thread's first table fits with the thread's block into few pages; each further table is four
   times as large. */
#define GROWTH 4

__thread struct bbp_arc_table *bbp_arcs;

/* The table of stopped threads: one slot, always empty, so no hook counts there.  Read-only, so
   that all threads can share it. */
extern const struct no_arcs {
  struct bbp_arc_table table;
  struct bbp_arc slots[1 + BBP_ARC_SPARE];
} bbp_no_arcs BBP_HIDDEN;
const struct no_arcs bbp_no_arcs;

/* Offset of the home slot.  The same formula as in the hooks (arch/.../mcount.S). */
static uint64_t
slot_of (const struct bbp_arc_table *table, uintptr_t from, uintptr_t self)
{
  return (((from + 8 * self) * (uint64_t) -0x61c8864fL) >> 15) & table->mask;
}

static size_t
table_bytes (size_t slots)
{
  return sizeof (struct bbp_arc_table) + (slots + BBP_ARC_SPARE) * sizeof (struct bbp_arc);
}

/* SLOTS: a power of two; THREAD: number of the thread.  Null: no memory.  Context: any. */
struct bbp_arc_table *
bbp_arc_table_new (size_t slots, unsigned thread)
{
  struct bbp_arc_table *table = bbp_slice_map (BBL_ARCS, thread, 0, table_bytes (slots));
  if (table)
    {
      table->mask = (slots - 1) * sizeof (struct bbp_arc);
      table->limit = slots / 2;
      bbp_slice_ready (table);
    }
  return table;
}

/* Count COUNT calls; false if the table is full.  Context: hot. */
bool
bbp_arc_add (struct bbp_arc_table *table, uintptr_t from, uintptr_t self, uint64_t count)
{
  uint64_t first = slot_of (table, from, self), offset = first;
  do
    {
      struct bbp_arc *arc = (struct bbp_arc *) ((char *) table->slots + offset);
      if (arc->from == 0 && bbp_arch_claim (&arc->from, from))
        {
          /* Pairs with the acquire in gather.c. */
          __atomic_store_n (&arc->self, self, __ATOMIC_RELEASE);
          bbp_arch_increment (&table->used);
        }
      if (arc->from == from && arc->self == self)
        {
          if (count == 1)
            bbp_arch_increment (&arc->count);
          else
            arc->count += count;
          return true;
        }
      offset = (offset + sizeof (struct bbp_arc)) & table->mask;
  } while (offset != first);
  return false;
}

/* Makes the hooks of THREAD, with bbp_arcs at WORD, count in its newest table, or not at all while
   it is stopped.  Checks again afterwards: a stop by another thread sets bbp.stopped first and the
   words of all threads then, so one of the two sees what the other did. */
void
bbp_arcs_use (struct bbp_arc_table **word, struct bbp_thread *thread)
{
  bool stopped = bbp_thread_is_stopped (thread), before;
  do
    {
      before = stopped;
      struct bbp_arc_table *newest = __atomic_load_n (&thread->newest, __ATOMIC_ACQUIRE);
      __atomic_store_n (word, stopped ? (struct bbp_arc_table *) &bbp_no_arcs.table : newest,
                        __ATOMIC_SEQ_CST);
      stopped = bbp_thread_is_stopped (thread);
  } while (stopped != before);
}

/* For a thread that is not attached yet: whether it will count. */
bool
bbp_arcs_count (void)
{
  return __bb_thread ? bbp_arcs != &bbp_no_arcs.table
                     : !bbp.stopped && !bbp_options.scope && !bbp_selectors.opening;
}

/* Adds a larger table in front of FULL.  Signals are blocked meanwhile, so a handler finds the
   old table or the new one. */
static void
grow (struct bbp_thread *thread, struct bbp_arc_table *full)
{
  bbp_sigset old = bbp_signals_block ();
  if (thread->newest == full)
    {
      size_t slots = full->mask / sizeof (struct bbp_arc) + 1;
      struct bbp_arc_table *table = bbp_arc_table_new (slots * GROWTH, thread->number);
      if (table)
        {
          table->older = full;
          table->sites = full->sites;
          /* Pairs with the acquire in gather.c. */
          __atomic_store_n (&thread->newest, table, __ATOMIC_RELEASE);
          bbp_arcs_use (&bbp_arcs, thread);
        }
      else
        full->limit = slots; /* continue in the present table; tried again when it is full */
    }
  else
    bbp_arcs_use (&bbp_arcs, thread); /* a start, while the table grew, has restored the old one */
  bbp_signals_restore (old);
}

/* Call sites of THREAD do not count by their words until those are set again. */
void
bbp_arcs_leave_sites (const struct bbp_thread *thread)
{
  for (const struct bbp_arc_table *table = thread->newest; table; table = table->older)
    for (size_t i = 0; i <= table->mask / sizeof (struct bbp_arc); i++)
      {
        uintptr_t *word = (uintptr_t *) __atomic_load_n (&table->slots[i].site, __ATOMIC_RELAXED);
        if (word)
          __atomic_store_n (word, 0, __ATOMIC_RELAXED);
      }
}

/* Like block counters, these arcs count while the process is stopped; their readers take that
   into account. */
void
bbp_arc_note (struct bbp_thread *thread, uintptr_t from, uintptr_t self)
{
  struct bbp_arc_table *table = thread->newest;
  bool noted = bbp_arc_add (table, from, self, 1);
  if (table->used >= table->limit)
    grow (thread, table);
  if (!noted && !bbp_arc_add (thread->newest, from, self, 1))
    bbp.inexact = true;
}

/* The table in which THREAD, the calling one, counts; its newest table if it was just recalled. */
static struct bbp_arc_table *
table_of (const struct bbp_thread *thread)
{
  struct bbp_arc_table *table = bbp_arcs;
  return table ? table : thread->newest;
}

/* Called by the hooks when none of the first slots has the arc.  A caller's address of 0,
   possible at the bottom of stacks made by hand, would mean a free slot.  So 1 is stored, which
   is outside of all objects, too. */
void
bbp_arc_slow (uintptr_t from, uintptr_t self)
{
  if (from == 0)
    from = 1;
  struct bbp_thread *thread = __bb_thread;
  if (!thread && !(thread = bbp_thread_attach ()))
    {
      __atomic_fetch_add (&bbp.lost_arcs, 1, __ATOMIC_RELAXED);
      return;
    }
  struct bbp_arc_table *table = table_of (thread);
  if (table == &bbp_no_arcs.table)
    return;
  uint64_t used = table->used;
  bool counted = bbp_arc_add (table, from, self, 1);
  if (bbp_options.live && table->used != used)
    bbp_objects_add_callee (thread, self);
  if (table->used >= table->limit)
    grow (thread, table);
  table = table_of (thread); /* a handler may have stopped the thread */
  if (!counted && table != &bbp_no_arcs.table && !bbp_arc_add (table, from, self, 1))
    bbp_arch_increment (&thread->lost_arcs);
}
