/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rebuilds the run-time library's state from a live file.  Tables of threads, samples and copies
   of counters are used in place, in the copy of the file, if their sizes are right.  All else is
   rebuilt from the state (rebuild_state.c).  The run-time library's code that merges and writes
   counts is linked in; its functions that query the process are defined here instead. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <uthash.h>

#include "recover/rebuild.h"
#include "recover/rebuild_state.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"
#include "runtime/objects/objects.h"

struct bb *__bb_head; /* units of the historic layout count outside of the file */

static bool
damaged (const struct live_file *file, const void *place, struct error *err, const char *what)
{
  return error_set (err, file->name, (uint64_t) ((const char *) place - file->data), "damaged: %s",
                    what);
}

/* Has SLICE room for a head of HEAD bytes and N items of BYTES each? */
static bool
holds (const struct bbl_slice *slice, uint64_t head, uint64_t n, uint64_t bytes)
{
  return slice->content >= head && n <= (slice->content - head) / bytes;
}

/* A thread of the file, in the run-time library's list. */
struct numbered {
  struct bbp_thread thread;
  UT_hash_handle hh;
};

static struct bbp_thread *
thread_of (unsigned number)
{
  static struct numbered *all;
  struct numbered *found;
  HASH_FIND (hh, all, &number, sizeof number, found);
  if (found)
    return &found->thread;
  if (!(found = calloc (1, sizeof *found)))
    return NULL;
  found->thread.number = number;
  found->thread.next = bbp.threads;
  bbp.threads = &found->thread;
  HASH_ADD (hh, all, thread.number, sizeof number, found);
  return &found->thread;
}

/* A table without a size was not finished. */
static bool
take_arcs (const struct live_file *file, struct bbl_slice *slice, struct error *err)
{
  struct bbp_arc_table *table = (struct bbp_arc_table *) (slice + 1);
  if (!holds (slice, sizeof *table, 1, sizeof (struct bbp_arc)))
    return damaged (file, slice, err, "a table of arcs");
  uint64_t slots = table->mask / sizeof (struct bbp_arc) + 1;
  if (table->mask % sizeof (struct bbp_arc)
      || !holds (slice, sizeof *table, slots, sizeof (struct bbp_arc)))
    return damaged (file, slice, err, "a table of arcs");
  struct bbp_thread *thread = thread_of (slice->number);
  if (!thread)
    return error_no_memory (err);
  table->used = slots;
  table->older = thread->newest;
  thread->newest = table;
  return true;
}

static bool
take_samples (const struct live_file *file, struct bbl_slice *slice, struct error *err)
{
  struct bbp_sample_table *table = (struct bbp_sample_table *) (slice + 1);
  if (slice->content < sizeof *table || table->mask == UINT64_MAX
      || !holds (slice, sizeof *table, table->mask + 1, sizeof (struct bbp_sample)))
    return damaged (file, slice, err, "a table of samples");
  table->used = table->mask + 1;
  table->older = bbp.samples;
  bbp.samples = table;
  return true;
}

static struct bbp_module *
module_numbered (unsigned number)
{
  struct bbp_module *module = bbp.modules;
  while (module && module->number != number)
    module = module->next;
  return module;
}

/* Copies for unloaded modules, and unfinished ones, are skipped. */
static bool
take_counts (const struct live_file *file, struct bbl_slice *slice, struct error *err)
{
  struct bbp_copy *copy = (struct bbp_copy *) (slice + 1);
  struct bbp_module *module = module_numbered (slice->of);
  if (!module || !module->map_start)
    return true;
  struct bbp_thread *thread = thread_of (slice->number);
  if (!thread)
    return error_no_memory (err);
  if (!holds (slice, sizeof *copy, bbp_module_ncounts (module), sizeof (int64_t)))
    return damaged (file, slice, err, "block counts");
  copy->module = module;
  copy->next = thread->copies;
  thread->copies = copy;
  return true;
}

/* Does each record lie within the map, and does its counters within the module? */
static bool
is_map (const struct bbp_module *module)
{
  struct bbp_graph graph;
  bool good = bbp_graph_make (&graph, module) == 0;
  for (const struct bbp_map_function *function = NULL;
       good && (function = bbp_map_next (module, function));)
    good = bbp_graph_read (&graph, module, function);
  bbp_graph_free (&graph);
  return good;
}

#define MOST_APART (UINT64_C (1) << 32)

