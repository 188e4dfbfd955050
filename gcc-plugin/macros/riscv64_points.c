/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of riscv64.

     executables    lui A, tprel_hi                  the linker removes the first two where it can
                    add A, A, tp
                    ld A, tprel_lo(A)                the mode
                    beqz A, 1f ; jump stub, A ; 1:
     -fPIC          auipc A ; ld A                   the place of __bb, from the global offset table
                    add A, A, tp
                    ld A, offset(A) ; ...

     stub           auipc A ; ld A                   the function, from that table
                    mv B, ra ; jalr A ; .4byte label - . ; mv ra, B
                    jump 1b, A

   An address that a function of the library gets stands behind the call, as its distance from
   there; the function returns behind that.  The run-time library recognises the point behind a call
   (bbp_arch_is_point), which therefore has no compressed instructions. */
#include "gcc-plugin/macros/point_text.h"
#include "gcc-plugin/macros/riscv64.h"

#include <stddef.h>

/* MOVE, a load or a store, with register WITH and the field of __bb at OFFSET.  Changes TO. */
static void
write_here (FILE *file, const char *move, const char *with, size_t offset, const char *to,
            const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, "\tla.tls.ie\t%s, __bb\n\tadd\t%s, %s, tp\n\t%s\t%s, %zu(%s)\n", to, to, to,
             move, with, offset, to);
  else
    fprintf (file,
             "\tlui\t%s, %%tprel_hi(__bb+%zu)\n"
             "\tadd\t%s, %s, tp, %%tprel_add(__bb+%zu)\n"
             "\t%s\t%s, %%tprel_lo(__bb+%zu)(%s)\n",
             to, offset, to, to, offset, move, with, offset, to);
}

/* WITH loses its value. */
static void
write_branch_if (FILE *file, const char *with, const char *prefix, int number)
{
  fprintf (file, "\tbeqz\t%s, 1f\n\tjump\t.%s%d, %s\n1:\n", with, prefix, number, with);
}

static void
write_test (FILE *file, unsigned mode, const char *prefix, int number, const struct bbp_site *site)
{
  fputs ("\t.option\tpush\n\t.option\tnorvc\n", file);
  write_here (file, "ld", A, offsetof (struct bbp_here, mode), A, site);
  if (mode)
    fprintf (file, "\tandi\t%s, %s, %u\n", A, A, mode);
  write_branch_if (file, A, prefix, number);
  fputs ("\t.option\tpop\n", file);
}

/* The call has 4 bytes, because a thread that is 1 or 2 bytes before its end is in the function
   that pushes a bit (bbp_arch_hook_caller). */
static void
write_call (FILE *file, const char *function, char kind, int number, const struct bbp_site *site)
{
  riscv64_from_table (file, A, function);
  fprintf (file,
           "\tmv\t%s, ra\n"
           "\t.option\tpush\n"
           "\t.option\tnorvc\n"
           "\tjalr\t%s\n"
           "\t.option\tpop\n",
           B, A);
  if (kind)
    fprintf (file, "\t.4byte\t.LP%c%d-.\n", kind, number);
  else
    bbp_zone_recorded (file, false);
  fprintf (file, "\tmv\tra, %s\n", B);
}

static void
write_jump (FILE *file, const char *label, const struct bbp_site *site)
{
  fprintf (file, "\tjump\t%s, %s\n", label, A);
}

static const struct bbp_point_text text
    = { riscv64_keep, riscv64_restore, write_test, write_call, NULL, write_jump };

void
riscv64_trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  bbp_write_point (file, point, site, &text);
}

void
riscv64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                    const struct bbp_site *site)
{
  bbp_write_point_test (file, point, branch, site, &text);
}

int
riscv64_trace_registers (const struct bbp_site *site)
{
  (void) site;
  return 2;
}

void
riscv64_trace_source (FILE *file, int block, const struct bbp_site *site)
{
  char label[BBP_PLACE_BYTES];
  snprintf (label, sizeof label, ".LPB%d", block);
  riscv64_keep (file, site);
  riscv64_address (file, A, label, 0);
  write_here (file, "sd", A, offsetof (struct bbp_here, source), B, site);
  riscv64_restore (file, site);
}

/* At an entry t0 and t3 to t6 are free; the stub passes the choice byte's address in __bb. */
void
riscv64_trace_enter (FILE *file, int function, int block, const struct bbp_site *site)
{
  int k = bbp_point_label ();
  char choice[BBP_PLACE_BYTES];
  snprintf (choice, sizeof choice, ".LPBS%d", function);
  write_here (file, "ld", "t3", offsetof (struct bbp_here, mode), "t3", site);
  riscv64_address (file, "t4", choice, 0);
  fputs ("\tlbu\tt5, 0(t4)\n\tor\tt3, t3, t5\n", file);
  write_branch_if (file, "t3", "LPBO", k);
  fprintf (file, ".LPBL%d:\n" BBP_OUT_OF_LINE ".LPBO%d:\n", k, k);
  bbp_enter_zone_begin (file, function);
  write_here (file, "sd", "t4", offsetof (struct bbp_here, blockno), "t3", site);
  riscv64_from_table (file, "t3", "__bb_enter_func");
  fprintf (file,
           "\tmv\tt0, ra\n\tjalr\tt3\n\t.4byte\t.LPB%d-.\n\tmv\tra, t0\n"
           "\tjump\t.LPBL%d, t3\n",
           block, k);
  bbp_zone_end (file, false);
  fputs (BBP_IN_LINE, file);
}
