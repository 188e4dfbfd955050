/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/output.h"
#include "model/files/gmon_write.h"
#include "tools/generated/generated_histogram.h"

/* A histogram has two bytes for each two bytes of code. */
#define RANGE_MOST (64UL << 20)

/* Time in the kernel counts where the program called it. */
static const struct context *
code_of (const struct contexts *t, const struct context *c)
{
  while (c->parent && bbx_frame_is_kernel (c->kind))
    c = &t->nodes[c->parent];
  return c;
}

static int
compare_bins (const void *a, const void *b, void *context)
{
  const struct bin *x = a, *y = b;
  (void) context;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The ticks become multiples of 1 / rate, as the run-time library makes them. */
static void
scale_bins (struct histogram *h, const struct bbx_time *time)
{
  double carried = 0;
  for (size_t i = 0; time->ticks && i < h->nfilled; i++)
    {
      carried += (double) h->bins[i].count * (double) time->due / (double) time->ticks;
      h->bins[i].count = (uint64_t) carried;
      carried -= (double) h->bins[i].count;
    }
}

/* The counters of the tree's code from H's low address to its high one; each covers BYTES. */
static bool
fill (struct histogram *h, const struct contexts *t, double bytes, const struct bbx_time *time)
{
  size_t room = 0, n = 0;
  for (size_t i = 1; i < t->count; i++)
    {
      const struct context *code = code_of (t, &t->nodes[i]);
      if (t->nodes[i].ticks == 0 || !bbx_frame_is_code (code->kind)
          || code->address - h->low >= h->high - h->low)
        continue;
      if (!array_grow (&h->bins, h->nfilled, &room, sizeof *h->bins))
        return false;
      const uint32_t index = (uint32_t) ((double) (code->address - h->low) / bytes);
      h->bins[h->nfilled++] = (struct bin) { index, t->nodes[i].ticks };
    }
  if (!array_sort (h->bins, h->nfilled, sizeof *h->bins, compare_bins, NULL))
    return false;
  for (size_t i = 0; i < h->nfilled; i++)
    if (n > 0 && h->bins[n - 1].index == h->bins[i].index)
      h->bins[n - 1].count += h->bins[i].count;
    else
      h->bins[n++] = h->bins[i];
  h->nfilled = n;
  scale_bins (h, time);
  return true;
}

/* The units of the histograms in the file. */
static bool
read_units (const char *name, const struct gmon_shape *shape, struct profile *p, struct error *err)
{
  struct gmon_file f;
  const struct gmon_moves none = { .moves = NULL };
  const bool ok = gmon_open (&f, name, shape, err) && gmon_read (p, &f, shape, &none, err);
  gmon_close (&f);
  return ok;
}

/* If the record cannot be written completely, the file stays as it was. */
static bool
append (const char *name, const struct gmon_shape *shape, const struct profile *p,
        const struct histogram *h, struct error *err)
{
  struct stat st;
  struct output o = { .file = fopen (name, "r+e") };
  const struct gmon_writer w = { &o, shape };
  if (!o.file || fstat (fileno (o.file), &st) != 0 || fseeko (o.file, 0, SEEK_END) != 0)
    {
      if (o.file)
        fclose (o.file);
      return error_set (err, name, ERROR_NO_OFFSET, "%s", strerror (errno));
    }
  gmon_write_histogram (&w, p, h);
  const bool bad = fflush (o.file) != 0 || ferror (o.file);
  bool ok = !bad
            || error_set (err, name, ERROR_NO_OFFSET, "cannot add samples: %s", strerror (errno));
  if (bad && ftruncate (fileno (o.file), st.st_size) != 0)
    error_set (err, name, st.st_size, "damaged from there on: %s", strerror (errno));
  if (fclose (o.file) != 0 && ok)
    ok = error_set (err, name, ERROR_NO_OFFSET, "cannot add samples: %s", strerror (errno));
  return ok;
}

bool
generated_histogram_append (const char *profile, const struct generated_tree *tree, uint64_t start,
                            uint64_t end, const struct bbx_time *time, struct error *err)
{
  const struct gmon_shape shape = gmon_shape_unknown ();
  struct histogram h = { .low = tree->base + start, .high = tree->base + end };
  struct profile p = { .nhistograms = 0 };
  bool ok = read_units (profile, &shape, &p, err);
  const double bytes = 2 * p.scale;
  if (ok && p.nhistograms > 0 && end - start < RANGE_MOST)
    {
      h.nbins = (uint32_t) ((double) (h.high - h.low) / bytes);
      ok = (fill (&h, &tree->tree, bytes, time) || error_no_memory (err))
           && append (profile, &shape, &p, &h, err);
    }
  free (h.bins);
  profile_free (&p);
  return ok;
}
