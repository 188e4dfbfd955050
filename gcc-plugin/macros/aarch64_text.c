/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that all parts of aarch64's macro set write. */
#include "gcc-plugin/macros/aarch64.h"

void
aarch64_address (FILE *file, const char *to, const char *label, long offset, bool large)
{
  if (large)
    fprintf (file,
             "\tmovz\t%s, #:abs_g3:%s+%ld\n"
             "\tmovk\t%s, #:abs_g2_nc:%s+%ld\n"
             "\tmovk\t%s, #:abs_g1_nc:%s+%ld\n"
             "\tmovk\t%s, #:abs_g0_nc:%s+%ld\n",
             to, label, offset, to, label, offset, to, label, offset, to, label, offset);
  else
    fprintf (file, "\tadrp\t%s, %s+%ld\n\tadd\t%s, %s, #:lo12:%s+%ld\n", to, label, offset, to, to,
             label, offset);
}

void
aarch64_from_table (FILE *file, const char *to, const char *function)
{
  fprintf (file, "\tadrp\t%s, :got:%s\n\tldr\t%s, [%s, #:got_lo12:%s]\n", to, function, to, to,
           function);
}

void
aarch64_save_link (FILE *file, const struct bbp_site *site)
{
  if (site->link_live)
    fprintf (file, "\tmov\tx9, x30\n%s",
             site->cfi ? "\t.cfi_remember_state\n\t.cfi_register 30, 9\n" : "");
}

void
aarch64_restore_link (FILE *file, const struct bbp_site *site)
{
  if (site->link_live)
    fprintf (file, "\tmov\tx30, x9\n%s", site->cfi ? "\t.cfi_restore_state\n" : "");
}

void
aarch64_call (FILE *file, const char *function, const struct bbp_site *site)
{
  aarch64_from_table (file, "x17", function);
  aarch64_save_link (file, site);
  fputs ("\tblr\tx17\n", file);
  aarch64_restore_link (file, site);
}

void
aarch64_keep (FILE *file, const struct bbp_site *site)
{
  for (int i = 0; i < BBP_MAX_REGISTERS; i++)
    if (site->keep[i] && *site->keep[i] == '[')
      fprintf (file, "\tstr\t%s, %s\n", site->scratch[i], site->keep[i]);
    else if (site->keep[i])
      fprintf (file, "\tfmov\t%s, %s\n", site->keep[i], site->scratch[i]);
}

void
aarch64_restore (FILE *file, const struct bbp_site *site)
{
  for (int i = BBP_MAX_REGISTERS - 1; i >= 0; i--)
    if (site->keep[i])
      fprintf (file, "\t%s\t%s, %s\n", *site->keep[i] == '[' ? "ldr" : "fmov", site->scratch[i],
               site->keep[i]);
}
