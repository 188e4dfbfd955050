/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of x86-64.  The test is inline; the action is out of line, in the section's
   subsection 1.  The assembler puts that behind all functions of the section, so it stays hot,
   cold, or in its COMDAT group. There is no call frame information there, and nothing throws.

   Where counts are derived from counters, a *marker* is put before such code: two long nops, 0f
   1f 80 and a distance from that field, twice.  The first leads to the place in the function that
   control has reached, the second to the jump that ends the code (runtime/arch/x86_64/decode.c).

   Internal labels: .LPBO<k> and .LPBE<k> begin and end of code out of line, .LPBL<k> behind code
   that is jumped over. */
#include "gcc-plugin/macros/x86_64.h"

#include <stddef.h>

#define OUT_OF_LINE "\t.subsection 1\n"
#define IN_LINE "\t.subsection 0\n"

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

/* The bits of the mode that enable an action.  0: any bit does. */
static unsigned
mode_of (const struct bbp_trace_action *action)
{
  switch (action->kind)
    {
    case BBP_TRACE_BIT:
    case BBP_TRACE_TOKEN: return BBP_MODE_TRACE;
    case BBP_TRACE_JUMP: return BBP_MODE_JUMPS;
    default: return 0;
    }
}

static unsigned
mode_of_all (const struct bbp_trace_point *point)
{
  unsigned mode = mode_of (&point->actions[0]);
  return mode && point->nactions > 1 ? mode | mode_of (&point->actions[1]) : mode;
}

static void
write_test (FILE *file, unsigned mode, const struct bbp_site *site)
{
  const char *operand = here (offsetof (struct bbp_here, mode), word_register (site), site);
  if (mode)
    fprintf (file, "\ttestb\t$%u, %s\n", mode, operand);
  else
    fprintf (file, "\tcmpb\t$0, %s\n", operand);
}

static void
write_marker (FILE *file, const char *place, const char *end)
{
  fprintf (file,
           "\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t%s-.\n"
           "\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t%s-.\n",
           place, end);
}

/* Calls ACTION's function: over the red zone, %r11 preserved. */
static void
write_action_call (FILE *file, const struct bbp_trace_action *action, const struct bbp_site *site)
{
  static const char *const functions[] = { [BBP_TRACE_LAND] = "__bb_land_func",
                                           [BBP_TRACE_RETURN] = "__bb_return_func",
                                           [BBP_TRACE_BIT] = "__bb_bits_func",
                                           [BBP_TRACE_TOKEN] = "__bb_token_func",
                                           [BBP_TRACE_JUMP] = "__bb_jump_func" };
  fprintf (file, "\taddq\t$-128, %%rsp\n\tpushq\t%%r11\n%s",
           site->frame_by_stack ? "\t.cfi_adjust_cfa_offset 136\n" : "");
  if (action->kind != BBP_TRACE_BIT)
    fprintf (file, "\tleaq\t.LP%c%d(%%rip), %%r11\n", action->kind == BBP_TRACE_RETURN ? 'C' : 'B',
             action->number);
  x86_64_call (file, functions[action->kind], site);
  fprintf (file, "\tpopq\t%%r11\n\tsubq\t$-128, %%rsp\n%s",
           site->frame_by_stack ? "\t.cfi_adjust_cfa_offset -136\n" : "");
}

/* The carry flag means that 64 bits are complete. */
static void
write_push (FILE *file, int bit, const struct bbp_site *site)
{
  fprintf (file, "%s\t%s\t%s\n", bit ? "\tstc\n" : "", bit ? "rclq" : "shlq",
           here (offsetof (struct bbp_here, bits), word_register (site), site));
}

/* All actions of POINT, in code that only recording threads use. */
static void
write_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  unsigned all = mode_of_all (point);
  for (int i = 0; i < point->nactions; i++)
    {
      const struct bbp_trace_action *action = &point->actions[i];
      int k = x86_64_label ();
      if (mode_of (action) != all)
        {
          write_test (file, mode_of (action), site);
          fprintf (file, "\tje\t.LPBL%d\n", k);
        }
      if (action->kind == BBP_TRACE_BIT)
        {
          write_push (file, action->number, site);
          fprintf (file, "\tjnc\t.LPBL%d\n", k);
        }
      write_action_call (file, action, site);
      fprintf (file, ".LPBL%d:\n", k);
    }
}

