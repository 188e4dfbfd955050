/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "common/visible.h"
#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"
#include "tools/view/block_row.h"

/* The symbol table makes names in brackets for code without symbols. */
static const char *
function_name (const struct block *block, const struct bbx_run_block *said)
{
  const char *symbol = block->symbol ? block->symbol->name : NULL;
  return said && *said->function && (!symbol || *symbol == '[') ? said->function : symbol;
}

bool
block_row_describe (struct block_row *row, const struct model *m)
{
  struct srcline line;
  const struct block *block = row->block;
  const struct bbx_run_block *said = block_names_find (&m->block_names, block->start);
  if (block->object && srcline_find (block->object, block->start, &line))
    {
      row->file = line.file;
      row->line = line.line;
    }
  else if (said && *said->file)
    {
      row->file = said->file;
      row->line = (unsigned) said->line;
    }
  const char *name = function_name (block, said);
  row->function = name ? demangle_name (model_program (m), name) : NULL;
  return !name || row->function || (row->function = strdup (name));
}

void
block_row_place (char *to, size_t size, const struct block_row *row)
{
  if (!row->file)
    snprintf (to, size, "?");
  else if (snprintf (to, size, "%s:%u", visible (row->file), row->line) > BLOCK_ROW_PLACE)
    snprintf (to, size, "%s:%u", visible (srcline_base (row->file)), row->line);
}