/* Map and counters refer to each other by their distance, so they are placed at that distance, at
   another address. */
static bool
put_down (struct bbp_module *module, const struct bbl_module *content, struct error *err)
{
  const int64_t *counts = (const int64_t *) (content + 1);
  uint64_t start = content->map_address < content->counts_address ? content->map_address
                                                                  : content->counts_address;
  uint64_t map_end = content->map_address + content->map_bytes;
  uint64_t counts_end = content->counts_address + content->ncounts * sizeof (int64_t);
  uint64_t bytes = (map_end > counts_end ? map_end : counts_end) - start;
  start -= start % BBL_PAGE, bytes += BBL_PAGE;
  char *place = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    return error_no_memory (err);
  char *map = place + (content->map_address - start);
  module->counts_start = (int64_t *) (place + (content->counts_address - start));
  module->counts_stop = module->counts_start + content->ncounts;
  module->map_start = map;
  module->map_stop = map + content->map_bytes;
  module->moved = (uintptr_t) place - start;
  memcpy (module->counts_start, counts, content->ncounts * sizeof (int64_t));
  memcpy (map, counts + content->ncounts, content->map_bytes);
  return true;
}

static bool
take_module (const struct live_file *file, struct bbl_slice *slice, struct error *err)
{
  const struct bbl_module *content = (const struct bbl_module *) (slice + 1);
  struct bbp_module *module = module_numbered (slice->number);
  if (!module)
    return true;
  if (!holds (slice, sizeof *content, content->ncounts, sizeof (int64_t))
      || content->map_bytes > slice->content - sizeof *content - content->ncounts * sizeof (int64_t)
      || content->map_address - content->counts_address + MOST_APART > 2 * MOST_APART
      || content->map_address % 4 || content->counts_address % sizeof (int64_t) || module->map_start
      || content->map_address + MOST_APART < MOST_APART
      || content->counts_address + MOST_APART < MOST_APART || !content->ncounts
      || ((module->baseline || module->at_stop) && state_counts (module) != content->ncounts))
    return damaged (file, slice, err, "a module");
  return put_down (module, content, err)
         && (is_map (module) || damaged (file, slice, err, "a map"));
}

/* Modules that had no room for a description in the file have no blocks. */
static void
drop_undescribed (void)
{
  for (struct bbp_module **link = &bbp.modules; *link;)
    if ((*link)->map_start)
      link = &(*link)->next;
    else
      *link = (*link)->next;
}

static const struct bbl_slice *
find_state (const struct live_file *file)
{
  const struct bbl_slice *state = NULL;
  for (struct bbl_slice *slice = live_next (file, NULL); slice; slice = live_next (file, slice))
    if (slice->kind == BBL_STATE && (!state || slice->number > state->number))
      state = slice;
  return state;
}

static bool
take_kind (const struct live_file *file, uint32_t kind, struct error *err,
           bool (*take) (const struct live_file *, struct bbl_slice *, struct error *))
{
  for (struct bbl_slice *slice = live_next (file, NULL); slice; slice = live_next (file, slice))
    if (slice->kind == kind && !take (file, slice, err))
      return false;
  return true;
}

/* Counts can be derived from counters only if the position of each thread was known when they
   were read. */
static void
note_killed (void)
{
  for (const struct bbp_thread *thread = bbp.modules ? bbp.threads : NULL; thread;
       thread = thread->next)
    bbp.killed++;
}

static bool
is_of_known_machine (const struct live_file *file, struct error *err)
{
  return rebuild_code_is_known ()
         || error_set (err, file->name, ERROR_NO_OFFSET,
                       "%s is for a processor that bbprof does not know",
                       bbp_object_executable ()->path);
}

bool
rebuild (struct live_file *file, struct error *err)
{
  const struct bbl_slice *state = find_state (file);
  if (!state)
    return error_set (err, file->name, ERROR_NO_OFFSET, "damaged: no state");
  if (!rebuild_state (file, state, err) || !is_of_known_machine (file, err)
      || !take_kind (file, BBL_MODULE, err, take_module))
    return false;
  drop_undescribed ();
  bool ok = take_kind (file, BBL_COUNTS, err, take_counts)
            && take_kind (file, BBL_ARCS, err, take_arcs)
            && (state_rate () == 0 || take_kind (file, BBL_SAMPLES, err, take_samples))
            && rebuild_stacks (file, err);
  note_killed ();
  return ok;
}
