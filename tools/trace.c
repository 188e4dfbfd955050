/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "name.h"
#include "runtime/bbprof-abi.h"
#include "srcline.h"
#include "trace_model.h"

/* The program.  */

static const struct block *
locate (const struct trace *t, uint64_t address)
{
  size_t low = 0, high = t->located.count;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (t->located.blocks[middle].start <= address)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && address < t->located.blocks[low - 1].end ? &t->located.blocks[low - 1] : NULL;
}

uint32_t
trace_block_at (const struct trace *t, uint64_t address)
{
  const struct block *b = locate (t, address);
  return b && b->map ? (uint32_t) (b->map - t->located.map.blocks) : GRAPH_NO_BLOCK;
}

static bool
describe_function (struct trace *t, uint32_t i)
{
  const struct graph_function *from = &t->graph.functions[i];
  struct trace_function *to = &t->functions[i];
  const struct block *b = locate (t, t->graph.blocks[from->first].start);
  const char *symbol = b && b->symbol ? b->symbol->name : "?";
  char *name = name_demangle (model_program (&t->model), symbol);
  if (!name && !(name = strdup (symbol)))
    return false;
  *to = (struct trace_function) { .name = name,
                                  .symbol = symbol,
                                  .object = b && b->object ? b->object->path : "?",
                                  .blocks = &t->blocks[from->first],
                                  .nblocks = from->nblocks,
                                  .number = i };
  return true;
}

/* An empty block has no place of its own. */
static void
describe_block (struct trace *t, uint32_t i)
{
  const struct graph_block *from = &t->graph.blocks[i];
  const struct map_block *map = &t->located.map.blocks[i];
  const struct block *b = locate (t, from->start);
  uint64_t base = b && b->object ? b->object->base : 0;
  t->blocks[i] = (struct trace_block) { .address = from->start - base,
                                        .end = (b && b->map == map ? b->end : from->start) - base,
                                        .function = &t->functions[from->function],
                                        .index = i - t->graph.functions[from->function].first,
                                        .number = i,
                                        .nsuccessors = from->nways,
                                        .ways = from->nways + (from->nways && (map->shape & BBP_BLOCK_OUT)) };
}

static bool
read_program (struct trace *t, struct warnings *warnings, struct error *err)
{
  struct objects *objects = &t->model.objects;
  if (!trace_objects_open (&t->places, objects, &t->pieces, warnings, err)
      || !symtab_load (&t->model.symtab, objects, SYMTAB_PARTS, err)
      || !blocks_build (&t->located, objects, &t->model.symtab, &t->model.profile, err))
    return false;
  if (!graph_make (&t->graph, &t->located.map))
    return error_no_memory (err);
  t->functions = calloc ((size_t) t->graph.nfunctions + 1, sizeof *t->functions);
  t->blocks = calloc ((size_t) t->graph.nblocks + 1, sizeof *t->blocks);
  if (!t->functions || !t->blocks)
    return error_no_memory (err);
  for (uint32_t i = 0; i < t->graph.nfunctions; i++)
    if (!describe_function (t, i))
      return error_no_memory (err);
  for (uint32_t i = 0; i < t->graph.nblocks; i++)
    describe_block (t, i);
  return true;
}

/* Threads and handlers.  */

static const struct bbt_piece *
first_head (const struct trace *t, size_t stream)
{
  return &t->pieces.streams[stream].entries[0].head;
}

