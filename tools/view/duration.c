/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tools/view/duration.h"

/* Larger durations do not fit; this is 300 years. */
#define MOST_NS 9e18

bool
duration_parse (const char *text, uint64_t *ns)
{
  static const struct {
    const char *name;
    double ns;
  } units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
  char *end;
  double value = strtod (text, &end);
  if (end == text || !(value >= 0))
    return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp (end, units[i].name) == 0 && value * units[i].ns < MOST_NS)
      {
        *ns = (uint64_t) (value * units[i].ns + 0.5);
        return true;
      }
  return false;
}
