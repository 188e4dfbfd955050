/* SPDX-License-Identifier: MIT */
/* The tree of calling contexts.  A node is found by its key (parent, address, kind and mapping)
   in tables of node numbers: open addressing, never rehashed.  When a table is half full, a
   larger one is put in front of it.  A node that is found in an older table is entered in the
   newest one as well.  Context: signal. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/sample/context_nodes.h"

enum { FIRST_SLOTS = 4096, GROWTH = 4 };

struct index {
  uint32_t mask;  /* slots - 1 */
  uint32_t used;  /* atomic */
  uint32_t limit; /* highest number of used slots before the next table is made; atomic */
  uint32_t unused;
  struct index *older;
  uint32_t slots[]; /* numbers of nodes; 0: free; atomic */
};

static struct index *newest; /* atomic */

static uint32_t
hash_of (uint32_t parent, const struct bbp_frame *frame)
{
  uint64_t hash = (frame->address ^ (uint64_t) frame->kind << 59) * 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 32 ^ parent ^ (uint64_t) frame->mapping << 32) * 0xbf58476d1ce4e5b9;
  return (uint32_t) (hash >> 32);
}

bool
bbp_context_is (uint32_t number, uint32_t parent, const struct bbp_frame *frame)
{
  const struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
  return node && node->parent == parent && node->address == frame->address
         && node->mapping == frame->mapping && node->mark == frame->kind + 1;
}

static uint32_t
find_in (const struct index *table, uint32_t hash, uint32_t parent, const struct bbp_frame *frame)
{
  for (uint32_t i = hash & table->mask;; i = (i + 1) & table->mask)
    {
      uint32_t number = __atomic_load_n (&table->slots[i], __ATOMIC_ACQUIRE);
      if (number == 0 || bbp_context_is (number, parent, frame))
        return number;
    }
}

/* Enters NUMBER, which has this key, unless another number has it already; returns the number
   that is there then. */
static uint32_t
put_in (struct index *table, uint32_t hash, uint32_t number, uint32_t parent,
        const struct bbp_frame *frame)
{
  __atomic_fetch_add (&table->used, 1, __ATOMIC_RELAXED);
  for (uint32_t i = hash & table->mask;; i = (i + 1) & table->mask)
    {
      uint32_t seen = 0;
      if (__atomic_compare_exchange_n (&table->slots[i], &seen, number, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
        return number;
      if (seen == number || bbp_context_is (seen, parent, frame))
        return seen;
    }
}

/* Puts a larger table in front of FULL, unless another handler did.  Without memory FULL is
   filled further, but always so that a search ends. */
static struct index *
grow (struct index *full)
{
  uint32_t slots = full ? (full->mask + 1) * GROWTH : FIRST_SLOTS;
  struct index *table = bbp_pages_map (sizeof *table + slots * sizeof *table->slots);
  if (table)
    {
      table->mask = slots - 1;
      table->limit = slots / 2;
      table->older = full;
      struct index *front = full;
      if (__atomic_compare_exchange_n (&newest, &front, table, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
        return table;
      bbp_pages_unmap (table, sizeof *table + slots * sizeof *table->slots);
      return front;
    }
  if (full)
    __atomic_store_n (&full->limit, full->mask / 8 * 7, __ATOMIC_RELAXED);
  return full;
}

static bool
has_room (const struct index *table)
{
  return table
         && __atomic_load_n (&table->used, __ATOMIC_RELAXED)
                < __atomic_load_n (&table->limit, __ATOMIC_RELAXED);
}

/* A table with room; null: there is none.  A table that another handler has just made may
   already be full, so this repeats until there is room or no memory. */
static struct index *
table_with_room (void)
{
  struct index *table = __atomic_load_n (&newest, __ATOMIC_ACQUIRE);
  while (!has_room (table))
    {
      struct index *grown = grow (table);
      if (grown == table)
        return has_room (table) ? table : NULL;
      table = grown;
    }
  return table;
}

static uint32_t
make (uint32_t parent, const struct bbp_frame *frame)
{
  uint32_t number = bbp_segments_add (&bbp_contexts);
  struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
  if (!node)
    return 0;
  node->address = frame->address;
  node->mapping = frame->mapping;
  node->parent = parent;
  __atomic_store_n (&node->mark, frame->kind + 1, __ATOMIC_RELEASE);
  return number;
}

uint32_t
bbp_context_enter (uint32_t parent, const struct bbp_frame *frame)
{
  uint32_t hash = hash_of (parent, frame), number = 0;
  struct index *front = __atomic_load_n (&newest, __ATOMIC_ACQUIRE), *table = front;
  for (; table && !(number = find_in (table, hash, parent, frame)); table = table->older)
    ;
  if (number && table == front)
    return number;
  table = table_with_room ();
  if (table && !number)
    number = make (parent, frame);
  return table && number ? put_in (table, hash, number, parent, frame) : number;
}

void
bbp_context_count (uint32_t number, unsigned ticks)
{
  struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
  if (node)
    __atomic_fetch_add (&node->ticks, ticks, __ATOMIC_RELAXED);
}
