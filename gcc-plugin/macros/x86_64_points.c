/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of x86-64.  The test is inline; the action is out of line, in the section's
   subsection 1.  The assembler puts that behind all functions of the section, so it stays hot,
   cold, or in its COMDAT group. There is no call frame information there, and nothing throws.

   An address that a function of the library gets stands behind the call of it, as the operand of an
   instruction that only changes the flags: a9 and the distance from that field.  Where counts are
   derived from counters, the code out of line is a zone (zones.c).

   Internal labels: .LPBO<k> begins code out of line, .LPBL<k> is behind code that is jumped
   over. */
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

int
x86_64_outside_registers (const struct bbp_site *site)
{
  return site->flags_live;
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

/* Calls FUNCTION, below the red zone if that is in use.  It gets the address .LP<KIND><NUMBER>;
   KIND 0: none, and behind it a bit is recorded. */
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
  int k = x86_64_label ();
  load_word (file, word_register (site), site);
  fprintf (file, "%s\t%s\t%s\n", bit ? "\tstc\n" : "", bit ? "rclq" : "shlq",
           here (offsetof (struct bbp_here, bits), word_register (site), site));
  bbp_zone_recorded (file, false);
  fprintf (file, "\tjnc\t.LPBL%d\n", k);
  bbp_zone_recorded (file, true);
  write_call (file, "__bb_full_func", 0, 0, site);
  fprintf (file, ".LPBL%d:\n", k);
}

static void
write_action (FILE *file, const struct bbp_trace_action *action, const struct bbp_site *site)
{
  static const char *const functions[] = { [BBP_TRACE_LAND] = "__bb_land_func",
                                           [BBP_TRACE_RETURN] = "__bb_return_func",
                                           [BBP_TRACE_TOKEN] = "__bb_token_func",
                                           [BBP_TRACE_JUMP] = "__bb_jump_func" };
  if (action->kind == BBP_TRACE_BIT)
    write_call (file, action->number ? "__bb_one_func" : "__bb_zero_func", 0, 0, site);
  else
    write_call (file, functions[action->kind], action->kind == BBP_TRACE_RETURN ? 'C' : 'B',
                action->number, site);
}

/* All actions of POINT, in code that only recording threads use. */
static void
write_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  if (point->hot && point->nactions == 1 && point->actions[0].kind == BBP_TRACE_BIT)
    {
      write_push (file, point->actions[0].number, site);
      return;
    }
  for (int i = 0; i < point->nactions; i++)
    write_action (file, &point->actions[i], site);
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
needs_zone (const struct bbp_trace_point *point)
{
  return point->actions[0].kind != BBP_TRACE_RETURN;
}

/* The flags of a zone at POINT. */
static unsigned
zone_flags (const struct bbp_trace_point *point, const struct bbp_site *site)
{
  bool cold_place = point->place >= 0 ? point->cold_place : site->cold;
  return (site->cold ? BBP_ZONE_COLD : 0) | (cold_place ? BBP_ZONE_COLD_PLACE : 0);
}

/* The test inline, and all actions out of line.  PLACE: where control is in the function; null: at
   the point. */
static void
write_tested_actions (FILE *file, const struct bbp_trace_point *point, const char *place,
                      const struct bbp_site *site)
{
  int k = x86_64_label ();
  char behind[BBP_PLACE_BYTES];
  struct bbp_site outside = *site;
  outside.frame_by_stack = false;
  snprintf (behind, sizeof behind, ".LPBL%d", k);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBO%d\n", k);
  if (place)
    bbp_zone_end (file, false);
  fprintf (file, OUT_OF_LINE ".LPBO%d:\n", k);
  if (needs_zone (point))
    bbp_zone_begin (file, place ? place : behind, zone_flags (point, site));
  write_actions (file, point, &outside);
  if (needs_zone (point))
    bbp_zone_end (file, true);
  fprintf (file, "\tjmp\t%s\n" IN_LINE "%s:\n", behind, behind);
  if (place)
    bbp_zone_begin (file, place, zone_flags (point, site));
}

/* Outside, the zone is the caller's. */
void
x86_64_trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  char label[BBP_PLACE_BYTES];
  const char *place = point->place >= 0 && !point->outside ? label : NULL;
  snprintf (label, sizeof label, ".LPBR%d", point->place);
  if (place)
    bbp_zone_begin (file, place, zone_flags (point, site));
  x86_64_keep (file, site);
  save_flags (file, site);
  if (point->outside)
    write_actions (file, point, site);
  else
    {
      load_word (file, word_register (site), site);
      write_tested_actions (file, point, place, site);
    }
  restore_flags (file, site);
  x86_64_restore (file, site);
  if (place)
    bbp_zone_end (file, false);
}

void
x86_64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                   const struct bbp_site *site)
{
  load_word (file, word_register (site), site);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBT%d\n.LPBR%d:\n", branch, branch);
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
