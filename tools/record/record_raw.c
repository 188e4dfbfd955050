/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a prof.out of the recording: samples in order of time from gmon.out.bbs, with addresses
   from the calling contexts in the sidecar.  With --long: a text line for each sample with all
   that is known.  Addresses are those of gmon.out; in the executable they are link-time
   addresses, as nm prints them. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/streams/samples_read.h"
#include "common/array.h"
#include "model/files/bbx_read.h"
#include "tools/raw/prof_out.h"
#include "tools/record/record.h"

/* The address of NODE's samples in the program; for samples in the kernel, the address of the
   system call.  0: unknown. */
static uint64_t
address_of (const struct bbx_stacks *s, uint32_t node)
{
  while (node > 0 && node <= s->nnodes && bbx_frame_is_kernel (s->nodes[node - 1].kind))
    node = s->nodes[node - 1].parent;
  const struct bbx_node *n = node > 0 && node <= s->nnodes ? &s->nodes[node - 1] : NULL;
  return n && (bbx_frame_is_code (n->kind) || n->kind == BBX_FRAME_ANONYMOUS) ? n->address : 0;
}

/* The thread of a sample, by its number. */
struct observation {
  struct bbs_sample sample;
  uint32_t thread;
};

/* The samples of all threads sorted by time; *N: their number.  Null: no memory. */
static struct observation *
all_observations (const struct samples_file *f, size_t *n)
{
  size_t count = 0;
  for (size_t i = 0; i < f->nthreads; i++)
    count += f->threads[i].n;
  struct observation *all = malloc ((count + 1) * sizeof *all);
  *n = 0;
  for (size_t i = 0; all && i < f->nthreads; i++)
    for (size_t k = 0; k < f->threads[i].n; k++)
      all[(*n)++] = (struct observation) { f->threads[i].samples[k], f->threads[i].number };
  if (all
      && !array_sort_by_number (all, count, sizeof *all,
                                offsetof (struct observation, sample.time)))
    {
      free (all);
      all = NULL;
    }
  return all;
}

static void
put_words (FILE *out, unsigned bytes, const struct bbx_stacks *s, const struct observation *all,
           size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      const uint64_t address = address_of (s, all[i].sample.context);
      for (unsigned tick = 0; tick < all[i].sample.ticks; tick++)
        prof_out_put (out, address, bytes);
    }
}

/* The tid of thread NUMBER; 0: unknown. */
static uint32_t
tid_of (const struct bbx_stacks *s, uint32_t number)
{
  size_t before = ARRAY_BEFORE (i, s->nthreads, s->threads[i].number < number);
  return before < s->nthreads && s->threads[before].number == number ? s->threads[before].tid : 0;
}

static bool
is_in_kernel (const struct bbx_stacks *s, uint32_t node)
{
  return node > 0 && node <= s->nnodes && bbx_frame_is_kernel (s->nodes[node - 1].kind);
}

static void
put_known (FILE *out, const char *format, uint64_t value, bool known)
{
  if (known)
    fprintf (out, format, value);
  else
    fputs (*format == ' ' ? " -" : "-", out);
}

/* One line per sample; unknown values are "-". */
static void
put_lines (FILE *out, const struct bbx_stacks *s, const struct observation *all, size_t n)
{
  fputs (PROF_OUT_LONG " thread mode address flags ticks processor\n", out);
  for (size_t i = 0; i < n; i++)
    {
      const struct bbs_sample *sample = &all[i].sample;
      const uint64_t address = address_of (s, sample->context);
      const unsigned cpu = sample->cpu & ~BBS_SLEEPS;
      fprintf (out, "%" PRIu64 ".%09" PRIu64 " %" PRIu32 " %s ", sample->time / 1000000000,
               sample->time % 1000000000, tid_of (s, all[i].thread),
               is_in_kernel (s, sample->context) ? "kernel" : "user");
      put_known (out, "0x%" PRIx64, address, address != 0);
      put_known (out, " 0x%" PRIx64, sample->flags, sample->flags != 0);
      put_known (out, " %" PRIu64, sample->ticks, true);
      put_known (out, " %" PRIu64, cpu, cpu != BBS_CPU_UNKNOWN);
      fputc ('\n', out);
    }
}

static bool
is_plain (const char *name)
{
  struct stat st;
  return lstat (name, &st) == 0 && S_ISREG (st.st_mode);
}

static bool
write_file (const struct record_options *o, const struct bbx_stacks *s,
            const struct observation *all, size_t n, struct error *err)
{
  const char *name = o->raw;
  FILE *out = fopen (name, "w");
  if (!out)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  if (o->raw_long)
    put_lines (out, s, all, n);
  else
    put_words (out, o->raw_words, s, all, n);
  bool ok = fflush (out) == 0 && !ferror (out);
  int error = errno;
  fclose (out);
  if (!ok && is_plain (name))
    unlink (name);
  return ok || error_set (err, name, ERROR_NO_OFFSET, "cannot be written: %s", strerror (error));
}

static bool
convert (const struct record_options *o, const struct samples_file *f, struct error *err)
{
  struct bbx x;
  size_t n;
  bbx_read (&x, o->output, f->run, 0);
  struct observation *all = all_observations (f, &n);
  bool ok = x.stacks.has_nodes
            || error_set (err, o->raw, ERROR_NO_OFFSET,
                          "not written: the sidecar of %s has no calling contexts", o->output);
  ok = ok && (all || error_no_memory (err)) && write_file (o, &x.stacks, all, n, err);
  free (all);
  bbx_free (&x);
  return ok;
}

bool
record_write_raw (const struct record_options *o, struct error *err)
{
  struct samples_file f;
  char *name = samples_file_name (o->output);
  if (!name)
    return error_no_memory (err);
  bool ok = samples_file_open (&f, name, err);
  if (ok)
    {
      if (!f.whole)
        error_print ("bbprof record", &f.why);
      ok = convert (o, &f, err);
      samples_file_close (&f);
    }
  else /* NAME is freed below */
    err->file = o->raw;
  free (name);
  return ok;
}
