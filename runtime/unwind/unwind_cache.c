/* SPDX-License-Identifier: MIT */
/* Cache of compact rows by code address.  Direct mapped, lossy, shared by all threads.  Each entry
   has a sequence number, odd while a thread writes it; a reader that finds an odd or changed number
   treats it as a miss.  An entry is valid for one mapping, until the next object is unloaded.
   Context: signal, unless stated otherwise. */
#include <stdatomic.h>

#include "runtime/base/base.h"
#include "runtime/unwind/unwinding.h"

enum { SLOTS = 1 << 14 };

/* Conversion of a row to words. */
enum { WORDS = (sizeof (struct bbp_compact) + sizeof (uint32_t) + 7) / 8 };
union packed {
  struct {
    struct bbp_compact compact;
    uint32_t age;
  };
  uint64_t word[WORDS];
};

struct entry {
  _Atomic uint32_t turn;
  _Atomic uint32_t mapping;
  _Atomic uint64_t address;
  _Atomic uint64_t row[WORDS]; /* a struct bbp_compact and the age */
};

static struct entry *entries;
static _Atomic uint32_t age = 1;

void
bbp_unwind_cache_start (void)
{
  if (!entries)
    entries = bbp_pages_map (SLOTS * sizeof *entries);
}

void
bbp_unwind_cache_forget (void)
{
  atomic_fetch_add (&age, 1);
}

uint32_t
bbp_unwind_cache_age (void)
{
  return atomic_load (&age);
}

static struct entry *
entry_of (uintptr_t address)
{
  const uint64_t spread = 0x9e3779b97f4a7c15;
  return entries ? &entries[address * spread >> 50] : NULL;
}

bool
bbp_unwind_cache_get (uintptr_t address, uint32_t mapping, struct bbp_compact *row)
{
  struct entry *entry = entry_of (address);
  if (!entry)
    return false;
  uint32_t turn = atomic_load_explicit (&entry->turn, memory_order_acquire);
  union packed packed;
  for (int i = 0; i < WORDS; i++)
    packed.word[i] = atomic_load_explicit (&entry->row[i], memory_order_relaxed);
  bool same = atomic_load_explicit (&entry->address, memory_order_relaxed) == address
              && atomic_load_explicit (&entry->mapping, memory_order_relaxed) == mapping
              && packed.age == atomic_load_explicit (&age, memory_order_relaxed);
  atomic_thread_fence (memory_order_acquire);
  *row = packed.compact;
  return same && turn % 2 == 0 && atomic_load_explicit (&entry->turn, memory_order_relaxed) == turn;
}

void
bbp_unwind_cache_put (uintptr_t address, uint32_t mapping, uint32_t found_at,
                      const struct bbp_compact *row)
{
  struct entry *entry = entry_of (address);
  uint32_t turn = entry ? atomic_load_explicit (&entry->turn, memory_order_relaxed) : 1;
  if (turn % 2 || !atomic_compare_exchange_strong (&entry->turn, &turn, turn + 1))
    return;
  union packed packed = { .compact = *row, .age = found_at };
  atomic_thread_fence (memory_order_release);
  atomic_store_explicit (&entry->address, address, memory_order_relaxed);
  atomic_store_explicit (&entry->mapping, mapping, memory_order_relaxed);
  for (int i = 0; i < WORDS; i++)
    atomic_store_explicit (&entry->row[i], packed.word[i], memory_order_relaxed);
  atomic_store_explicit (&entry->turn, turn + 2, memory_order_release);
}
