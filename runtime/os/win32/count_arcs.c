/* SPDX-License-Identifier: MIT */
/* Tables of arcs: which call site called which function, how often; a chain for each thread.  The
   hooks count in the newest table; this is what they leave.  Windows has no signals, so nothing
   interrupts the owner, which alone writes; it is suspended while others read. */
#include "runtime/os/win32/counting.h"

#define GROWTH 4

const struct bbp_no_arcs bbp_no_arcs;

struct bbp_arc_table *
bbp_arc_table_new (size_t slots)
{
  struct bbp_arc_table *table
      = bbp_pages_map (sizeof *table + (slots + BBP_ARC_SPARE) * sizeof (struct bbp_arc));
  if (table)
    {
      table->mask = (slots - 1) * sizeof (struct bbp_arc);
      table->limit = slots / 2;
    }
  return table;
}

/* Offset of the home slot: the formula of the hooks. */
static uint64_t
slot_of (const struct bbp_arc_table *table, uintptr_t from, uintptr_t self)
{
  return (((from + 8 * self) * (uint64_t) -0x61c8864fLL) >> 15) & table->mask;
}

/* Counts a call; false: the table is full. */
static bool
add (struct bbp_arc_table *table, uintptr_t from, uintptr_t self)
{
  const uint64_t first = slot_of (table, from, self);
  uint64_t offset = first;
  do
    {
      struct bbp_arc *arc = (struct bbp_arc *) ((char *) table->slots + offset);
      if (!arc->self)
        {
          arc->from = from;
          arc->self = self;
          table->used++;
        }
      if (arc->from == from && arc->self == self)
        {
          arc->count++;
          return true;
        }
      offset = (offset + sizeof *arc) & table->mask;
  } while (offset != first);
  return false;
}

/* A larger table in front of FULL; FULL itself, if there is no memory. */
static struct bbp_arc_table *
grow (struct bbp_thread *thread, struct bbp_arc_table *full)
{
  const size_t slots = full->mask / sizeof (struct bbp_arc) + 1;
  struct bbp_arc_table *table = bbp_arc_table_new (slots * GROWTH);
  if (!table)
    {
      full->limit = slots;
      return full;
    }
  table->older = full;
  __atomic_store_n (&thread->newest, table, __ATOMIC_RELEASE);
  if (bbp_word (bbp_arcs_slot) == (uintptr_t) full)
    bbp_word_set (bbp_arcs_slot, (uintptr_t) table);
  return table;
}

/* A caller's address of 0 would mean a free slot, so 1 is stored, which is outside as well. */
static void
count (uintptr_t from, uintptr_t self)
{
  struct bbp_thread *thread = bbp_thread_known ();
  struct bbp_arc_table *table = (struct bbp_arc_table *) bbp_word (bbp_arcs_slot);
  if (!thread)
    {
      __atomic_fetch_add (&bbp.lost_arcs, 1, __ATOMIC_RELAXED);
      return;
    }
  if (table == &bbp_no_arcs.table)
    return;
  if (table->used >= table->limit)
    table = grow (thread, table);
  if (!add (table, from ? from : 1, self))
    thread->lost_arcs++;
}

__attribute__ ((sysv_abi)) void
bbp_arc_slow (uintptr_t from, uintptr_t self)
{
  const DWORD error = GetLastError ();
  count (from, self);
  SetLastError (error);
}
