/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds clean-up blocks, which run only while an exception is handled: destructors and the like,
   from a landing pad to _Unwind_Resume or to the handler (catch).  The compiler gives them the
   lines of statements that ran without them, and merges other code of these into other lines. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/annotate/annotate.h"

/* State of a block of the map. */
enum {
  ORDINARY = 1, /* reachable from the function's entry or from a handler */
  UNWINDS = 2   /* can reach _Unwind_Resume or a handler */
};

static bool
calls (const struct instruction *code, const char *function)
{
  return (code->kind == INSTRUCTION_CALL || code->kind == INSTRUCTION_JUMP) && code->text
         && strstr (code->text, function);
}

static unsigned
find_calls (const struct annotation *a, const struct annotated_block *b)
{
  unsigned found = 0;
  for (size_t i = b->first; i < b->first + b->ninstructions; i++)
    {
      const struct instruction *code = &a->instructions[i].code;
      found |= calls (code, "<_Unwind_Resume") ? UNWINDS : 0;
      found |= calls (code, "<__cxa_begin_catch") ? UNWINDS | ORDINARY : 0;
    }
  return found;
}

/* One pass over all blocks; true: something changed. */
static bool
spread (const struct map *m, unsigned char *what)
{
  bool new = false;
  for (size_t i = 0; i < m->count; i++)
    for (size_t k = 0; k < m->blocks[i].nways; k++)
      {
        const size_t to = m->ways[m->blocks[i].first_way + k].to;
        const unsigned back = what[to] & UNWINDS, on = what[i] & ORDINARY;
        new |= (what[i] & back) != back || (what[to] & on) != on;
        what[i] |= (unsigned char) back;
        what[to] |= (unsigned char) on;
      }
  return new;
}

bool
annotate_cleanup (struct annotation *a)
{
  const struct map *m = &a->all->map;
  unsigned char *what = calloc (m->count + 1, 1);
  bool any = false;
  if (!what)
    return false;
  for (size_t i = 0; i < m->count; i++)
    what[i] = m->blocks[i].function == i ? ORDINARY : 0;
  for (size_t i = 0; i < a->nblocks; i++)
    if (a->blocks[i].block && a->blocks[i].block->map)
      {
        const unsigned found = find_calls (a, &a->blocks[i]);
        what[a->blocks[i].block->map - m->blocks] |= (unsigned char) found;
        any |= found != 0;
      }
  while (any && spread (m, what))
    ;
  for (size_t i = 0; any && i < a->nblocks; i++)
    if (a->blocks[i].block && a->blocks[i].block->map)
      a->blocks[i].cleanup = what[a->blocks[i].block->map - m->blocks] == UNWINDS;
  free (what);
  return true;
}
