/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that all parts of x86-64's macro set write. */
#include "gcc-plugin/macros/x86_64.h"

#include <stddef.h>
#include <string.h>

int
x86_64_label (void)
{
  static int last;
  return last++;
}

const char *
x86_64_register (const char *name)
{
  static const char *const names[][2] = {
    { "ax", "%rax" },  { "bx", "%rbx" },  { "cx", "%rcx" },  { "dx", "%rdx" },  { "si", "%rsi" },
    { "di", "%rdi" },  { "bp", "%rbp" },  { "r8", "%r8" },   { "r9", "%r9" },   { "r10", "%r10" },
    { "r11", "%r11" }, { "r12", "%r12" }, { "r13", "%r13" }, { "r14", "%r14" }, { "r15", "%r15" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp (names[i][0], name))
      return names[i][1];
  return "%unknown"; /* the assembler rejects it */
}

void
x86_64_keep (FILE *file, const struct bbp_site *site)
{
  for (int i = 0; i < BBP_MAX_REGISTERS; i++)
    if (site->keep[i])
      fprintf (file, "\tmovq\t%s, %s\n", x86_64_register (site->scratch[i]), site->keep[i]);
}

void
x86_64_restore (FILE *file, const struct bbp_site *site)
{
  for (int i = BBP_MAX_REGISTERS - 1; i >= 0; i--)
    if (site->keep[i])
      fprintf (file, "\tmovq\t%s, %s\n", site->keep[i], x86_64_register (site->scratch[i]));
}

void
x86_64_call (FILE *file, const char *function, const struct bbp_site *site)
{
  if (site->large && site->pic)
    {
      int k = x86_64_label ();
      fprintf (file,
               "\tleaq\t.LPBG%d(%%rip), %%r11\n"
               "\taddq\t.LPBG%d(%%rip), %%r11\n"
               "\tjmp\t.LPBA%d\n"
               ".LPBG%d:\t.quad\t%s@GOTPCREL\n"
               ".LPBA%d:\tcall\t*(%%r11)\n",
               k, k, k, k, function, k);
    }
  else if (site->large)
    fprintf (file, "\tmovabsq\t$%s, %%r11\n\tcall\t*%%r11\n", function);
  else if (site->pic || site->chain_live || site->profile_counter)
    fprintf (file, "\tcall\t*%s@GOTPCREL(%%rip)\n", function);
  else
    fprintf (file, "\tcall\t%s\n", function);
}

/* Around text that changes the flags where they are in use: %rax holds them.  (Its value, if in
   use, is parked before.) */
#define MACHINE_STATE_SAVE(FILE)               \
  do                                           \
    if (site->flags_live)                      \
      fputs ("\tseto\t%al\n\tlahf\n", (FILE)); \
  while (0)

/* The addition overflows if and only if %al is 1. */
#define MACHINE_STATE_RESTORE(FILE)                  \
  do                                                 \
    if (site->flags_live)                            \
      fputs ("\taddb\t$127, %al\n\tsahf\n", (FILE)); \
  while (0)

void
x86_64_increment (FILE *file, const char *operand, const struct bbp_site *site)
{
  MACHINE_STATE_SAVE (file);
  fprintf (file, "\t%sincq\t%s\n", site->update == BBP_UPDATE_ATOMIC ? "lock " : "", operand);
  MACHINE_STATE_RESTORE (file);
}
