/* SPDX-License-Identifier: MIT */
/* Units with tables in the historic layout: written by hand, or by a macro set of the user's.  They
   have one counter a block, which all threads share, and describe the addresses and names of their
   blocks themselves.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* The counts of a unit when the profile began. */
struct baseline {
  struct baseline *next;
  const struct bb *unit;
  size_t bytes; /* size of this mapping */
  int64_t counts[];
};

static struct baseline *baselines;

/* Code written for Sun's tcov has no addresses, so nothing is known about its blocks. */
static bool
is_historic (const struct bb *unit)
{
  return !BBP_IS_EXTENDED (unit) && unit->addresses;
}

struct bb *
bbp_historic_next (struct bb *unit)
{
  while (unit && !is_historic (unit))
    unit = unit->next;
  return unit;
}

/* True if the field that ends at END is part of UNIT's table.  The announced size is not always
   that of GCC 2.95: GCC 2.7 and 2.8 announce ten words, all but flags.  Tables with copied 32-bit
   numbers announce less than there is, and the announced size is used. */
static bool
has_field (const struct bb *unit, size_t end)
{
  return unit->nwords >= (int64_t) end;
}
#define HAS_FIELD(unit, field) \
  (has_field (unit, offsetof (struct bb, field) + sizeof (unit)->field) && (unit)->field)

/* Element I of a table of names. */
#define NAME_OF(unit, field, i) \
  (HAS_FIELD (unit, field) && (unit)->field[i] ? (unit)->field[i] : "")

static const struct baseline *
baseline_of (const struct bb *unit)
{
  const struct baseline *baseline = baselines;
  while (baseline && baseline->unit != unit)
    baseline = baseline->next;
  return baseline;
}

static uint64_t
count_of (const struct bb *unit, int64_t i, const struct baseline *baseline)
{
  return __atomic_load_n (&unit->counts[i], __ATOMIC_RELAXED)
         - (baseline ? baseline->counts[i] : 0);
}

static int
put_unit (struct bbp_flow *flow, const struct bb *unit)
{
  const struct baseline *baseline = baseline_of (unit);
  for (int64_t i = 0; i < unit->ncounts; i++)
    {
      uint64_t count = count_of (unit, i, baseline);
      const struct bbp_object *object = bbp_object_at (unit->addresses[i]);
      if (object
          && !bbp_counts_put (&flow->list[BBP_BLOCKS], 0,
                              bbp_object_virtual (object, unit->addresses[i]), count))
        return -ENOMEM;
    }
  return 0;
}

void
bbp_historic_describe (const struct bb *unit, struct bbx_unit_block *blocks)
{
  const struct baseline *baseline = baseline_of (unit);
  for (int64_t i = 0; i < unit->ncounts; i++)
    {
      const struct bbp_object *object = unit->addresses ? bbp_object_at (unit->addresses[i]) : NULL;
      blocks[i].address = object ? bbp_object_virtual (object, unit->addresses[i]) : 0;
      blocks[i].count = count_of (unit, i, baseline);
    }
}

int
bbp_historic_put (struct bbp_flow *flow)
{
  int error = 0;
  FOR_EACH_HISTORIC (unit)
  if (!error)
    error = put_unit (flow, unit);
  return error;
}

static int
set_baseline (const struct bb *unit)
{
  size_t bytes = sizeof (struct baseline) + unit->ncounts * sizeof (int64_t);
  struct baseline *baseline = bbp_pages_map (bytes);
  if (!baseline)
    return -ENOMEM;
  baseline->unit = unit;
  baseline->bytes = bytes;
  for (int64_t i = 0; i < unit->ncounts; i++)
    baseline->counts[i] = __atomic_load_n (&unit->counts[i], __ATOMIC_RELAXED);
  baseline->next = baselines;
  /* Atomically, because the process may fork at this moment. */
  __atomic_store_n (&baselines, baseline, __ATOMIC_RELEASE);
  return 0;
}

static void
drop_baseline (const struct bb *unit)
{
  for (struct baseline **link = &baselines, *old; (old = *link);)
    if (old->unit == unit)
      {
        __atomic_store_n (link, old->next, __ATOMIC_RELEASE); /* Likewise. */
        bbp_pages_unmap (old, old->bytes);
      }
    else
      link = &old->next;
}

int
bbp_historic_reset (void)
{
  int error = 0;
  FOR_EACH_HISTORIC (unit)
  {
    drop_baseline (unit);
    if (set_baseline (unit))
      error = -ENOMEM;
  }
  return error;
}

void
bbp_historic_retire (struct bb *unit)
{
  struct bbp_flow flow = { 0 };
  int error = put_unit (&flow, unit);
  bbp_counts_unite (&flow.list[BBP_BLOCKS]);
  if (error || bbp_counts_keep (&bbp.retired_flow[BBP_BLOCKS], &flow.list[BBP_BLOCKS]))
    bbp.inexact = true;
  bbp_flow_free (&flow);
  drop_baseline (unit);
  char *choices = HAS_FIELD (unit, flags) ? unit->flags : NULL;
  if (choices)
    unit->flags = NULL;
  bbp_pages_unmap (choices, (size_t) unit->ncounts + 1);
}

const char *
bbp_historic_function (const struct bb *unit, int64_t i)
{
  return NAME_OF (unit, functions, i);
}

const char *
bbp_historic_file (const struct bb *unit, int64_t i)
{
  return NAME_OF (unit, filenames, i);
}

bool
bbp_historic_name (const struct bb *unit, int64_t i, struct bbp_block_name *name)
{
  const struct bbp_object *object = bbp_object_at (unit->addresses[i]);
  if (!object || !HAS_FIELD (unit, functions))
    return false;
  name->address = bbp_object_virtual (object, unit->addresses[i]);
  name->function = bbp_historic_function (unit, i);
  name->line = HAS_FIELD (unit, line_nums) && unit->line_nums[i] > 0 ? unit->line_nums[i] : 0;
  name->file = bbp_historic_file (unit, i);
  return true;
}
