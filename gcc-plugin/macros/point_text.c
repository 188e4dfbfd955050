/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See point_text.h. */
#include "gcc-plugin/macros/point_text.h"

int
bbp_point_label (void)
{
  static int last;
  return last++;
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
write_action (FILE *file, const struct bbp_trace_action *action, const struct bbp_site *site,
              const struct bbp_point_text *text)
{
  static const char *const functions[] = { [BBP_TRACE_LAND] = "__bb_land_func",
                                           [BBP_TRACE_RETURN] = "__bb_return_func",
                                           [BBP_TRACE_TOKEN] = "__bb_token_func",
                                           [BBP_TRACE_JUMP] = "__bb_jump_func" };
  if (action->kind == BBP_TRACE_BIT)
    text->call (file, action->number ? "__bb_one_func" : "__bb_zero_func", 0, 0, site);
  else
    text->call (file, functions[action->kind], action->kind == BBP_TRACE_RETURN ? 'C' : 'B',
                action->number, site);
}

/* All actions of POINT, in code that only recording threads use. */
static void
write_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site,
               const struct bbp_point_text *text)
{
  if (text->push && point->hot && point->nactions == 1 && point->actions[0].kind == BBP_TRACE_BIT)
    {
      text->push (file, point->actions[0].number, site);
      return;
    }
  for (int i = 0; i < point->nactions; i++)
    write_action (file, &point->actions[i], site, text);
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
                      const struct bbp_site *site, const struct bbp_point_text *text)
{
  int k = bbp_point_label ();
  char behind[BBP_PLACE_BYTES];
  struct bbp_site outside = *site;
  outside.frame_by_stack = false;
  snprintf (behind, sizeof behind, ".LPBL%d", k);
  text->test (file, mode_of_all (point), "LPBO", k, site);
  if (place)
    bbp_zone_end (file, false);
  fprintf (file, BBP_OUT_OF_LINE ".LPBO%d:\n", k);
  bbp_zone_begin (file, place ? place : behind, zone_flags (point, site));
  write_actions (file, point, &outside, text);
  text->jump (file, behind, site);
  bbp_zone_end (file, false);
  fprintf (file, BBP_IN_LINE "%s:\n", behind);
  if (place)
    bbp_zone_begin (file, place, zone_flags (point, site));
}

/* Outside, the zone is the caller's. */
void
bbp_write_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site,
                 const struct bbp_point_text *text)
{
  char label[BBP_PLACE_BYTES];
  const char *place = point->place >= 0 && !point->outside ? label : NULL;
  snprintf (label, sizeof label, ".LPBR%d", point->place);
  if (place)
    bbp_zone_begin (file, place, zone_flags (point, site));
  text->begin (file, site);
  if (point->outside)
    write_actions (file, point, site, text);
  else
    write_tested_actions (file, point, place, site, text);
  text->end (file, site);
  if (place)
    bbp_zone_end (file, false);
}

void
bbp_enter_zone_begin (FILE *file, int function)
{
  char entry[BBP_PLACE_BYTES];
  snprintf (entry, sizeof entry, ".LPF%d", function);
  bbp_zone_begin (file, entry, 0);
}

void
bbp_write_point_test (FILE *file, const struct bbp_trace_point *point, int branch,
                      const struct bbp_site *site, const struct bbp_point_text *text)
{
  text->test (file, mode_of_all (point), "LPBT", branch, site);
  fprintf (file, ".LPBR%d:\n", branch);
}
