/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After the run, gives the profile the names of generated code, which the file of times has that
   bbprof-writer made beside it; then moves that file into the sidecar, as a chunk, so that gmon.out
   has one file beside it.  A file stays separate if it is incomplete (its process still runs), or
   if the sidecar cannot be written. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "collect/streams/samples_read.h"
#include "common/output.h"
#include "include/bbprof-file.h"
#include "include/bbprof-samples.h"
#include "tools/generated/generated_profile.h"
#include "tools/record/record.h"

/* Bytes in front of the chunk END; 0: the file does not end with one. */
static uint64_t
bytes_before_end (const struct chunks *c)
{
  struct bbx_chunk last;
  const uint64_t at = c->size - sizeof last;
  return c->size > sizeof last && chunks_read_at (c, &last, sizeof last, at)
                 && last.type == BBX_TYPE_END && last.length == 0
             ? at
             : 0;
}

/* Reads the first SIZE bytes of C: adds them to *CRC, or writes them to OUT if that is not null. */
static bool
copy (const struct chunks *c, uint64_t size, uLong *crc, FILE *out)
{
  static unsigned char buffer[1 << 16];
  for (uint64_t done = 0, n; done < size; done += n)
    {
      n = size - done < sizeof buffer ? size - done : sizeof buffer;
      if (!chunks_read_at (c, buffer, n, done))
        return false;
      if (out)
        fwrite (buffer, 1, n, out);
      else
        *crc = crc32_z (*crc, buffer, n);
    }
  return true;
}

/* Writes the sidecar with TIMES inserted before its end. */
static bool
write_sidecar (struct output *o, const struct chunks *sidecar, const struct chunks *times)
{
  struct bbx_chunk chunk = { .type = BBX_TYPE_STREAM, .length = times->size }, end = { 0 };
  end.type = BBX_TYPE_END;
  uLong crc = crc32_z (0, (unsigned char *) &chunk.type, sizeof chunk.type);
  crc = crc32_z (crc, (unsigned char *) &chunk.length, sizeof chunk.length);
  if (!copy (times, times->size, &crc, NULL)
      || !copy (sidecar, bytes_before_end (sidecar), NULL, o->file))
    return false;
  chunk.crc = (uint32_t) crc;
  fwrite (&chunk, sizeof chunk, 1, o->file);
  if (!copy (times, times->size, NULL, o->file))
    return false;
  output_zeros (o, -times->size & 7);
  crc = crc32_z (0, (unsigned char *) &end.type, sizeof end.type);
  end.crc = (uint32_t) crc32_z (crc, (unsigned char *) &end.length, sizeof end.length);
  fwrite (&end, sizeof end, 1, o->file);
  return true;
}

/* Are both complete, and of one run? */
static bool
belong_together (const struct chunks *sidecar, const struct chunks *times)
{
  return sidecar->header.run == times->header.run && bytes_before_end (sidecar)
         && bytes_before_end (times);
}

/* Opens both.  False: they are not there, not complete, or not of one run. */
static bool
open_both (struct chunks *times, const char *times_name, struct chunks *sidecar,
           const char *sidecar_name)
{
  struct error ignored;
  const bool ok = samples_chunks_open (times, times_name, &ignored),
             open
             = chunks_open (sidecar, sidecar_name, "sidecar", BBX_MAGIC, BBX_VERSION, &ignored);
  return ok && open && belong_together (sidecar, times);
}

static void
embed (const char *times_name, const char *sidecar_name)
{
  struct chunks times, sidecar;
  struct output output;
  struct error err;
  bool ok = open_both (&times, times_name, &sidecar, sidecar_name);
  if (ok)
    {
      ok = output_open (&output, sidecar_name, "", &err)
           && write_sidecar (&output, &sidecar, &times) && output_finish (&output, &err)
           && output_publish (&output, &err);
      output_close (&output);
      if (ok)
        unlink (times_name);
    }
  chunks_close (&sidecar);
  chunks_close (&times);
}

static void
warn (const struct error *what)
{
  error_print ("bbprof record", what);
}

static void
name_generated (const char *profile, const char *times_name, const char *sidecar_name)
{
  struct chunks times, sidecar;
  struct error err;
  const bool ok = open_both (&times, times_name, &sidecar, sidecar_name);
  const uint64_t run = times.header.run;
  chunks_close (&sidecar);
  chunks_close (&times);
  if (ok && !generated_profile_name (profile, run, warn, &err))
    error_print ("bbprof record", &err);
}

void
record_embed_times (const char *profile)
{
  char *times, *sidecar;
  if (asprintf (&times, "%s" BBS_SUFFIX, profile) < 0)
    return;
  if (asprintf (&sidecar, "%s" BBX_SUFFIX, profile) >= 0)
    {
      name_generated (profile, times, sidecar);
      embed (times, sidecar);
      free (sidecar);
    }
  free (times);
}
