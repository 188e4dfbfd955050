/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <stdlib.h>

#include "common/array.h"
#include "model/lines/line_table.h"

/* The registers of the machine that runs line programs. */
struct machine {
  struct line_table *table;
  struct dwarf_bytes program;
  uint64_t address, file, line;
  unsigned operation;
  size_t first;      /* row of the sequence */
  bool out_of_order; /* a row of it is below the one before */
  unsigned last_operation;
};

static void
begin_sequence (struct machine *m)
{
  m->address = m->operation = 0;
  m->line = 1;
  m->file = m->table->files.version < 5 ? 1 : LINE_UNNAMED;
  m->first = m->table->nrows;
  m->out_of_order = false;
}

/* Adds a row for the current address.  It replaces the last one if that has the same address, and
   neither is an END. */
static bool
add_row (struct machine *m, bool end)
{
  struct line_table *t = m->table;
  struct line_row *last = t->nrows > m->first ? &t->rows[t->nrows - 1] : NULL;
  struct line_row row = { .address = m->address,
                          .file = end ? LINE_GAP : (uint32_t) m->file,
                          .line = (uint32_t) m->line };
  if (last && !end && last->address == row.address && m->last_operation == m->operation)
    {
      *last = row;
      return true;
    }
  m->out_of_order |= last && row.address < last->address;
  m->last_operation = m->operation;
  if (!array_grow (&t->rows, t->nrows, &t->room_rows, sizeof *t->rows))
    return false;
  t->rows[t->nrows++] = row;
  return true;
}

static int
compare_rows (const void *a, const void *b, void *context)
{
  const struct line_row *x = a, *y = b;
  (void) context;
  return x->address < y->address ? -1 : x->address > y->address;
}

static bool
end_sequence (struct machine *m)
{
  struct line_table *t = m->table;
  if (!add_row (m, true))
    return false;
  size_t count = t->nrows - m->first;
  struct line_row *rows = t->rows + m->first;
  if ((m->out_of_order && !array_sort (rows, count, sizeof *rows, compare_rows, NULL))
      || !array_grow (&t->sequences, t->nsequences, &t->room_sequences, sizeof *t->sequences))
    return false;
  t->sequences[t->nsequences++] = (struct line_sequence) {
    .low = rows[0].address, .high = rows[count - 1].address, .first = m->first, .count = count
  };
  begin_sequence (m);
  return true;
}

static void
advance (struct machine *m, uint64_t operations)
{
  const struct line_files *f = &m->table->files;
  uint64_t sum = m->operation + operations;
  m->address += sum / f->operations * f->instruction_bytes;
  m->operation = (unsigned) (sum % f->operations);
}

static bool
run_extended (struct machine *m)
{
  struct dwarf_bytes b = m->program;
  uint64_t size = dwarf_leb (&b, false);
  m->program = b;
  dwarf_skip (&m->program, size);
  if (m->program.failed || size == 0)
    return !m->program.failed;
  b.end = m->program.at;
  switch (dwarf_number (&b, 1))
    {
    case DW_LNE_end_sequence: return end_sequence (m);
    case DW_LNE_set_address:
      if (size > 9)
        return false;
      m->address = dwarf_number (&b, size - 1);
      m->operation = 0;
      return true;
    case DW_LNE_define_file: return line_files_add (&m->table->files, &b);
    default: return true;
    }
}

static bool
run_standard (struct machine *m, unsigned opcode)
{
  struct dwarf_bytes *b = &m->program;
  const struct line_files *f = &m->table->files;
  switch (opcode)
    {
    case DW_LNS_copy: return add_row (m, false);
    case DW_LNS_advance_pc: advance (m, dwarf_leb (b, false)); return true;
    case DW_LNS_advance_line: m->line += dwarf_leb (b, true); return true;
    case DW_LNS_set_file: m->file = dwarf_leb (b, false); return true;
    case DW_LNS_const_add_pc: advance (m, (255 - f->opcode_base) / f->line_range); return true;
    case DW_LNS_fixed_advance_pc:
      m->address += dwarf_number (b, 2);
      m->operation = 0;
      return true;
    default: /* has no effect on lines */
      for (unsigned i = 0; i < f->arguments[opcode]; i++)
        dwarf_leb (b, false);
      return true;
    }
}

static bool
run (struct machine *m)
{
  const struct line_files *f = &m->table->files;
  begin_sequence (m);
  while (m->program.at < m->program.end && !m->program.failed)
    {
      bool ok = true;
      unsigned opcode = (unsigned) dwarf_number (&m->program, 1);
      if (opcode >= f->opcode_base)
        {
          advance (m, (opcode - f->opcode_base) / f->line_range);
          m->line += (uint64_t) (int64_t) (f->line_base
                                           + (int) ((opcode - f->opcode_base) % f->line_range));
          ok = add_row (m, false);
        }
      else
        ok = opcode == 0 ? run_extended (m) : run_standard (m, opcode);
      if (!ok)
        return false;
    }
  return !m->program.failed;
}

/* By address, the larger first. */
static int
compare_sequences (const void *a, const void *b, void *context)
{
  const struct line_sequence *x = a, *y = b;
  (void) context;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return x->high > y->high ? -1 : x->high < y->high;
}

/* Drops and cuts sequences until none overlap. */
static void
part_sequences (struct line_table *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->nsequences; i++)
    {
      struct line_sequence s = t->sequences[i];
      uint64_t end = n > 0 ? t->sequences[n - 1].high : 0;
      if (n > 0 && s.low < end && s.high <= end)
        continue;
      if (s.low < end)
        s.low = end;
      t->sequences[n++] = s;
    }
  t->nsequences = n;
}

/* Puts the rows of the sequences behind each other. */
static bool
order_rows (struct line_table *t)
{
  struct line_row *rows = malloc ((t->nrows + 1) * sizeof *rows);
  size_t n = 0;
  if (!rows)
    return false;
  for (size_t i = 0; i < t->nsequences; i++)
    {
      struct line_sequence *s = &t->sequences[i];
      size_t first = n;
      for (size_t k = 0; k < s->count; k++)
        {
          struct line_row row = t->rows[s->first + k];
          if (row.address < s->low)
            {
              /* It is valid at the new beginning, unless a later row begins nearer to it. */
              row.address = s->low;
              n = first;
            }
          rows[n++] = row;
        }
      s->first = first;
      s->count = n - first;
    }
  free (t->rows);
  t->rows = rows;
  t->nrows = n;
  return true;
}

bool
line_table_read (struct line_table *t, const struct line_sections *s, uint64_t offset,
                 const char *unit_folder)
{
  struct machine m = { .table = t };
  memset (t, 0, sizeof *t);
  return line_files_read (&t->files, s, offset, unit_folder, &m.program) && run (&m)
         && array_sort (t->sequences, t->nsequences, sizeof *t->sequences, compare_sequences, NULL)
         && (part_sequences (t), order_rows (t));
}

void
line_table_free (struct line_table *t)
{
  line_files_free (&t->files);
  free (t->rows);
  free (t->sequences);
}

const struct line_row *
line_table_find (const struct line_table *t, uint64_t address, uint64_t *end)
{
  size_t before = ARRAY_BEFORE (i, t->nrows, t->rows[i].address <= address);
  if (before < t->nrows && t->rows[before].address < *end)
    *end = t->rows[before].address;
  return before > 0 && t->rows[before - 1].file != LINE_GAP ? &t->rows[before - 1] : NULL;
}
