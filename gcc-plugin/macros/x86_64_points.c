/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of x86-64.  An address that a function of the library gets stands behind the
   call of it, as the operand of an instruction that only changes the flags: a9 and the distance
   from that field. */
#include "gcc-plugin/macros/point_text.h"
#include "gcc-plugin/macros/x86_64.h"

#include <stddef.h>

/* The field of __bb at OFFSET; in -fPIC code relative to register WORD (load_word). */
static const char *
here (size_t offset, const char *word, const struct bbp_site *site)
{
  static char operand[64];
  if (site->pic == BBP_PIC_FULL)
    snprintf (operand, sizeof operand, "%%fs:%zu(%s)", offset, word);
  else
    snprintf (operand, sizeof operand, "%%fs:__bb@tpoff+%zu", offset);
  return operand;
}

static void
load_word (FILE *file, const char *word, const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, "\tmovq\t__bb@gottpoff(%%rip), %s\n", word);
}

/* The register of a point that leads to __bb: scratch[0], or scratch[1] while scratch[0] holds
   live flags. */
static const char *
word_register (const struct bbp_site *site)
{
  return site->pic == BBP_PIC_FULL ? x86_64_register (site->scratch[site->flags_live]) : NULL;
}

int
x86_64_trace_registers (const struct bbp_site *site)
{
  return site->flags_live + (site->pic == BBP_PIC_FULL);
}

int
x86_64_outside_registers (const struct bbp_site *site)
{
  return site->flags_live;
}

static void
write_test (FILE *file, unsigned mode, const char *prefix, int number, const struct bbp_site *site)
{
  load_word (file, word_register (site), site);
  const char *operand = here (offsetof (struct bbp_here, mode), word_register (site), site);
  if (mode)
    fprintf (file, "\ttestb\t$%u, %s\n", mode, operand);
  else
    fprintf (file, "\tcmpb\t$0, %s\n", operand);
  fprintf (file, "\tjne\t.%s%d\n", prefix, number);
}

/* Calls FUNCTION, below the red zone if that is in use. */
static void
write_call (FILE *file, const char *function, char kind, int number, const struct bbp_site *site)
{
  if (site->red_zone)
    fprintf (file, "\taddq\t$-128, %%rsp\n%s",
             site->frame_by_stack ? "\t.cfi_adjust_cfa_offset 128\n" : "");
  x86_64_call (file, function, site);
  if (kind)
    fprintf (file, "\t.byte\t0xa9\n\t.long\t.LP%c%d-.\n", kind, number);
  else
    bbp_zone_recorded (file, false);
  if (site->red_zone)
    fprintf (file, "\tsubq\t$-128, %%rsp\n%s",
             site->frame_by_stack ? "\t.cfi_adjust_cfa_offset -128\n" : "");
}

/* The carry flag means that a word is full. */
static void
write_push (FILE *file, int bit, const struct bbp_site *site)
{
  int k = bbp_point_label ();
  load_word (file, word_register (site), site);
  fprintf (file, "%s\t%s\t%s\n", bit ? "\tstc\n" : "", bit ? "rclq" : "shlq",
           here (offsetof (struct bbp_here, bits), word_register (site), site));
  bbp_zone_recorded (file, false);
  fprintf (file, "\tjnc\t.LPBL%d\n", k);
  bbp_zone_recorded (file, true);
  write_call (file, "__bb_full_func", 0, 0, site);
  fprintf (file, ".LPBL%d:\n", k);
  bbp_zone_recorded (file, false);
}

static void
write_jump (FILE *file, const char *label, const struct bbp_site *site)
{
  (void) site;
  fprintf (file, "\tjmp\t%s\n", label);
}

static void
write_begin (FILE *file, const struct bbp_site *site)
{
  x86_64_keep (file, site);
  if (site->flags_live)
    fputs ("\tseto\t%al\n\tlahf\n", file);
}

/* The flags as MACHINE_STATE_RESTORE of x86_64.c. */
static void
write_end (FILE *file, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\taddb\t$127, %al\n\tsahf\n", file);
  x86_64_restore (file, site);
}

static const struct bbp_point_text text
    = { write_begin, write_end, write_test, write_call, write_push, write_jump };

void
x86_64_trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  bbp_write_point (file, point, site, &text);
}

void
x86_64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                   const struct bbp_site *site)
{
  bbp_write_point_test (file, point, branch, site, &text);
}

int
x86_64_source_registers (const struct bbp_site *site)
{
  return site->pic == BBP_PIC_FULL ? 2 : site->pic == BBP_PIC_PIE;
}

void
x86_64_trace_source (FILE *file, int block, const struct bbp_site *site)
{
  const size_t source = offsetof (struct bbp_here, source);
  x86_64_keep (file, site);
  if (site->pic == BBP_PIC_NONE)
    fprintf (file, "\tmovq\t$.LPB%d, %s\n", block, here (source, NULL, site));
  else
    {
      const char *word = site->pic == BBP_PIC_FULL ? B : NULL;
      load_word (file, word, site);
      fprintf (file, "\tleaq\t.LPB%d(%%rip), %s\n\tmovq\t%s, %s\n", block, A, A,
               here (source, word, site));
    }
  x86_64_restore (file, site);
}

/* Nothing is stored below the stack pointer, but no register besides %r11 is free. */
void
x86_64_trace_enter (FILE *file, int function, int block, const struct bbp_site *site)
{
  int k = bbp_point_label ();
  load_word (file, "%r11", site);
  fprintf (file,
           "\tmovzbl\t%s, %%r11d\n"
           "\torb\t.LPBS%d(%%rip), %%r11b\n"
           "\tjne\t.LPBO%d\n" BBP_OUT_OF_LINE ".LPBO%d:\n",
           here (offsetof (struct bbp_here, mode), "%r11", site), function, k, k);
  bbp_enter_zone_begin (file, function);
  fprintf (file, "\tleaq\t.LPBS%d(%%rip), %%r11\n\tpushq\t%%r11\n", function);
  load_word (file, "%r11", site);
  fprintf (file, "\tpopq\t%s\n\tleaq\t.LPB%d(%%rip), %%r11\n",
           here (offsetof (struct bbp_here, blockno), "%r11", site), block);
  x86_64_call (file, "__bb_enter_func", site);
  fprintf (file, "\tjmp\t.LPBL%d\n", k);
  bbp_zone_end (file, false);
  fprintf (file, BBP_IN_LINE ".LPBL%d:\n", k);
}
