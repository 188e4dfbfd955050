/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of aarch64.

     executables    mrs A, tpidr_el0
                    add A, A, tprel_hi
                    ldr A, [A, tprel_lo]             the mode
                    cbz A, 1f ; b stub ; 1:          one branch would not reach as far
     -fPIC          adrp A ; ldr A                   the place of __bb, from the global offset table
                    mrs B, tpidr_el0
                    add A, A, B
                    ldr A, [A, offset] ; ...

     stub           adrp A ; ldr A                   the function, from that table
                    mov B, x30 ; blr A ; .word label - . ; mov x30, B
                    b 1b

   No point changes the flags.  An address that a function of the library gets stands behind the
   call, as its distance from there; the function returns behind that.  The run-time library
   recognises the point behind a call (bbp_arch_is_point). */
#include "gcc-plugin/macros/aarch64.h"
#include "gcc-plugin/macros/point_text.h"

#include <stddef.h>

/* MOVE, a load or a store, with register WITH and the field of __bb at OFFSET.  Changes TO, and in
   -fPIC code HELP. */
static void
write_here (FILE *file, const char *move, const char *with, size_t offset, const char *to,
            const char *help, const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file,
             "\tadrp\t%s, :gottprel:__bb\n"
             "\tldr\t%s, [%s, #:gottprel_lo12:__bb]\n"
             "\tmrs\t%s, tpidr_el0\n"
             "\tadd\t%s, %s, %s\n"
             "\t%s\t%s, [%s, #%zu]\n",
             to, to, to, help, to, to, help, move, with, to, offset);
  else
    fprintf (file,
             "\tmrs\t%s, tpidr_el0\n"
             "\tadd\t%s, %s, #:tprel_hi12:__bb+%zu, lsl #12\n"
             "\t%s\t%s, [%s, #:tprel_lo12_nc:__bb+%zu]\n",
             to, to, to, offset, move, with, to, offset);
}

static void
write_branch_if (FILE *file, const char *with, const char *prefix, int number)
{
  fprintf (file, "\tcbz\t%s, 1f\n\tb\t.%s%d\n1:\n", with, prefix, number);
}

static void
write_test (FILE *file, unsigned mode, const char *prefix, int number, const struct bbp_site *site)
{
  write_here (file, "ldr", A, offsetof (struct bbp_here, mode), A, B, site);
  if (mode)
    fprintf (file, "\tand\t%s, %s, #%u\n", A, A, mode);
  write_branch_if (file, A, prefix, number);
}

static void
write_call (FILE *file, const char *function, char kind, int number, const struct bbp_site *site)
{
  aarch64_from_table (file, A, function);
  fprintf (file, "\tmov\t%s, x30\n\tblr\t%s\n", B, A);
  if (kind)
    fprintf (file, "\t.word\t.LP%c%d-.\n", kind, number);
  else
    bbp_zone_recorded (file, false);
  fprintf (file, "\tmov\tx30, %s\n", B);
}

static void
write_jump (FILE *file, const char *label, const struct bbp_site *site)
{
  (void) site;
  fprintf (file, "\tb\t%s\n", label);
}

static const struct bbp_point_text text
    = { aarch64_keep, aarch64_restore, write_test, write_call, NULL, write_jump };

void
aarch64_trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  bbp_write_point (file, point, site, &text);
}

void
aarch64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                    const struct bbp_site *site)
{
  bbp_write_point_test (file, point, branch, site, &text);
}

int
aarch64_trace_registers (const struct bbp_site *site)
{
  (void) site;
  return 2;
}

int
aarch64_source_registers (const struct bbp_site *site)
{
  return site->pic == BBP_PIC_FULL ? 3 : 2;
}

void
aarch64_trace_source (FILE *file, int block, const struct bbp_site *site)
{
  char label[BBP_PLACE_BYTES];
  snprintf (label, sizeof label, ".LPB%d", block);
  aarch64_keep (file, site);
  aarch64_address (file, A, label, 0, false);
  write_here (file, "str", A, offsetof (struct bbp_here, source), B, C, site);
  aarch64_restore (file, site);
}

/* At an entry x9 to x12, x16 and x17 are free; the stub passes the choice byte's address in
   __bb. */
void
aarch64_trace_enter (FILE *file, int function, int block, const struct bbp_site *site)
{
  int k = bbp_point_label ();
  char choice[BBP_PLACE_BYTES], behind[BBP_PLACE_BYTES];
  snprintf (choice, sizeof choice, ".LPBS%d", function);
  snprintf (behind, sizeof behind, ".LPBL%d", k);
  write_here (file, "ldr", "x16", offsetof (struct bbp_here, mode), "x16", "x17", site);
  aarch64_address (file, "x17", choice, 0, false);
  fputs ("\tldrb\tw10, [x17]\n\torr\tx16, x16, x10\n", file);
  write_branch_if (file, "x16", "LPBO", k);
  fprintf (file, "%s:\n" BBP_OUT_OF_LINE ".LPBO%d:\n", behind, k);
  bbp_enter_zone_begin (file, function);
  write_here (file, "str", "x17", offsetof (struct bbp_here, blockno), "x16", "x10", site);
  aarch64_from_table (file, "x17", "__bb_enter_func");
  fprintf (file, "\tmov\tx9, x30\n\tblr\tx17\n\t.word\t.LPB%d-.\n\tmov\tx30, x9\n", block);
  write_jump (file, behind, site);
  bbp_zone_end (file, false);
  fputs (BBP_IN_LINE, file);
}
