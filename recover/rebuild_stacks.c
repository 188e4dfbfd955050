/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled stacks.  The calling context tree and the addresses of objects are used in place,
   in the copy of the file.  Their readers skip what is invalid. */
#include <stdlib.h>
#include <string.h>

#include "recover/rebuild_state.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

static uint32_t last_thread;              /* that has a root in the tree */
static const struct bbx_thread **threads; /* by number, as far as they were recorded */

static bool
damaged (const struct live_file *file, const struct bbl_slice *slice, struct error *err)
{
  return error_set (err, file->name, slice->offset, "damaged: stacks");
}

/* Adds the segment SLICE to LIST; a second one of the same number is unused. */
static bool
take_segment (const struct live_file *file, struct bbl_slice *slice, struct bbp_segments *list,
              struct error *err)
{
  uint32_t i = slice->number - 1;
  if (i >= BBP_SEGMENTS || slice->content != (uint64_t) bbp_segments_room (list, i) * list->bytes)
    return damaged (file, slice, err);
  uint32_t end = bbp_segments_room (list, i + 1) - list->first;
  if (!list->segment[i])
    list->segment[i] = slice + 1;
  list->used = list->used < end ? end : list->used;
  return true;
}

static bool
take (const struct live_file *file, struct bbl_slice *slice, struct error *err)
{
  switch (slice->kind)
    {
    case BBL_CONTEXTS: return take_segment (file, slice, &bbp_contexts, err);
    case BBL_MAPPINGS: return take_segment (file, slice, &bbp_mappings, err);
    case BBL_COLLECTED:
      if (slice->content != sizeof *bbp_collected)
        return damaged (file, slice, err);
      bbp_collected = (struct bbp_collected *) (slice + 1);
      return true;
    default: return true;
    }
}

/* Finds the last valid node; behind it there is only room.  Threads are numbered from 1, and each
   has a root. */
static void
scan_nodes (void)
{
  uint32_t last = 0;
  for (uint32_t number = 1; number <= bbp_contexts.used; number++)
    {
      const struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
      if (!node || !node->mark)
        continue;
      last = number;
      if (node->mark == BBX_FRAME_THREAD + 1 && node->address <= bbp_contexts.used
          && node->address > last_thread)
        last_thread = (uint32_t) node->address;
    }
  bbp_contexts.used = last;
}

static void
take_threads (const struct bbl_slice *slice)
{
  const struct bbx_thread *thread = (const struct bbx_thread *) (slice + 1),
                          *stop = thread + slice->content / sizeof *thread;
  for (; thread < stop; thread++)
    if (thread->number <= last_thread)
      threads[thread->number] = thread;
}

bool
rebuild_stacks (const struct live_file *file, struct error *err)
{
  for (struct bbl_slice *slice = live_next (file, NULL); slice; slice = live_next (file, slice))
    if (!take (file, slice, err))
      return false;
  scan_nodes ();
  threads = calloc ((size_t) last_thread + 1, sizeof *threads);
  if (!threads)
    return error_no_memory (err);
  for (struct bbl_slice *slice = live_next (file, NULL); slice; slice = live_next (file, slice))
    if (slice->kind == BBL_THREADS)
      take_threads (slice);
  return true;
}

/* Functions that the run-time library calls for facts about the process. */

/* Nothing is counted any more. */
void *
bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t bytes)
{
  (void) kind, (void) number, (void) of, (void) bytes;
  return NULL;
}

void
bbp_slice_ready (void *content)
{
  (void) content;
}

/* Describes the thread NUMBER; only its number, if the file had no room for more. */
bool
stacks_describe_thread (uint32_t number, struct bbx_thread *thread)
{
  if (number > last_thread)
    return false;
  *thread = threads[number] ? *threads[number] : (struct bbx_thread) { .number = number };
  thread->name[sizeof thread->name - 1] = '\0';
  return true;
}
