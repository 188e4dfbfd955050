/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/arguments/source_option.h"

#include <stdio.h>
#include <string.h>

bool
source_option (struct source_places *p, const struct options *o)
{
  const char *equals = strchr (o->value, '=');
  bool map = o->option->key == OPTION_PATH_MAP;
  if (map && (!equals || equals == o->value))
    return options_refuse (o, "FROM=TO");
  if (map ? source_places_add_map (
          p, (struct source_map) { .from = o->value,
                                   .to = equals + 1,
                                   .from_size = (size_t) (equals - o->value) })
          : source_places_add_folder (p, o->value))
    return true;
  fprintf (stderr, "%s: out of memory\n", o->argv[0]);
  return false;
}
