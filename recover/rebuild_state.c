/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "recover/rebuild_state.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

/* The rest of the state that is to be read.  Each item is checked before it is used. */
struct reader {
  const char *next;
  uint64_t left;
};

static struct bbl_state state;
static struct bbp_object *objects;
static struct bbl_tick tick;

struct restored_module {
  struct bbp_module module;
  uint64_t ncounts;
};

/* N items of BYTES each, or null. */
static const void *
take (struct reader *reader, uint64_t n, uint64_t bytes)
{
  if (n > reader->left / bytes)
    return NULL;
  const char *taken = reader->next;
  reader->next += n * bytes;
  reader->left -= n * bytes;
  return taken;
}

/* Limits: of addresses, which have 48 bits on aarch64 and 57 on some riscv64; of the profiled text,
   for which the histogram has a bin for every 2 bytes. */
#define MOST_BYTES (UINT64_C (1) << 57)
#define MOST_TEXT (UINT64_C (1) << 30)

static bool
take_object (struct reader *reader, struct bbp_object *object)
{
  struct bbl_object content;
  const void *at = take (reader, 1, sizeof content);
  if (!at)
    return false;
  memcpy (&content, at, sizeof content);
  if (content.start >= content.end || content.end > MOST_BYTES || content.base > MOST_BYTES)
    return false;
  *object = (struct bbp_object) {
    .base = content.base,
    .bias = content.bias,
    .start = content.start,
    .end = content.end,
    .text_start = content.text_start,
    .text_end = content.text_end,
    .presence = content.present ? BBP_LOADED : BBP_UNLOADED,
    .loads = (uint32_t) content.loads,
    .build_id_bytes = content.build_id_bytes,
    .had_blocks = content.had_blocks,
  };
  object->build_id = take (reader, content.build_id_bytes, 1);
  object->path = take (reader, content.path_bytes, 1);
  return object->build_id && object->path && content.path_bytes
         && object->path[content.path_bytes - 1] == '\0';
}

static bool
take_objects (struct reader *reader)
{
  if (!state.nobjects || state.nobjects > reader->left / sizeof (struct bbl_object))
    return false;
  objects = calloc (state.nobjects, sizeof *objects);
  if (!objects)
    return false;
  for (uint64_t i = 0; i < state.nobjects; i++)
    {
      if (!take_object (reader, &objects[i]))
        return false;
      objects[i].next = i + 1 < state.nobjects ? &objects[i + 1] : NULL;
    }
  return true;
}

static bool
take_counts (struct reader *reader, uint64_t n, struct bbp_counts **list)
{
  const char *items = take (reader, n, sizeof (struct bbl_count));
  struct bbp_counts *counts = items ? calloc (1, sizeof *counts) : NULL;
  *list = counts;
  if (!counts || (n && bbp_counts_make (counts, n)))
    return false;
  for (uint64_t i = 0; i < n; i++)
    {
      struct bbl_count count;
      memcpy (&count, items + i * sizeof count, sizeof count);
      bbp_counts_append (counts, count.from, count.self, count.count);
    }
  bbp_counts_unite (counts);
  return true;
}

/* Copies N counters of a module into a new list; null if there are none. */
static bool
take_counters (struct reader *reader, uint64_t n, int64_t **counters)
{
  const void *at = take (reader, n, sizeof (int64_t));
  *counters = at && n ? malloc (n * sizeof (int64_t)) : NULL;
  if (*counters)
    memcpy (*counters, at, n * sizeof (int64_t));
  return at && (n == 0 || *counters);
}

static bool
take_module (struct reader *reader)
{
  struct bbl_baseline content;
  const void *at = take (reader, 1, sizeof content);
  struct restored_module *restored = at ? calloc (1, sizeof *restored) : NULL;
  if (!restored)
    return false;
  memcpy (&content, at, sizeof content);
  restored->ncounts = content.ncounts ? content.ncounts : content.nstop;
  restored->module.number = (unsigned) content.module;
  restored->module.next = bbp.modules;
  bbp.modules = &restored->module;
  return (!content.ncounts || !content.nstop || content.ncounts == content.nstop)
         && take_counters (reader, content.ncounts, &restored->module.baseline)
         && take_counters (reader, content.nstop, &restored->module.at_stop);
}

static bool
take_all (struct reader *reader)
{
  const void *at = take (reader, 1, sizeof state);
  if (!at)
    return false;
  memcpy (&state, at, sizeof state);
  bool ok = take_objects (reader);
  for (int kind = 0; ok && kind < BBP_KINDS; kind++)
    ok = take_counts (reader, state.ncounts[2 * kind], &bbp.settled[kind])
         && take_counts (reader, state.ncounts[2 * kind + 1], &bbp.retired[kind]);
  for (int kind = 0; ok && kind < BBP_FLOWS; kind++)
    ok = take_counts (reader, state.nflows[kind], &bbp.retired_flow[kind]);
  ok = ok && take_counts (reader, state.nin_flight[0], &bbp.in_flight_before)
       && take_counts (reader, state.nin_flight[1], &bbp.in_flight_at_stop);
  for (uint64_t i = 0; ok && i < state.nmodules; i++)
    ok = take_module (reader);
  return ok && state.high - state.low <= MOST_TEXT && state.rate <= 1000000;
}

