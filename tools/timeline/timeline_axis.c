/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tools/timeline/timeline_axis.h"

static const struct timeline_unit units[]
    = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };
enum { UNITS = sizeof units / sizeof *units };

const char *
timeline_duration (char text[TIMELINE_DURATION], uint64_t ns)
{
  int i = 0;
  while (i + 1 < UNITS && ns < units[i].ns)
    i++;
  double value = (double) ns / (double) units[i].ns;
  int digits = units[i].ns == 1 || value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  snprintf (text, TIMELINE_DURATION, "%.*f %s", digits, value, units[i].name);
  return text;
}

struct timeline_unit
timeline_unit_of (uint64_t span)
{
  return span >= units[1].ns ? units[1] : units[2];
}

/* The unit, so that the ruler has some ticks of a whole unit. */
static struct timeline_unit
unit_for (uint64_t span)
{
  int i = 0;
  while (i + 1 < UNITS && span < 5 * units[i].ns)
    i++;
  return units[i];
}

/* The digits behind the point that STEP, smaller than a unit, needs. */
static int
digits_for (uint64_t step, uint64_t unit)
{
  int digits = 0;
  for (; step % unit != 0; digits++)
    step *= 10;
  return digits;
}

static int
print_label (char *text, size_t size, const struct timeline_axis *a, uint64_t time)
{
  return snprintf (text, size, "|%.*f", a->digits, (double) time / (double) a->unit.ns);
}

/* Do the longest label and a blank fit between two ticks? */
static bool
is_wide_enough (const struct timeline_axis *a, const struct timeline_scale *s)
{
  char text[64];
  double cells = (double) a->step * (double) s->cells / (double) (s->to - s->from);
  return cells >= print_label (text, sizeof text, a, s->to) + 2;
}

struct timeline_axis
timeline_axis_make (const struct timeline_scale *s)
{
  struct timeline_axis a = { .unit = unit_for (s->to - s->from), .step = 1 };
  for (uint64_t power = 1; power <= UINT64_MAX / 100; power *= 10)
    for (uint64_t factor = 1; factor <= 5; factor += factor == 1 ? 1 : 3)
      {
        a.step = power * factor;
        a.digits = digits_for (a.step, a.unit.ns);
        if (is_wide_enough (&a, s))
          return a;
      }
  return a;
}

void
timeline_axis_print (FILE *out, const struct timeline_axis *a, const struct timeline_scale *s)
{
  size_t at = 0;
  char text[64];
  for (uint64_t time = (s->from + a->step - 1) / a->step * a->step; time < s->to; time += a->step)
    {
      size_t cell = timeline_scale_cell (s, time),
             length = (size_t) print_label (text, sizeof text, a, time);
      if (cell < at || cell + length > s->cells)
        continue;
      fprintf (out, "%*s%s", (int) (cell - at), "", text);
      at = cell + length;
    }
  fprintf (out, "%*s", (int) (s->cells - at), "");
}
