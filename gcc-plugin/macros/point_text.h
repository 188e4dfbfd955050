/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point_text.c: what the trace points of all processors have in common.  The test is inline; the
   actions are out of line, in the section's subsection 1.  The assembler puts that behind all
   functions of the section, so it stays hot, cold, or in its COMDAT group.  There is no call frame
   information there, and nothing throws.  The code out of line is a zone (zones.c).

   Internal labels: .LPBO<k> begins code out of line, .LPBL<k> is behind code that is jumped
   over. */
#ifndef BBPROF_POINT_TEXT_H
#define BBPROF_POINT_TEXT_H

#include "gcc-plugin/macros/macros.h"

#define BBP_OUT_OF_LINE "\t.subsection 1\n"
#define BBP_IN_LINE "\t.subsection 0\n"

/* How a processor writes the parts of a point. */
struct bbp_point_text {
  /* Around a point: keep what is in use, and restore it. */
  void (*begin) (FILE *file, const struct bbp_site *site);
  void (*end) (FILE *file, const struct bbp_site *site);
  /* Continues at .<PREFIX><NUMBER> if the mode has a bit of MODE; 0: any bit. */
  void (*test) (FILE *file, unsigned mode, const char *prefix, int number,
                const struct bbp_site *site);
  /* Calls FUNCTION, which gets the address .LP<KIND><NUMBER>.  KIND 0: none, and behind it a bit
     is recorded (bbp_zone_recorded). */
  void (*call) (FILE *file, const char *function, char kind, int number,
                const struct bbp_site *site);
  /* Pushes BIT inline; null: by a call. */
  void (*push) (FILE *file, int bit, const struct bbp_site *site);
  void (*jump) (FILE *file, const char *label, const struct bbp_site *site);
};

/* A new number for the labels above. */
int bbp_point_label (void);
/* Writes POINT: trace_point of struct bbp_macros. */
void bbp_write_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site,
                      const struct bbp_point_text *text);
/* The code out of line of the point at the entry of FUNCTION: control is in front of all blocks. */
void bbp_enter_zone_begin (FILE *file, int function);
/* Likewise trace_test. */
void bbp_write_point_test (FILE *file, const struct bbp_trace_point *point, int branch,
                           const struct bbp_site *site, const struct bbp_point_text *text);

#endif
