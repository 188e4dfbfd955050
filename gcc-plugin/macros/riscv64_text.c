/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that all parts of riscv64's macro set write. */
#include "gcc-plugin/macros/riscv64.h"

#include <string.h>

void
riscv64_address (FILE *file, const char *to, const char *label, long offset)
{
  fprintf (file,
           "\t.option\tpush\n"
           "\t.option\tnorelax\n"
           "\tlla\t%s, %s+%ld\n"
           "\t.option\tpop\n",
           to, label, offset);
}

void
riscv64_from_table (FILE *file, const char *to, const char *function)
{
  static int last;
  int k = last++;
  fprintf (file,
           ".LPBZG%d:\n"
           "\tauipc\t%s, %%got_pcrel_hi(%s)\n"
           "\tld\t%s, %%pcrel_lo(.LPBZG%d)(%s)\n",
           k, to, function, to, k, to);
}

void
riscv64_save_link (FILE *file, const struct bbp_site *site)
{
  if (site->link_live)
    fprintf (file, "\tmv\tt0, ra\n%s",
             site->cfi ? "\t.cfi_remember_state\n\t.cfi_register ra, t0\n" : "");
}

void
riscv64_restore_link (FILE *file, const struct bbp_site *site)
{
  if (site->link_live)
    fprintf (file, "\tmv\tra, t0\n%s", site->cfi ? "\t.cfi_restore_state\n" : "");
}

void
riscv64_call (FILE *file, const char *function, const struct bbp_site *site)
{
  riscv64_from_table (file, "t3", function);
  riscv64_save_link (file, site);
  fputs ("\tjalr\tt3\n", file);
  riscv64_restore_link (file, site);
}

void
riscv64_keep (FILE *file, const struct bbp_site *site)
{
  for (int i = 0; i < BBP_MAX_REGISTERS; i++)
    if (site->keep[i] && strchr (site->keep[i], '('))
      fprintf (file, "\tsd\t%s, %s\n", site->scratch[i], site->keep[i]);
    else if (site->keep[i])
      fprintf (file, "\tfmv.d.x\t%s, %s\n", site->keep[i], site->scratch[i]);
}

void
riscv64_restore (FILE *file, const struct bbp_site *site)
{
  for (int i = BBP_MAX_REGISTERS - 1; i >= 0; i--)
    if (site->keep[i])
      fprintf (file, "\t%s\t%s, %s\n", strchr (site->keep[i], '(') ? "ld" : "fmv.x.d",
               site->scratch[i], site->keep[i]);
}
