/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "model/files/bbx_numbers.h"
#include "model/files/bbx_write.h"

/* The content of a chunk while it is made. */
struct content {
  FILE *file;
  char *bytes;
  size_t size;
};

static bool
begin (struct content *c)
{
  c->bytes = NULL;
  c->file = open_memstream (&c->bytes, &c->size);
  return c->file != NULL;
}

static void
put (struct content *c, const void *bytes, size_t n)
{
  fwrite (bytes, 1, n, c->file);
}

/* With its terminator. */
static void
put_text (struct content *c, const char *text)
{
  put (c, text, strlen (text) + 1);
}

/* Writes the complete chunk of TYPE. */
static bool
end (struct output *o, struct content *c, uint32_t type)
{
  bool ok = !ferror (c->file);
  ok &= fclose (c->file) == 0;
  struct bbx_chunk chunk = { .type = type, .length = c->size };
  if (ok)
    {
      uLong crc = crc32_z (0, (unsigned char *) &chunk.type, sizeof chunk.type);
      crc = crc32_z (crc, (unsigned char *) &chunk.length, sizeof chunk.length);
      chunk.crc = (uint32_t) crc32_z (crc, (unsigned char *) c->bytes, c->size);
      fwrite (&chunk, sizeof chunk, 1, o->file);
      fwrite (c->bytes, 1, c->size, o->file);
      output_zeros (o, -c->size & 7);
    }
  free (c->bytes);
  return ok;
}

void
bbx_write_header (struct output *o, uint64_t run)
{
  struct bbx_header header = { .version = BBX_VERSION, .bytes = sizeof header, .run = run };
  memcpy (header.magic, BBX_MAGIC, sizeof header.magic);
  fwrite (&header, sizeof header, 1, o->file);
}

bool
bbx_write_run (struct output *o, const struct bbx_process *run)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &run->fixed, offsetof (struct bbx_run, program));
  put_text (&c, run->program ? run->program : "");
  return end (o, &c, BBX_TYPE_RUN);
}

static bool
write_image (struct output *o, const struct bbx_run_object *object)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_image) { .base = object->fixed.base }, sizeof (struct bbx_image));
  put (&c, object->image, object->image_bytes);
  return end (o, &c, BBX_TYPE_IMAGE);
}

bool
bbx_write_object (struct output *o, const struct bbx_run_object *object)
{
  struct content c;
  struct bbx_object fixed = object->fixed;
  if (!begin (&c))
    return false;
  fixed.build_id_bytes = (uint32_t) object->build_id.size;
  fixed.path_bytes = (uint32_t) strlen (object->path) + 1;
  put (&c, &fixed, offsetof (struct bbx_object, data));
  put (&c, object->build_id.bytes, object->build_id.size);
  put_text (&c, object->path);
  return end (o, &c, BBX_TYPE_OBJECT) && (!object->image || write_image (o, object));
}

static void
put_number (struct content *c, uint64_t value)
{
  for (; value >= 128; value >>= 7)
    putc ((int) (value & 127) | 128, c->file);
  putc ((int) value, c->file);
}

static void
put_edges (struct content *c, const struct edge *list, size_t n)
{
  uint64_t before = 0;
  for (size_t i = 0; i < n; i++)
    {
      put_number (c, bbx_fold (list[i].from - before));
      put_number (c, bbx_fold (list[i].to - list[i].from));
      put_number (c, list[i].count);
      before = list[i].from;
    }
}

bool
bbx_write_edges (struct output *o, const struct edge *list, size_t n)
{
  struct content c;
  if (!begin (&c))
    return false;
  put_edges (&c, list, n);
  return end (o, &c, BBX_TYPE_EDGES);
}

bool
bbx_write_open (struct output *o, uint32_t which, const struct edge *list, size_t n)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_open) { .version = BBX_OPEN_VERSION, .list = which },
       sizeof (struct bbx_open));
  put_edges (&c, list, n);
  return end (o, &c, BBX_TYPE_OPEN);
}

bool
bbx_write_jumps (struct output *o, uint32_t variant, const struct edge *list, size_t n)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_jumps) { .variant = variant }, sizeof (struct bbx_jumps));
  put_edges (&c, list, n);
  return end (o, &c, BBX_TYPE_JUMPS);
}

bool
bbx_write_word (struct output *o, const struct bbx_run_word *word)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_select) { .flags = word->flags, .functions = (uint32_t) word->nfunctions },
       offsetof (struct bbx_select, function));
  put (&c, word->functions, word->nfunctions * sizeof *word->functions);
  put_text (&c, word->name);
  put_text (&c, word->file);
  return end (o, &c, BBX_TYPE_SELECT);
}

bool
bbx_write_block (struct output *o, const struct bbx_run_block *block)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_block) { .address = block->address, .line = block->line },
       offsetof (struct bbx_block, data));
  put_text (&c, block->function);
  put_text (&c, block->file);
  return end (o, &c, BBX_TYPE_BLOCK);
}

