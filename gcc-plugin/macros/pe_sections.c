/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the tables in objects for Windows (PE).  The linker puts sections whose names begin
   alike, up to a dollar, into one, in the order of what is behind it: between the bounds that the
   run-time library defines (runtime/os/win32/section_bounds.S).  The map of a function whose code
   the linker drops stays; its address is that of the field itself then. */
#include "gcc-plugin/macros/macros.h"

static const char *const sections[] = {
  [BBP_IN_TABLE] = ".data$bbprof,\"w\"",
  [BBP_IN_STRINGS] = ".rdata$bbprof,\"dr\"",
  [BBP_IN_COUNTS] = BBP_PE_SECTION_COUNTS "$m,\"bw\"",
  [BBP_IN_MAP] = BBP_PE_SECTION_MAP "$m,\"dr\"",
};

void
bbp_section_begin (FILE *file, enum bbp_section section, const struct bbp_function *function)
{
  (void) function;
  fprintf (file, "\t.section\t%s\n", sections[section]);
}

void
bbp_section_end (FILE *file)
{
  (void) file;
}

void
bbp_write_bounds (FILE *file, const char *section)
{
  fprintf (file, "\t.quad\t__start_%s\n\t.quad\t__stop_%s\n", section, section);
}
