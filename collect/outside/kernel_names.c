/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/outside/kernel_names.h"
#include "common/array.h"

struct kernel_symbol {
  uint64_t address;
  char *name;
};

static bool
is_hidden (const char *line)
{
  return strtoull (line, NULL, 16) == 0 && strncmp (line, "0000000000000000 A", 18) != 0;
}

/* A line of the file: address, letter, name, and perhaps the module. */
static void
add_line (struct kernel_names *k, const char *line)
{
  char *end;
  const uint64_t address = strtoull (line, &end, 16);
  if (address == 0 || end[0] != ' ' || !end[1] || !strchr ("tTwW", end[1]) || end[2] != ' '
      || !array_grow (&k->symbols, k->n, &k->room, sizeof *k->symbols))
    return;
  char *copy = strndup (end + 3, strcspn (end + 3, "\t\n"));
  if (copy)
    k->symbols[k->n++] = (struct kernel_symbol) { address, copy };
}

void
kernel_names_read (struct kernel_names *k)
{
  char line[1024];
  FILE *in = fopen ("/proc/kallsyms", "re");
  while (in && fgets (line, sizeof line, in) && !is_hidden (line))
    add_line (k, line);
  if (in)
    fclose (in);
  if (!array_sort_by_number (k->symbols, k->n, sizeof *k->symbols,
                             offsetof (struct kernel_symbol, address)))
    kernel_names_free (k);
}

void
kernel_names_free (struct kernel_names *k)
{
  for (size_t i = 0; i < k->n; i++)
    free (k->symbols[i].name);
  free (k->symbols);
  *k = (struct kernel_names) { .n = 0 };
}

const char *
kernel_name_at (const struct kernel_names *k, uint64_t address)
{
  const size_t before = ARRAY_BEFORE (i, k->n, k->symbols[i].address <= address);
  return before > 0 ? k->symbols[before - 1].name : NULL;
}
