/* SPDX-License-Identifier: MIT */
/* The state that recovery needs to interpret the counts in the live file: objects, settled and
   retired counts, the last reset (struct bbl_state).  On every change it is written completely, in
   a new slice; the previous slice is freed when the new one is valid.  A process killed in between
   leaves one of the two.  Context: cold, lock held. */
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"

/* The valid slice, and the number of slices written so far. */
static struct bbl_state *current;
static uint32_t serial;

/* Writes bytes at NEXT, or only counts them, if NEXT is null. */
struct writer {
  char *next;
  size_t bytes;
};

static void
put (struct writer *writer, const void *bytes, size_t n)
{
  if (writer->next)
    bbp_copy_bytes (writer->next + writer->bytes, bytes, n);
  writer->bytes += n;
}

static void
put_object (struct writer *writer, const struct bbp_object *object)
{
  const struct bbl_object content = {
    .base = object->base,
    .bias = object->bias,
    .start = object->start,
    .end = object->end,
    .text_start = object->text_start,
    .text_end = object->text_end,
    .present = object->presence != BBP_UNLOADED,
    .loads = object->loads,
    .build_id_bytes = object->build_id_bytes,
    .path_bytes = bbp_string_bytes (object->path),
    .had_blocks = object->had_blocks,
  };
  put (writer, &content, sizeof content);
  put (writer, object->build_id, object->build_id_bytes);
  put (writer, object->path, content.path_bytes);
}

static void
put_counts (struct writer *writer, const struct bbp_counts *counts)
{
  _Static_assert(sizeof (struct bbl_count) == sizeof *counts->item, "the same three words");
  if (counts)
    put (writer, counts->item, counts->n * sizeof *counts->item);
}

static void
put_baseline (struct writer *writer, const struct bbp_module *module)
{
  size_t n = bbp_module_ncounts (module);
  const struct bbl_baseline content
      = { module->number, module->baseline ? n : 0, module->at_stop ? n : 0 };
  put (writer, &content, sizeof content);
  put (writer, module->baseline, content.ncounts * sizeof (int64_t));
  put (writer, module->at_stop, content.nstop * sizeof (int64_t));
}

static size_t
number_of (const struct bbp_counts *counts)
{
  return counts ? counts->n : 0;
}

static void
put_state (struct writer *writer)
{
  struct bbx_run run;
  bbp_dump_above.describe_run (&run);
  struct bbl_state state = {
    .low = bbp.low,
    .high = bbp.high,
    .own_low = bbp.own_low,
    .own_high = bbp.own_high,
    .lost_calls = bbp_lost_calls (),
    .lost_unloaded = bbp.lost_unloaded,
    .lost_nowhere = bbp.lost_nowhere,
    .lost_dumps = bbp.lost_dumps,
    .lost_flow = bbp.lost_flow,
    .inexact = bbp.inexact,
    .started = run.started,
    .parent = run.parent,
    .rate = run.rate,
    .dumps = bbp.dumps,
    .stopped = bbp.stopped,
    .nin_flight = { number_of (bbp.in_flight_before), number_of (bbp.in_flight_at_stop) },
  };
  for (enum bbp_kind kind = 0; kind < BBP_KINDS; kind++)
    {
      state.ncounts[2 * kind] = number_of (bbp.settled[kind]);
      state.ncounts[2 * kind + 1] = number_of (bbp.retired[kind]);
    }
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS; kind++)
    state.nflows[kind] = number_of (bbp.retired_flow[kind]);
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    state.nobjects++;
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    state.nmodules++;
  put (writer, &state, sizeof state);
}

static void
put_all (struct writer *writer)
{
  put_state (writer);
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    put_object (writer, object);
  for (enum bbp_kind kind = 0; kind < BBP_KINDS; kind++)
    {
      put_counts (writer, bbp.settled[kind]);
      put_counts (writer, bbp.retired[kind]);
    }
  for (enum bbp_flow_kind kind = 0; kind < BBP_FLOWS; kind++)
    put_counts (writer, bbp.retired_flow[kind]);
  put_counts (writer, bbp.in_flight_before);
  put_counts (writer, bbp.in_flight_at_stop);
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    put_baseline (writer, module);
}

void
bbp_live_save (void)
{
  struct writer writer = { 0 };
  if (!bbp_slices_in_file ())
    return;
  put_all (&writer);
  struct bbl_state *state = bbp_slice_map (BBL_STATE, ++serial, 0, writer.bytes);
  if (!state)
    return;
  writer = (struct writer) { .next = (char *) state };
  put_all (&writer);
  bbp_slice_ready (state);
  bbp_slice_unmap (current);
  current = state;
  bbp_live_tick (0);
  bbp_live_head_ready ();
}
