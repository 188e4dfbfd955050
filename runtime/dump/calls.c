/* SPDX-License-Identifier: MIT */
/* Arcs that were not counted as arcs.  A direct call: its count is that of its call site, and its
   callee is read from the machine code.  Calls from outside: a function's entries less all known
   calls of it.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/dump/decoder.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"

/* Stubs in a row: a thunk, the procedure linkage table, a veneer of the linker's. */
#define MOST_STUBS 8

const struct bbp_decoder *
bbp_decoder (void)
{
  static const struct bbp_decoder own = BBP_ARCH_DECODER;
  return bbp_dump_above.decoder ? bbp_dump_above.decoder () : &own;
}

static bool
is_entry (const struct bbp_counts *entries, uintptr_t address)
{
  return bbp_counts_of (entries, 0, address) != 0;
}

/* The target of BRANCH; 0: not known. */
static uintptr_t
target_of (struct bbp_branch branch)
{
  uintptr_t target = 0;
  switch (branch.kind)
    {
    case BBP_BRANCH_TO: return branch.address;
    case BBP_BRANCH_BY_SLOT: return bbp_dump_above.code_slot (branch.address, &target) ? target : 0;
    default: return 0;
    }
}

/* The target of the stub at ADDRESS; 0: there is no stub. */
static uintptr_t
behind_stub (uintptr_t address)
{
  size_t n;
  const unsigned char *code = bbp_dump_above.code_at (address, &n);
  return code ? target_of (bbp_decoder ()->stub (code, n, address)) : 0;
}

/* The function in ENTRIES that ADDRESS leads to, directly or by stubs; 0: none of them. */
static uintptr_t
find_function (const struct bbp_counts *entries, uintptr_t address)
{
  for (int i = 0; address && !is_entry (entries, address); i++)
    address = i < MOST_STUBS ? behind_stub (address) : 0;
  return address;
}

int
bbp_calls_entries (struct bbp_counts *entries)
{
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    for (const struct bbp_map_function *function = NULL;
         (function = bbp_map_next (module, function));)
      if ((bbp_map_flags (function) & BBP_FUNCTION_ARCS)
          && !bbp_counts_put (entries, 0, bbp_map_entry (module, function), 1))
        return -ENOMEM;
  bbp_counts_unite (entries);
  return 0;
}

static struct bbp_branch
read_call (uintptr_t point)
{
  size_t n;
  const struct bbp_decoder *decoder = bbp_decoder ();
  const unsigned char *code = bbp_dump_above.code_at (point - decoder->call_bytes, &n);
  return code && n >= decoder->call_bytes ? decoder->call_before (code, point)
                                          : (struct bbp_branch) { 0 };
}

static struct bbp_branch
read_jump (uintptr_t point)
{
  size_t n;
  const unsigned char *code = bbp_dump_above.code_at (point, &n);
  return code ? bbp_decoder ()->jump (code, n, point) : (struct bbp_branch) { 0 };
}

/* The arc of the direct call at POINT (bbprof-abi.h), from its return site, or from the last byte
   of a jump, because another function may begin behind it.  False: there is no arc, because the
   callee is not known, counts its calls itself, or is not instrumented. */
bool
bbp_calls_direct (const struct bbp_counts *entries, uintptr_t point, bool tail, uintptr_t *from,
                  uintptr_t *self)
{
  struct bbp_branch branch = tail ? read_jump (point) : read_call (point);
  *from = tail ? point + branch.bytes - 1 : point;
  *self = find_function (entries, target_of (branch));
  return *self != 0;
}

bool
bbp_calls_lead_to (uintptr_t point, uintptr_t function)
{
  uintptr_t address = target_of (read_call (point));
  for (int i = 0; address && address != function; i++)
    address = i < MOST_STUBS ? behind_stub (address) : 0;
  return address;
}

/* Indirect calls are counted for any callee: keep those of functions with calls counted as arcs. */
void
bbp_calls_follow (struct bbp_counts *arcs, const struct bbp_counts *entries)
{
  size_t kept = 0;
  for (size_t i = 0; i < arcs->n; i++)
    {
      struct bbp_count arc = arcs->item[i];
      if (arc.from & BBP_ARC_INDIRECT)
        {
          arc.from &= ~BBP_ARC_INDIRECT;
          arc.self = find_function (entries, arc.self);
        }
      if (arc.self)
        arcs->item[kept++] = arc;
    }
  arcs->n = kept;
  bbp_counts_unite (arcs);
}

/* The number of known calls of each function, as arcs from 0. */
static int
make_known (struct bbp_counts *known, const struct bbp_counts *arcs)
{
  int error = bbp_counts_make (known, arcs->n + 1);
  if (error)
    return error;
  for (size_t i = 0; i < arcs->n; i++)
    bbp_counts_append (known, 0, arcs->item[i].self, arcs->item[i].count);
  bbp_counts_unite (known);
  return 0;
}

/* Add to ARCS, which has virtual addresses, the calls from outside that ENTRIES imply. */
int
bbp_calls_complete (struct bbp_counts *arcs, const struct bbp_counts *entries, uint64_t *lost)
{
  struct bbp_counts known = { 0 }, outside = { 0 };
  int error = make_known (&known, arcs);
  if (!error)
    error = bbp_counts_make (&outside, entries->n + 1);
  for (size_t i = 0; i < entries->n && !error; i++)
    {
      const struct bbp_count *entry = &entries->item[i];
      uint64_t calls = bbp_counts_of (&known, 0, entry->self);
      if (calls <= entry->count)
        bbp_counts_append (&outside, 0, entry->self, entry->count - calls);
      else
        *lost += calls - entry->count;
    }
  if (!error)
    {
      bbp_counts_unite (&outside);
      error = bbp_counts_add (arcs, &outside);
    }
  bbp_counts_free (&known);
  bbp_counts_free (&outside);
  return error;
}
