/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks are executed only when an exception passes by: destructors and the like, from a
   landing place to _Unwind_Resume or to the handler (catch).  The compiler gives them lines of
   statements that ran without them, and whose other code has become part of other lines. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/annotate/annotate.h"

/* Of a block of the map. */
enum {
  ORDINARY = 1, /* control comes there from the function's entry, or from a handler */
  UNWINDS = 2   /* it can go on to _Unwind_Resume, or to a handler */
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

/* Once through all blocks; true: something is new. */
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