bool
rebuild_state (const struct live_file *file, const struct bbl_slice *slice, struct error *err)
{
  struct reader reader = { (const char *) (slice + 1), slice->content };
  if (!take_all (&reader))
    return error_set (err, file->name, slice->offset, "damaged state, or out of memory");
  tick = file->head->tick;
  bbp.run = slice->run;
  bbp.pid = (int) file->head->pid;
  bbp.low = state.low;
  bbp.high = state.high;
  bbp.own_low = state.own_low;
  bbp.own_high = state.own_high;
  bbp.started = bbp.low < bbp.high;
  bbp.lost_arcs = state.lost_calls;
  bbp.lost_samples = tick.lost_samples;
  bbp.own_samples = tick.own_samples;
  bbp.lost_unloaded = state.lost_unloaded;
  bbp.lost_nowhere = state.lost_nowhere;
  bbp.lost_dumps = state.lost_dumps;
  bbp.lost_flow = state.lost_flow;
  bbp.lost_slices = file->head->missing;
  bbp.inexact = state.inexact;
  bbp.stopped = state.stopped;
  bbp.dumps = state.dumps + 1;
  return true;
}

uint64_t
state_counts (const struct bbp_module *module)
{
  return ((const struct restored_module *) module)->ncounts;
}

int
state_rate (void)
{
  return (int) state.rate;
}

/* Functions that the run-time library calls for facts about the process.  Here they answer from
   the state.  System calls are those of the current process. */

struct bbp_object *
bbp_object_executable (void)
{
  return objects;
}

struct bbp_object *
bbp_object_at (uintptr_t address)
{
  for (struct bbp_object *object = objects; object; object = object->next)
    if (object->presence != BBP_UNLOADED && bbp_object_holds (object, address))
      return object;
  return NULL;
}

/* There is no loader to search for further objects. */
void
bbp_objects_find_counted (void)
{
}

static uint64_t
count_samples (void)
{
  uint64_t taken = tick.left_out + bbp.own_samples + bbp.lost_samples
                   + bbp_counts_sum (bbp.retired[BBP_SAMPLES])
                   - bbp_counts_sum (bbp.settled[BBP_SAMPLES]);
  for (const struct bbp_sample_table *table = bbp.samples; table; table = table->older)
    for (size_t i = 0; i <= table->mask; i++)
      taken += table->slots[i].count;
  return taken;
}

/* The number of ticks that did not reach their threads was not recorded. */
static void
describe_sampling (struct bbp_sampling_facts *facts)
{
  *facts = (struct bbp_sampling_facts) {
    .taken = count_samples (),
    .due = tick.ticks_due,
    .wall = tick.wall,
    .cpu = tick.cpu,
  };
}

static void
describe_run (struct bbx_run *run)
{
  *run = (struct bbx_run) {
    .started = state.started,
    .wall = tick.wall,
    .cpu = tick.cpu,
    .pid = (uint32_t) bbp.pid,
    .parent = state.parent,
    .rate = state.rate,
    .dump = bbp.dumps,
    .samples = count_samples (),
  };
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    run->threads++;
}

/* No threads run, so there is nothing to wait for. */
static void
nothing (void)
{
}

static bool
no_more (void)
{
  return false;
}

static bool
whole (void)
{
  return true;
}

/* The live file does not contain the selection of functions. */
static bool
hides_none (uintptr_t block)
{
  (void) block;
  return false;
}

static void
write_none (struct bbp_out *out)
{
  (void) out;
}

/* The unwind tables are lost with the process. */
static uintptr_t
no_begin (uintptr_t address)
{
  (void) address;
  return 0;
}

static bool
is_not_known (uintptr_t a, uintptr_t b)
{
  (void) a;
  (void) b;
  return false;
}

/* The live file does not say on which one the process ran. */
static bool
describe_no_machine (struct bbx_machine *machine)
{
  (void) machine;
  return false;
}

/* The process knew the lines, and the names. */
static uint64_t
language_address (uintptr_t key)
{
  return BBX_LANGUAGE_ADDRESS (key >> 32, 0);
}

const struct bbp_dump_above bbp_dump_above = {
  .pause_begin = nothing,
  .pause_more = no_more,
  .pause_is_complete = whole,
  .totals_taken = nothing,
  .pause_end = nothing,
  .hides = hides_none,
  .write_selection = write_none,
  .describe_run = describe_run,
  .describe_machine = describe_no_machine,
  .rate = state_rate,
  .describe_sampling = describe_sampling,
  .describe_thread = stacks_describe_thread,
  .reset_samples = nothing,
  .settle_samples = nothing,
  .language_address = language_address,
  .write_languages = write_none,
  .write_rank = write_none,
  .changed = nothing,
  .code_at = rebuild_code_at,
  .decoder = rebuild_decoder,
  .code_slot = rebuild_code_slot,
  .function_begin = no_begin,
  .is_one_function = is_not_known,
};