bool
bbx_write_unit (struct output *o, const struct bbx_run_unit *unit)
{
  struct content c;
  if (!begin (&c))
    return false;
  struct bbx_unit fixed
      = { .counters = unit->counters, .ncounters = unit->ncounters, .blocks = unit->nblocks };
  put (&c, &fixed, offsetof (struct bbx_unit, block));
  put (&c, unit->blocks, unit->nblocks * sizeof *unit->blocks);
  put_text (&c, unit->name);
  return end (o, &c, BBX_TYPE_UNIT);
}

bool
bbx_write_losses (struct output *o, const struct bbx_loss *list, size_t n)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, list, n * sizeof *list);
  return end (o, &c, BBX_TYPE_LOSSES);
}

bool
bbx_write_machine (struct output *o, const struct bbx_machine *machine)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, machine, sizeof *machine);
  return end (o, &c, BBX_TYPE_MACHINE);
}

bool
bbx_write_time (struct output *o, const struct bbx_time *time)
{
  struct content c;
  if (time->ticks == 0)
    return true;
  if (!begin (&c))
    return false;
  put (&c, time, sizeof *time);
  return end (o, &c, BBX_TYPE_TIME);
}

bool
bbx_write_sampling (struct output *o, const struct bbx_sampling *sampling)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, sampling, sizeof *sampling);
  return end (o, &c, BBX_TYPE_SAMPLING);
}

bool
bbx_write_thread (struct output *o, const struct bbx_thread *thread)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, thread, sizeof *thread);
  return end (o, &c, BBX_TYPE_THREAD);
}

/* Nothing, if there are none. */
bool
bbx_write_kernel (struct output *o, const struct bbx_kernel *kernel)
{
  struct content c;
  if (!kernel->functions)
    return true;
  if (!begin (&c))
    return false;
  struct bbx_kernel_function *at = NULL;
  for (const char *name; (name = bbx_kernel_next (kernel, &at));)
    put_text (&c, name);
  return end (o, &c, BBX_TYPE_KERNEL);
}

bool
bbx_write_contexts (struct output *o, const struct bbx_node *nodes, size_t n)
{
  struct content c;
  uint64_t before = 0;
  if (!begin (&c))
    return false;
  put (&c, &(struct bbx_contexts) { .n = n }, sizeof (struct bbx_contexts));
  for (size_t i = 0; i < n; i++)
    {
      put_number (&c, i + 1 - nodes[i].parent);
      put_number (&c, nodes[i].kind | (nodes[i].by_pointer ? BBX_FRAME_BY_POINTER : 0));
      put_number (&c, bbx_fold (nodes[i].address - before));
      put_number (&c, nodes[i].ticks);
      before = nodes[i].address;
    }
  return end (o, &c, BBX_TYPE_CONTEXTS);
}

bool
bbx_write_language (struct output *o, const struct bbx_language *language)
{
  struct content c;
  if (!begin (&c))
    return false;
  put (&c, language, sizeof *language);
  return end (o, &c, BBX_TYPE_LANGUAGE);
}

bool
bbx_write_spoken (struct output *o, const struct bbx_spoken *function)
{
  struct content c;
  const struct bbx_function fixed
      = { .number = function->number, .language = function->language, .line = function->line };
  if (!begin (&c))
    return false;
  put (&c, &fixed, sizeof fixed);
  put_text (&c, function->name);
  put_text (&c, function->file);
  return end (o, &c, BBX_TYPE_FUNCTION);
}

static void
put_rank_calls (struct content *c, const struct bbx_run_rank *rank)
{
  uint64_t before = 0;
  for (size_t i = 0; i < rank->ncalls; i++)
    {
      const struct bbx_rank_call *call = &rank->calls[i];
      const uint64_t numbers[] = { bbx_fold (call->site - before),
                                   call->call,
                                   call->calls,
                                   call->nanoseconds,
                                   call->bytes,
                                   call->judged,
                                   call->last,
                                   call->spread,
                                   call->waited };
      for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        put_number (c, numbers[k]);
      before = call->site;
    }
}

static void
put_rank_list (struct content *c, const struct bbx_rank_counts *list)
{
  uint64_t before = 0;
  put_number (c, list->n);
  for (size_t i = 0; i < list->n; i++)
    {
      put_number (c, bbx_fold (list->items[i].address - before));
      put_number (c, list->items[i].count);
      before = list->items[i].address;
    }
}

bool
bbx_write_rank (struct output *o, const struct bbx_run_rank *rank)
{
  struct content c;
  struct bbx_rank fixed = rank->fixed;
  if (!begin (&c))
    return false;
  fixed.calls = rank->ncalls;
  put (&c, &fixed, sizeof fixed);
  put_rank_calls (&c, rank);
  for (int i = 0; fixed.flags & BBX_RANK_COUNTS && i < BBX_RANK_LISTS; i++)
    put_rank_list (&c, &rank->lists[i]);
  return end (o, &c, BBX_TYPE_RANK);
}

bool
bbx_write_end (struct output *o)
{
  struct content c;
  return begin (&c) && end (o, &c, BBX_TYPE_END);
}