static bool
has_stream (const struct trace *t, uint32_t number)
{
  size_t low = 0, high = t->pieces.nstreams;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (t->pieces.streams[middle].number < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low < t->pieces.nstreams && t->pieces.streams[low].number == number && t->pieces.streams[low].nentries > 0;
}

/* A handler whose parent has left nothing stands for itself. */
static bool
is_handler (const struct trace *t, size_t stream)
{
  const struct bbt_piece *head = first_head (t, stream);
  return head->parent != 0 && head->parent < head->stream && has_stream (t, head->parent);
}

static uint64_t
since_start (const struct trace *t, uint64_t time)
{
  return time > t->pieces.about.started ? time - t->pieces.about.started : 0;
}

static void
add_thread (struct trace *t, uint32_t stream)
{
  const struct pieces_stream *s = &t->pieces.streams[stream];
  const struct bbt_piece *head = &s->entries[0].head, *last = &s->entries[s->nentries - 1].head;
  t->threads[t->nthreads] = (struct trace_thread) { .number = (unsigned) t->nthreads,
                                                    .tid = (int) head->tid,
                                                    .name = last->name,
                                                    .start = since_start (t, head->started),
                                                    .end = since_start (t, last->ended ? last->ended : last->started) };
  t->thread_streams[t->nthreads++] = stream;
}

static void
add_handler (struct trace *t, uint32_t stream)
{
  const struct bbt_piece *head = first_head (t, stream);
  t->handlers[t->nhandlers++] = (struct trace_handler) { .parent = head->parent,
                                                         .sequence = head->parent_sequence,
                                                         .bits = (uint64_t) head->parent_words * 64 + head->parent_rest,
                                                         .tokens = head->parent_tokens,
                                                         .stream = stream };
}

static int
compare_handlers (const void *a, const void *b, void *context)
{
  const struct trace_handler *x = a, *y = b;
  (void) context;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (x->sequence != y->sequence)
    return x->sequence < y->sequence ? -1 : 1;
  return x->bits < y->bits ? -1 : x->bits > y->bits;
}

static bool
find_threads (struct trace *t)
{
  size_t n = t->pieces.nstreams + 1;
  t->threads = calloc (n, sizeof *t->threads);
  t->thread_streams = calloc (n, sizeof *t->thread_streams);
  t->handlers = calloc (n, sizeof *t->handlers);
  if (!t->threads || !t->thread_streams || !t->handlers)
    return false;
  for (uint32_t i = 0; i < t->pieces.nstreams; i++)
    if (t->pieces.streams[i].nentries == 0)
      continue;
    else if (is_handler (t, i))
      add_handler (t, i);
    else
      add_thread (t, i);
  return array_sort (t->handlers, t->nhandlers, sizeof *t->handlers, compare_handlers, NULL);
}

/* From the longest piece. */
static void
find_rate (struct trace *t)
{
  uint64_t longest = 0;
  for (size_t i = 0; i < t->pieces.nstreams; i++)
    for (size_t k = 0; k < t->pieces.streams[i].nentries; k++)
      {
        const struct bbt_piece *head = &t->pieces.streams[i].entries[k].head;
        if (head->ended <= head->started || head->ended_tsc <= head->started_tsc || head->ended - head->started <= longest)
          continue;
        longest = head->ended - head->started;
        t->rate = (double) longest / (double) (head->ended_tsc - head->started_tsc);
      }
}

/* The interface.  */

/* The error outlives the trace: a name that is not PATH goes into its text. */
static void
detach (struct error *err, const char *path)
{
  struct error own = *err;
  if (own.file && own.file != path)
    error_set (err, NULL, own.offset, "%.100s: %.130s", own.file, own.text);
}

struct trace *
trace_open (const char *path, struct warnings *warnings, struct error *err)
{
  struct trace *t = calloc (1, sizeof *t);
  if (!t)
    {
      error_no_memory (err);
      return NULL;
    }
  bool ok = pieces_open (&t->pieces, path, err) && (t->pieces.whole || warnings_add (warnings, &t->pieces.why))
            && read_program (t, warnings, err) && (find_threads (t) || error_no_memory (err));
  if (!ok)
    {
      detach (err, path);
      trace_close (t);
      return NULL;
    }
  find_rate (t);
  return t;
}

void
trace_close (struct trace *t)
{
  if (!t)
    return;
  for (uint32_t i = 0; t->functions && i < t->graph.nfunctions; i++)
    free ((char *) t->functions[i].name);
  free (t->functions);
  free (t->blocks);
  free (t->threads);
  free (t->thread_streams);
  free (t->handlers);
  graph_free (&t->graph);
  blocks_free (&t->located);
  trace_objects_free (&t->places);
  model_free (&t->model);
  pieces_close (&t->pieces);
  free (t);
}

size_t
trace_blocks (const struct trace *t)
{
  return t->graph.nblocks;
}

size_t
trace_functions (const struct trace *t)
{
  return t->graph.nfunctions;
}

size_t
trace_threads (const struct trace *t, const struct trace_thread **threads)
{
  *threads = t->threads;
  return t->nthreads;
}

const char *
trace_line (const struct trace *t, const struct trace_block *b, unsigned *line)
{
  struct srcline found;
  uint64_t address = t->graph.blocks[b->number].start;
  const struct object *o = objects_find (&t->model.objects, address);
  bool known = o && srcline_find (o, address, &found);
  *line = known ? found.line : 0;
  return known ? found.file : NULL;
}
