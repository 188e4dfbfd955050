/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the tables of a unit as GCC 2.95 did, for users' own macro sets, -a and ax=calls: one
   counter for each block, and the place of each block.  The labels are .LPBX0 and so on, because
   users' texts refer to these.

     LPBX0  struct bb up to flags,      LPBX3  addresses: pointers to .LPB<n>
            BBP_ABI_CALLS for ax=calls  LPBX4  functions: pointers to strings .LPBC<k>
     LPBX1  the unit's name             LPBX5  line_nums
     LPBX2  the counters                LPBX6  filenames: pointers to strings .LPBC<k>

   The address of LPBX3 follows LPBX6, as in GCC 2.95. */
#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/macros/template.h"
#include "include/bbprof-abi.h"

#include <string.h>

enum { FIELDS = 11 };

static const char *
word (const struct bbp_historic_unit *unit)
{
  return unit->word_bytes == 8 ? "quad" : "long";
}

static void
write_header (FILE *file, const struct bbp_historic_unit *unit)
{
  const char *w = word (unit);
  int bytes = unit->calls ? BBP_BB_SIZE_CALLS : FIELDS * unit->word_bytes;
  fprintf (file,
           "\t.pushsection\t.data\n"
           "\t.balign\t16\n"
           "\t.type\t.LPBX0, @object\n"
           "\t.size\t.LPBX0, %d\n"
           ".LPBX0:\n"
           "\t.%s\t0\n"
           "\t.%s\t.LPBX1\n"
           "\t.%s\t.LPBX2\n"
           "\t.%s\t%d\n"
           "\t.%s\t0\n"
           "\t.%s\t.LPBX3\n"
           "\t.%s\t%d\n"
           "\t.%s\t.LPBX4\n"
           "\t.%s\t.LPBX5\n"
           "\t.%s\t.LPBX6\n"
           "\t.%s\t0\n",
           bytes, w, w, w, w, unit->nblocks, w, w, w, bytes, w, w, w, w);
  if (unit->calls)
    fprintf (file, "\t.quad\t%#lx\n", BBP_ABI_CALLS);
  fputs (".LPBX1:\n", file);
  bbp_write_string (file, unit->filename);
  fprintf (file,
           "\t.popsection\n"
           "\t.local\t.LPBX2\n"
           "\t.comm\t.LPBX2,%ld,16\n",
           (long) unit->word_bytes * unit->nblocks);
}

/* A block in a COMDAT group is in the copy of the group that the linker keeps, perhaps of another
   unit, which then has the counts.  A label in a group that the linker drops could not be linked
   to. */
static void
write_addresses (FILE *file, const struct bbp_historic_unit *unit)
{
  for (int n = 0; n < unit->nblocks; n++)
    {
      const char *symbol = unit->blocks[n].section_symbol;
      if (!symbol)
        fprintf (file, "\t.%s\t.LPB%d\n", word (unit), n);
      else if (*symbol)
        fprintf (file, "\t.%s\t%s+(.LPB%d-%s)\n", word (unit), symbol, n, symbol);
      else
        fprintf (file, "\t.%s\t0\n", word (unit));
    }
}

static const char *
function_of (const struct bbp_historic_block *block)
{
  return block->function;
}

static const char *
file_of (const struct bbp_historic_block *block)
{
  return block->file;
}

/* Writes a table of pointers to names.  Neighbouring blocks mostly have the same name, which is
   written once.  STRINGS: the number of strings. */
static void
write_names (FILE *file, const struct bbp_historic_unit *unit,
             const char *(*name_of) (const struct bbp_historic_block *), int *strings)
{
  const char *last = NULL;
  for (int n = 0; n < unit->nblocks; n++)
    {
      const char *name = name_of (&unit->blocks[n]);
      if (!name)
        {
          fprintf (file, "\t.%s\t0\n", word (unit));
          continue;
        }
      if (!last || strcmp (name, last))
        {
          fprintf (file,
                   "\t.pushsection\t.rodata.str1.1,\"aMS\",@progbits,1\n"
                   ".LPBC%d:\n",
                   (*strings)++);
          bbp_write_string (file, name);
          fputs ("\t.popsection\n", file);
        }
      fprintf (file, "\t.%s\t.LPBC%d\n", word (unit), *strings - 1);
      last = name;
    }
}

void
bbp_write_historic_tables (FILE *file, const struct bbp_historic_unit *unit)
{
  int strings = 0;
  write_header (file, unit);
  fprintf (file, "\t.pushsection\t%s\n\t.balign\t%d\n.LPBX3:\n",
           unit->pic ? ".data.rel.ro,\"aw\",@progbits" : ".rodata", unit->word_bytes);
  write_addresses (file, unit);
  fputs (".LPBX4:\n", file);
  write_names (file, unit, function_of, &strings);
  fputs (".LPBX5:\n", file);
  for (int n = 0; n < unit->nblocks; n++)
    fprintf (file, "\t.%s\t%d\n", word (unit), unit->blocks[n].line);
  fputs (".LPBX6:\n", file);
  write_names (file, unit, file_of, &strings);
  fprintf (file, "\t.%s\t.LPBX3\n\t.popsection\n", word (unit));
}
