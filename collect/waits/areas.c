/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/waits/areas.h"
#include "common/array.h"
#include "common/clock.h"

/* Reads of the map use at most 1 / PART of the time. */
enum { PART = 16 };

void
areas_free (struct areas *a)
{
  free (a->list);
  *a = (struct areas) { .list = NULL };
}

static enum bbs_area
kind_of (const char *path)
{
  return strcmp (path, "[heap]") == 0    ? BBS_AREA_HEAP
         : strcmp (path, "[stack]") == 0 ? BBS_AREA_STACK
         : path[0] == '\0'               ? BBS_AREA_ANONYMOUS
                                         : BBS_AREA_FILE;
}

/* A line of /proc/PID/maps. */
static bool
add_line (struct areas *a, const char *line)
{
  struct area area = { .stack = 0 };
  char path[32] = "";
  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %31[^\n]", &area.low, &area.high, path)
      < 2)
    return true;
  area.kind = kind_of (path);
  area.stack = area.kind == BBS_AREA_STACK ? (uint32_t) a->pid : 0;
  if (!array_grow (&a->list, a->n, &a->room, sizeof *a->list))
    return false;
  a->list[a->n++] = area;
  return true;
}

static void
read_map (struct areas *a)
{
  char path[40], line[4400];
  snprintf (path, sizeof path, "/proc/%d/maps", (int) a->pid);
  const uint64_t begun = clock_now ();
  FILE *in = fopen (path, "re");
  a->n = 0;
  while (in && fgets (line, sizeof line, in) && add_line (a, line))
    ;
  if (in)
    fclose (in);
  const uint64_t now = clock_now ();
  a->due = now + PART * (now - begun);
}

static struct area *
find (struct areas *a, uint64_t address)
{
  const size_t before = ARRAY_BEFORE (i, a->n, a->list[i].low <= address);
  return before > 0 && address < a->list[before - 1].high ? &a->list[before - 1] : NULL;
}

struct area *
areas_find (struct areas *a, uint64_t address)
{
  struct area *found = find (a, address);
  if (found || clock_now () < a->due)
    return found;
  read_map (a);
  return find (a, address);
}
