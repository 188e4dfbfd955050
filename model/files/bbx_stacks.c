/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/bbx_numbers.h"
#include "model/files/bbx_stacks.h"

/* Code ends below this, as objects do. */
#define CODE_MOST (1UL << 56)

const char bbx_stacks_no_memory[] = "out of memory";

void
bbx_stacks_end_name (char *name, size_t size)
{
  size_t n = strnlen (name, size - 1);
  memset (name + n, 0, size - n);
}

const char *
bbx_stacks_add_sampling (struct bbx_stacks *s, const char *content, size_t size)
{
  struct bbx_sampling new;
  if (size < sizeof new)
    return "damaged description of the sampling";
  memcpy (&new, content, sizeof new);
  if (new.clock > 1 || new.rate == 0)
    return "damaged description of the sampling";
  new.unused = 0;
  bbx_stacks_end_name (new.sampler, sizeof new.sampler);
  if (!array_grow (&s->samplings, s->nsamplings, &s->room_samplings, sizeof *s->samplings))
    return bbx_stacks_no_memory;
  s->samplings[s->nsamplings++] = new;
  return NULL;
}

const char *
bbx_stacks_add_thread (struct bbx_stacks *s, const char *content, size_t size)
{
  struct bbx_thread new;
  if (size < sizeof new)
    return "damaged description of a thread";
  memcpy (&new, content, sizeof new);
  if (new.number == 0)
    return "damaged description of a thread";
  bbx_stacks_end_name (new.name, sizeof new.name);
  if (!array_grow (&s->threads, s->nthreads, &s->room_threads, sizeof *s->threads))
    return bbx_stacks_no_memory;
  s->threads[s->nthreads++] = new;
  return NULL;
}

const char *
bbx_stacks_add_kernel (struct bbx_stacks *s, const char *content, size_t size)
{
  if (size > 0 && content[size - 1] != '\0')
    return "damaged names of the kernel's functions";
  for (const char *name = content; name < content + size; name += strlen (name) + 1)
    if (!bbx_kernel_add (&s->kernel, name))
      return bbx_stacks_no_memory;
  return NULL;
}

/* Can the node be in a tree of N others? */
static bool
is_possible (const struct bbx_node *node, uint64_t up, uint64_t kind, size_t n)
{
  const bool is_code = bbx_frame_is_code ((uint32_t) kind);
  if (up == 0 || up > n + 1 || kind >= BBX_FRAMES
      || (node->by_pointer && !is_code && kind != BBX_FRAME_ANONYMOUS))
    return false;
  if (kind == BBX_FRAME_THREAD)
    return up == n + 1 && node->address <= UINT32_MAX;
  if (kind == BBX_FRAME_LANGUAGE)
    return bbx_language_number (node->address) - 1 < BBX_FUNCTIONS_MOST - 1;
  return (!is_code && kind != BBX_FRAME_KERNEL_FUNCTION) || node->address < CODE_MOST;
}

const char *
bbx_stacks_add_contexts (struct bbx_stacks *s, const char *content, size_t size)
{
  static const char damaged[] = "damaged tree of contexts";
  struct bbx_contexts fixed;
  if (size < sizeof fixed || s->has_nodes)
    return damaged;
  memcpy (&fixed, content, sizeof fixed);
  s->has_nodes = true;
  const unsigned char *next = (const unsigned char *) content + sizeof fixed,
                      *stop = (const unsigned char *) content + size;
  for (uint64_t before = 0; next < stop;)
    {
      struct bbx_node node;
      uint64_t up, kind;
      if (!bbx_number (&next, stop, &up) || !bbx_number (&next, stop, &kind)
          || !bbx_number (&next, stop, &node.address) || !bbx_number (&next, stop, &node.ticks))
        return damaged;
      node.address = before += bbx_unfold (node.address);
      node.by_pointer = kind & BBX_FRAME_BY_POINTER;
      kind &= ~(uint64_t) BBX_FRAME_BY_POINTER;
      if (!is_possible (&node, up, kind, s->nnodes) || s->nnodes == UINT32_MAX - 1)
        return damaged;
      node.parent = (uint32_t) (s->nnodes + 1 - up);
      node.kind = (uint32_t) kind;
      if (!array_grow (&s->nodes, s->nnodes, &s->room_nodes, sizeof *s->nodes))
        return bbx_stacks_no_memory;
      s->nodes[s->nnodes++] = node;
    }
  return s->nnodes == fixed.n ? NULL : damaged;
}

/* Threads with a description come first. */
static int
compare_threads (const void *a, const void *b, void *context)
{
  const struct bbx_thread *x = a, *y = b;
  (void) context;
  return x->number < y->number ? -1 : x->number > y->number;
}

bool
bbx_stacks_finish (struct bbx_stacks *s)
{
  for (size_t i = 0; i < s->nnodes; i++)
    if (s->nodes[i].kind == BBX_FRAME_THREAD)
      {
        if (!array_grow (&s->threads, s->nthreads, &s->room_threads, sizeof *s->threads))
          return false;
        s->threads[s->nthreads++]
            = (struct bbx_thread) { .number = (uint32_t) s->nodes[i].address };
      }
  if (!array_sort (s->threads, s->nthreads, sizeof *s->threads, compare_threads, NULL))
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < s->nthreads; i++)
    if (i == 0 || s->threads[i].number != s->threads[kept - 1].number)
      s->threads[kept++] = s->threads[i];
  s->nthreads = kept;
  return bbx_languages_finish (&s->languages);
}

void
bbx_stacks_free (struct bbx_stacks *s)
{
  bbx_kernel_free (&s->kernel);
  free (s->samplings);
  free (s->threads);
  free (s->nodes);
  bbx_languages_free (&s->languages);
  memset (s, 0, sizeof *s);
}
