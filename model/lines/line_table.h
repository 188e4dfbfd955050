/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line program of one compilation unit as a table with libbfd's answers: sequences by
   address; nested ones are dropped, overlapping ones lose their beginning; of rows for one
   address the last one is used. */
#ifndef BBPROF_LINE_TABLE_H
#define BBPROF_LINE_TABLE_H

#include "model/lines/line_files.h"

#define LINE_GAP UINT32_MAX
#define LINE_UNNAMED (UINT32_MAX - 1)

struct line_row {
  uint64_t address;
  /* Of the line program.  LINE_UNNAMED: no file named yet; LINE_GAP: a sequence ends here. */
  uint32_t file;
  uint32_t line; /* 0: none */
};

/* Code without a gap. */
struct line_sequence {
  uint64_t low, high;
  size_t first, count; /* its rows; the last is the end */
};

struct line_table {
  struct line_files files;
  struct line_row *rows; /* by address; each extends to the next */
  size_t nrows, room_rows;
  struct line_sequence *sequences; /* by address, without overlap */
  size_t nsequences, room_sequences;
};

/* False: the program is damaged, or out of memory.  Call line_table_free in both cases. */
bool line_table_read (struct line_table *, const struct line_sections *, uint64_t offset,
                      const char *unit_folder);
void line_table_free (struct line_table *);

/* Without a named file DWARF's first file is used; in version 5, where numbers begin with 0,
   libbfd 2.40 takes file 0. */
static inline uint32_t
line_row_file (const struct line_row *row)
{
  return row->file == LINE_UNNAMED ? 1 : row->file;
}

static inline uint32_t
line_row_file_of_libbfd (const struct line_row *row)
{
  return row->file == LINE_UNNAMED ? 0 : row->file;
}

/* The row for ADDRESS; null: none.  Lowers *END to the next address with another answer, if that
   is below. */
const struct line_row *line_table_find (const struct line_table *, uint64_t address, uint64_t *end);

#endif