static void
save_flags (FILE *file, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\tseto\t%al\n\tlahf\n", file);
}

static void
restore_flags (FILE *file, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\taddb\t$127, %al\n\tsahf\n", file); /* as MACHINE_STATE_RESTORE of x86_64.c */
}

/* No count is derived from a call that has not returned, or from a function that was not
   entered. */
static bool
needs_marker (const struct bbp_trace_point *point)
{
  return point->actions[0].kind != BBP_TRACE_RETURN;
}

/* The test inline, and all actions out of line. */
static void
write_tested_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  int k = x86_64_label ();
  char place[32], end[32];
  struct bbp_site outside = *site;
  outside.frame_by_stack = false;
  snprintf (place, sizeof place, point->place >= 0 ? ".LPBR%d" : ".LPBL%d",
            point->place >= 0 ? point->place : k);
  snprintf (end, sizeof end, ".LPBE%d", k);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBO%d\n" OUT_OF_LINE, k);
  if (needs_marker (point))
    write_marker (file, place, end);
  fprintf (file, ".LPBO%d:\n", k);
  write_actions (file, point, &outside);
  fprintf (file, "%s:\tjmp\t.LPBL%d\n" IN_LINE ".LPBL%d:\n", end, k, k);
}

void
x86_64_trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  int k = x86_64_label ();
  char place[32], end[32];
  bool elsewhere = point->place >= 0 && !point->outside;
  snprintf (place, sizeof place, ".LPBR%d", point->place);
  snprintf (end, sizeof end, ".LPBE%d", k);
  if (elsewhere)
    write_marker (file, place, end);
  x86_64_keep (file, site);
  save_flags (file, site);
  load_word (file, word_register (site), site);
  if (point->outside)
    write_actions (file, point, site);
  else
    write_tested_actions (file, point, site);
  restore_flags (file, site);
  x86_64_restore (file, site);
  if (elsewhere)
    fprintf (file, "%s:\n", end);
}

void
x86_64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                   const struct bbp_site *site)
{
  load_word (file, word_register (site), site);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBT%d\n.LPBR%d:\n", branch, branch);
}

void
x86_64_trace_mark (FILE *file, const struct bbp_trace_mark *mark)
{
  static const char *const labels[]
      = { [BBP_PLACE_HEAD] = "", [BBP_PLACE_END] = "R", [BBP_PLACE_COUNTED] = "Q" };
  char place[32], end[32];
  snprintf (place, sizeof place, ".LPB%s%d", labels[mark->place], mark->number);
  snprintf (end, sizeof end, ".LPBU%d", mark->zone);
  if (mark->before >= 0)
    fprintf (file, ".LPBU%d = . - 1\n", mark->before);
  write_marker (file, place, end);
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
  int k = x86_64_label ();
  load_word (file, "%r11", site);
  fprintf (file,
           "\tmovzbl\t%s, %%r11d\n"
           "\torb\t.LPBS%d(%%rip), %%r11b\n"
           "\tjne\t.LPBO%d\n" OUT_OF_LINE ".LPBO%d:\tleaq\t.LPBS%d(%%rip), %%r11\n"
           "\tpushq\t%%r11\n",
           here (offsetof (struct bbp_here, mode), "%r11", site), function, k, k, function);
  load_word (file, "%r11", site);
  fprintf (file, "\tpopq\t%s\n\tleaq\t.LPB%d(%%rip), %%r11\n",
           here (offsetof (struct bbp_here, blockno), "%r11", site), block);
  x86_64_call (file, "__bb_enter_func", site);
  fprintf (file, "\tjmp\t.LPBL%d\n" IN_LINE ".LPBL%d:\n", k, k);
}
