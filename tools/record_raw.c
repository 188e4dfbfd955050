/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A prof.out of what was recorded: samples in order of time by gmon.out.bbs, their addresses by the calling contexts of the
   sidecar.  Addresses are those of gmon.out: in the executable those of link time, which nm prints. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "bbx_read.h"
#include "prof_out.h"
#include "record.h"
#include "trace/samples_read.h"

/* The code of the program in which NODE's samples were: of one in the kernel, the call of that.  0: it is not known. */
static uint64_t
address_of (const struct bbx_stacks *s, uint32_t node)
{
  while (node > 0 && node <= s->nnodes && bbx_frame_is_kernel (s->nodes[node - 1].kind))
    node = s->nodes[node - 1].parent;
  const struct bbx_node *n = node > 0 && node <= s->nnodes ? &s->nodes[node - 1] : NULL;
  return n && (bbx_frame_is_code (n->kind) || n->kind == BBX_FRAME_ANONYMOUS) ? n->address : 0;
}

/* Of all threads, by time; *N of them; null: no memory. */
static struct bbs_sample *
all_samples (const struct samples_file *f, size_t *n)
{
  size_t count = 0;
  for (size_t i = 0; i < f->nthreads; i++)
    count += f->threads[i].n;
  struct bbs_sample *all = malloc ((count + 1) * sizeof *all);
  *n = 0;
  for (size_t i = 0; all && i < f->nthreads; i++)
    for (size_t k = 0; k < f->threads[i].n; k++)
      all[(*n)++] = f->threads[i].samples[k];
  if (all && !array_sort_by_number (all, count, sizeof *all, offsetof (struct bbs_sample, time)))
    {
      free (all);
      all = NULL;
    }
  return all;
}

static bool
is_plain (const char *name)
{
  struct stat st;
  return lstat (name, &st) == 0 && S_ISREG (st.st_mode);
}

static bool
write_file (const char *name, unsigned bytes, const struct bbx_stacks *s, const struct bbs_sample *samples, size_t n,
            struct error *err)
{
  FILE *out = fopen (name, "w");
  if (!out)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  for (size_t i = 0; i < n; i++)
    {
      const uint64_t address = address_of (s, samples[i].context);
      for (unsigned tick = 0; tick < samples[i].ticks; tick++)
        prof_out_put (out, address, bytes);
    }
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
  struct bbs_sample *samples = all_samples (f, &n);
  bool ok = x.stacks.has_nodes
            || error_set (err, o->raw, ERROR_NO_OFFSET, "not written: there are no calling contexts beside %s", o->output);
  ok = ok && (samples || error_no_memory (err)) && write_file (o->raw, o->raw_words, &x.stacks, samples, n, err);
  free (samples);
  bbx_free (&x);
  return ok;
}

bool
record_write_raw (const struct record_options *o, struct error *err)
{
  struct samples_file f;
  char *name;
  if (asprintf (&name, "%s.bbs", o->output) < 0)
    return error_no_memory (err);
  bool ok = samples_file_open (&f, name, err);
  if (ok)
    {
      if (!f.whole)
        error_print ("bbprof record", &f.why);
      ok = convert (o, &f, err);
      samples_file_close (&f);
    }
  else /* the name dies here */
    err->file = o->raw;
  free (name);
  return ok;
}
