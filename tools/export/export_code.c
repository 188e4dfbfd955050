/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/elf/demangle.h"
#include "tools/export/export_code.h"

enum { MOST_FRAMES = 64 };

/* The functions of blocks, which are in the order of their addresses. */
static bool
find_functions (struct found *f, const struct blocks *b)
{
  f->symbols = malloc ((b->count + 1) * sizeof *f->symbols);
  for (size_t i = 0; f->symbols && i < b->count; i++)
    {
      const struct symbol *s = b->blocks[i].symbol;
      if (s && s->object && s->object->image.bfd
          && (f->count == 0 || f->symbols[f->count - 1] != s))
        f->symbols[f->count++] = s;
    }
  return f->symbols != NULL;
}

bool
export_code_read (struct annotation *a, const struct export_view *v, struct error *err)
{
  struct found found = { .every_line = true };
  *a = (struct annotation) { 0 };
  bool ok = (find_functions (&found, &v->blocks) || error_no_memory (err))
            && annotate (a, v->model, &v->blocks, &found, err);
  found_free (&found);
  return ok;
}

const struct annotated_instruction *
export_code_at (const struct annotation *a, uint64_t address)
{
  size_t i = ARRAY_BEFORE (n, a->ninstructions, a->instructions[n].code.address < address);
  return i < a->ninstructions && a->instructions[i].code.address == address ? &a->instructions[i]
                                                                            : NULL;
}

char *
export_symbol_name (const struct model *m, const struct symbol *s)
{
  char *name = demangle_name (model_program (m), s->name);
  return name ? name : strdup (s->name);
}

bool
export_function_line (const struct symbol *s, struct srcline *line)
{
  struct srcline frames[MOST_FRAMES];
  size_t n = s->object ? srcline_inlined (s->object, s->address, frames, MOST_FRAMES) : 0;
  if (n == 0 || n > MOST_FRAMES)
    return false;
  *line = frames[n - 1];
  return line->file != NULL;
}
