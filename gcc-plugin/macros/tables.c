/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the tables at the end of a unit, as include/bbprof-abi.h describes them: LPBX0 (struct
   bb), LPBX1 (the name of the file), LPBX2 (the counters), LPBX3 (the map).  For the GNU assembler;
   the macro set has what differs between processors, elf_sections.c and pe_sections.c what differs
   between formats of objects.  The labels are .LPBX.0 and so on, because -fprofile-arcs uses the
   names without the dot.

   The map's records are written function by function, all else once per unit, behind the code. */
#include "gcc-plugin/macros/macros.h"
#include "include/bbprof-abi.h"

#include <stddef.h>

/* The text below relies on this: the fields of struct bb in this order, each a word, without
   holes. */
#define FIELD_IS(field, n) \
  _Static_assert(offsetof (struct bb, field) == 8 * (n), "struct bb: " #field)
FIELD_IS (zero_word, 0);
FIELD_IS (filename, 1);
FIELD_IS (counts, 2);
FIELD_IS (ncounts, 3);
FIELD_IS (next, 4);
FIELD_IS (addresses, 5);
FIELD_IS (nwords, 6);
FIELD_IS (functions, 7);
FIELD_IS (line_nums, 8);
FIELD_IS (filenames, 9);
FIELD_IS (flags, 10);
FIELD_IS (magic, 11);
FIELD_IS (update, 12);
FIELD_IS (word_offset, 13);
FIELD_IS (counts_start, 14);
FIELD_IS (counts_stop, 15);
FIELD_IS (map_start, 16);
FIELD_IS (map_stop, 17);
FIELD_IS (names_start, 18);
FIELD_IS (names_stop, 19);
_Static_assert(sizeof (struct bb) == 8 * 20, "struct bb");
_Static_assert(offsetof (struct bb, magic) == BBP_BB_SIZE_HISTORIC, "historic struct bb");
_Static_assert(offsetof (struct bbp_map_function, text) == 0
                   && offsetof (struct bbp_map_function, counts) == 4
                   && offsetof (struct bbp_map_function, cold) == 8
                   && offsetof (struct bbp_map_function, bytes) == 12
                   && sizeof (struct bbp_map_function) == 16,
               "struct bbp_map_function");

_Static_assert(offsetof (struct bbp_name, text) == 0 && offsetof (struct bbp_name, choice) == 4
                   && offsetof (struct bbp_name, first) == 8
                   && offsetof (struct bbp_name, bytes) == 12 && sizeof (struct bbp_name) == 16,
               "struct bbp_name");

/* Bytes with a special meaning for the assembler are written in octal. */
void
bbp_write_string (FILE *file, const char *text)
{
  fputs ("\t.string\t\"", file);
  for (const unsigned char *p = (const unsigned char *) text; *p; p++)
    if (*p < ' ' || *p >= 127 || *p == '"' || *p == '\\')
      fprintf (file, "\\%03o", *p);
    else
      putc (*p, file);
  fputs ("\"\n", file);
}

static void
write_header (FILE *file, const struct bbp_unit *unit)
{
  bbp_section_begin (file, BBP_IN_TABLE, NULL);
  fputs ("\t.balign\t16\n"
         ".LPBX.0:\n"
         "\t.quad\t0\n" /* zero_word */
         "\t.quad\t.LPBX.1\n"
         "\t.quad\t.LPBX.2\n",
         file);
  fprintf (file, "\t.quad\t%d\n", unit->ncounters);
  fputs ("\t.quad\t0\n"  /* next */
         "\t.quad\t0\n", /* addresses */
         file);
  fprintf (file, "\t.quad\t%zu\n", sizeof (struct bb));
  fputs ("\t.quad\t0\n"  /* functions */
         "\t.quad\t0\n"  /* line_nums */
         "\t.quad\t0\n"  /* filenames */
         "\t.quad\t0\n", /* flags */
         file);
  fprintf (file, "\t.quad\t%#lx\n", BBP_ABI_MAGIC);
  /* And word_offset, which the constructor sets. */
  fprintf (file, "\t.quad\t%d\n\t.quad\t0\n", unit->update);
  bbp_write_bounds (file, BBP_SECTION_COUNTS);
  bbp_write_bounds (file, BBP_SECTION_MAP);
  if (unit->names)
    bbp_write_bounds (file, BBP_SECTION_NAMES);
  else
    fputs ("\t.quad\t0\n\t.quad\t0\n", file);
  bbp_section_end (file);
  bbp_section_begin (file, BBP_IN_STRINGS, NULL);
  fputs (".LPBX.1:\n", file);
  bbp_write_string (file, unit->filename);
  bbp_section_end (file);
}

/* The counters, and behind them the words of call sites. */
static void
write_counters (FILE *file, const struct bbp_unit *unit)
{
  long counters = 8L * unit->ncounters,
       words = (long) sizeof (struct bbp_site_words) * unit->ncall_sites;
  bbp_section_begin (file, BBP_IN_COUNTS, NULL);
  fprintf (file,
           "\t.balign\t8\n"
           ".LPBX.2:\n"
           "\t.zero\t%ld\n"
           "\t.set\t.LPBX.S, .LPBX.2+%ld\n",
           counters + words, counters);
  bbp_section_end (file);
}

static void
begin_record (FILE *file, const struct bbp_function *function)
{
  const struct bbp_block *blocks = function->blocks;
  bbp_section_begin (file, BBP_IN_MAP, function);
  fprintf (file,
           "\t.balign\t4\n"
           "\t.long\t.LPF%d-.\n"
           "\t.long\t.LPBX.2+%ld-.\n",
           function->label, 8L * function->first_counter);
  if (function->ncold)
    fprintf (file, "\t.long\t.LPB%d-.\n", blocks[function->nblocks - function->ncold].label);
  else
    fputs ("\t.long\t0\n", file);
  fputs ("\t.long\t2f-1f\n1:\n", file);
}

/* Not all assemblers take a list. */
static void
write_number (FILE *file, unsigned number)
{
  fprintf (file, "\t.uleb128 %u\n", number);
}

/* A label's name is its kind and its number. */
static void
write_distance (FILE *file, const struct bbp_function *function, const char *to, int to_number,
                const char *from, int from_number)
{
  fprintf (file, "\t%s %s%d-%s%d\n", function->flags & BBP_FUNCTION_WIDE ? ".4byte" : ".uleb128",
           to, to_number, from, from_number);
}

static void
write_block (FILE *file, const struct bbp_function *function, const struct bbp_block *block)
{
  write_number (file, block->shape + BBP_BLOCK_CALLS * (unsigned) block->ncalls);
  for (int i = 0; i < block->ncalls; i++)
    {
      const struct bbp_call *call = &block->calls[i];
      if (i == 0)
        write_distance (file, function, ".LPC", call->label, ".LPB", block->label);
      else
        write_distance (file, function, ".LPC", call->label, ".LPC", call[-1].label);
      write_number (file, call->kind);
    }
  write_number (file, (unsigned) block->nsuccessors);
  for (int i = 0; i < block->nsuccessors; i++)
    write_number (file, 2 * (unsigned) block->successors[i].target + block->successors[i].counted);
}

void
bbp_write_function (FILE *file, const struct bbp_function *function)
{
  const struct bbp_block *blocks = function->blocks;
  begin_record (file, function);
  write_number (file, (unsigned) function->nblocks);
  write_number (file, (unsigned) function->ncold);
  write_number (file, function->flags);
  for (int n = 0; n < function->nblocks; n++)
    {
      if (n == 0)
        write_distance (file, function, ".LPB", blocks[n].label, ".LPF", function->label);
      else if (n == function->nblocks - function->ncold)
        write_distance (file, function, ".LPB", blocks[n].label, ".LPB", blocks[n].label);
      else
        write_distance (file, function, ".LPB", blocks[n].label, ".LPB", blocks[n - 1].label);
      write_block (file, function, &blocks[n]);
    }
  fputs ("\t.balign\t4, 0\n", file);
  if (function->flags & BBP_FUNCTION_ZONES)
    {
      fputs ("3:\n", file);
      bbp_write_zones (file, function);
      fputs ("\t.balign\t4, 0\n\t.long\t.-3b\n", file);
    }
  fputs ("2:\n", file);
  bbp_section_end (file);
}

static void
write_choice (FILE *file, const struct bbp_function *function)
{
  bbp_section_begin (file, BBP_IN_CHOICE, function);
  fprintf (file, "\t.short\t.LPB%d-.LPF%d\n.LPBS%d:\t.byte\t0\n", function->blocks[0].label,
           function->label, function->label);
  bbp_section_end (file);
}

void
bbp_write_names (FILE *file, const struct bbp_function *function,
                 const struct bbp_function_names *names)
{
  write_choice (file, function);
  bbp_section_begin (file, BBP_IN_NAMES, function);
  fprintf (file,
           "\t.balign\t4\n"
           "\t.long\t.LPF%d-.\n"
           "\t.long\t.LPBS%d-.\n"
           "\t.long\t.LPB%d-.\n"
           "\t.long\t2f-1f\n"
           "1:\n",
           function->label, function->label, function->blocks[0].label);
  bbp_write_string (file, names->assembler);
  bbp_write_string (file, names->shown);
  bbp_write_string (file, names->file);
  fputs ("\t.balign\t4, 0\n"
         "2:\n",
         file);
  bbp_section_end (file);
}

void
bbp_write_no_counters (FILE *file)
{
  bbp_section_begin (file, BBP_IN_COUNTS, NULL);
  fputs (".LPBX.2:\n", file);
  bbp_section_end (file);
}

void
bbp_write_tables (FILE *file, const struct bbp_macros *macros, const struct bbp_unit *unit)
{
  write_header (file, unit);
  write_counters (file, unit);
  macros->counter_word (file, unit);
  (unit->init_entry ? macros->entry_code : macros->constructors) (file, unit);
}
