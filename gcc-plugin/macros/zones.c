/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zones of the function that is being written: pieces of code that only recording threads use.
   The map says for each which place in the function control has reached there
   (include/bbprof-abi.h).

   Internal labels: .LPBU<n> and .LPBV<n>, begin and end of a zone. */
#include "gcc-plugin/macros/macros.h"

#include <stdlib.h>

static struct zone {
  char place[BBP_PLACE_BYTES];
  unsigned flags;
} * zones;
static int nzones, room;
static int first; /* the number of the function's first zone */
static bool open; /* the last zone has not ended */

void
bbp_zone_begin (FILE *file, const char *place, unsigned flags)
{
  if (open)
    bbp_zone_end (file, false);
  if (nzones == room)
    {
      room = 2 * room + 64;
      zones = realloc (zones, room * sizeof *zones);
      if (!zones)
        abort ();
    }
  struct zone *zone = &zones[nzones];
  snprintf (zone->place, sizeof zone->place, "%s", place);
  zone->flags = flags;
  fprintf (file, ".LPBU%d:\n", first + nzones++);
  open = true;
}

void
bbp_zone_recorded (FILE *file, bool full)
{
  struct zone before = zones[nzones - 1];
  unsigned flags = before.flags & ~BBP_ZONE_FULL;
  bbp_zone_begin (file, before.place, flags | BBP_ZONE_RECORDED | (full ? BBP_ZONE_FULL : 0));
}

void
bbp_zone_end (FILE *file, bool jumps)
{
  zones[nzones - 1].flags |= jumps ? BBP_ZONE_JUMPS : 0;
  fprintf (file, ".LPBV%d:\n", first + nzones - 1);
  open = false;
}

bool
bbp_has_zones (void)
{
  return nzones > 0;
}

/* Writes the directive for a distance. */
static void
write_directive (FILE *file, const struct bbp_function *function)
{
  fputs (function->flags & BBP_FUNCTION_WIDE ? "\t.4byte " : "\t.uleb128 ", file);
}

/* Writes the distance of LABEL from the begin of its part. */
static void
write_distance (FILE *file, const struct bbp_function *function, const char *label, bool cold)
{
  write_directive (file, function);
  if (cold)
    fprintf (file, "%s-.LPB%d\n", label,
             function->blocks[function->nblocks - function->ncold].label);
  else
    fprintf (file, "%s-.LPF%d\n", label, function->label);
}

/* If all of the function is cold, it has no cold part. */
static void
write_zone (FILE *file, const struct bbp_function *function, int i)
{
  const unsigned parts = BBP_ZONE_COLD | BBP_ZONE_COLD_PLACE;
  unsigned flags = zones[i].flags & ~(function->ncold ? 0 : parts);
  char begin[BBP_PLACE_BYTES];
  snprintf (begin, sizeof begin, ".LPBU%d", first + i);
  write_distance (file, function, begin, flags & BBP_ZONE_COLD);
  write_directive (file, function);
  fprintf (file, ".LPBV%d-.LPBU%d\n", first + i, first + i);
  write_distance (file, function, zones[i].place, flags & BBP_ZONE_COLD_PLACE);
  fprintf (file, "\t.uleb128 %u\n", flags);
}

void
bbp_write_zones (FILE *file, const struct bbp_function *function)
{
  for (int i = 0; i < nzones; i++)
    write_zone (file, function, i);
  first += nzones;
  nzones = 0;
}
