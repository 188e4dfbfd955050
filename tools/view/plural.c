/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "tools/view/plural.h"

void
plural_print (FILE *out, uint64_t n, const char *things)
{
  size_t noun = strcspn (things, " :;,");
  bool one = n == 1 && noun > 1 && things[noun - 1] == 's';
  fprintf (out, "%" PRIu64 " %.*s%s", n, (int) (noun - one), things, things + noun);
}
