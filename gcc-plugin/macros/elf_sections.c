/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the tables in ELF objects.  Each is pushed and popped, so the compiler's current
   section stays the same. */
#include "gcc-plugin/macros/macros.h"

static const struct {
  const char *name, *flags, *type;
} sections[] = {
  [BBP_IN_TABLE] = { ".data.bbprof", "aw", "progbits" },
  [BBP_IN_STRINGS] = { ".rodata.str1.1", "aMS", "progbits,1" },
  [BBP_IN_COUNTS] = { BBP_SECTION_COUNTS, "aw", "nobits" },
  [BBP_IN_MAP] = { BBP_SECTION_MAP, "ao", "progbits" },
  [BBP_IN_NAMES] = { BBP_SECTION_NAMES, "ao", "progbits" },
  [BBP_IN_CHOICE] = { BBP_SECTION_CHOICE, "aw", "progbits" },
};

/* Data of a function is in its COMDAT group; with flag o it is tied to the section of its code,
   too: if the linker drops the code, it drops the data. */
void
bbp_section_begin (FILE *file, enum bbp_section section, const struct bbp_function *function)
{
  const char *group = function ? function->group : NULL;
  fprintf (file, "\t.pushsection\t%s,\"%s%s\",@%s", sections[section].name, sections[section].flags,
           group ? "G" : "", sections[section].type);
  if (section == BBP_IN_MAP || section == BBP_IN_NAMES)
    fprintf (file, ",.LPB%d", function->blocks[0].label);
  if (group)
    fprintf (file, ",%s,comdat", group);
  putc ('\n', file);
}

void
bbp_section_end (FILE *file)
{
  fputs ("\t.popsection\n", file);
}

/* The linker defines both where there is a section. */
void
bbp_write_bounds (FILE *file, const char *section)
{
  fprintf (file,
           "\t.hidden\t__start_%s\n"
           "\t.quad\t__start_%s\n"
           "\t.hidden\t__stop_%s\n"
           "\t.quad\t__stop_%s\n",
           section, section, section, section);
}
