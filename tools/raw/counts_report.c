/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what sort | uniq -c | sort -k 1,1nr -k 2 makes of one function name per sample:
   functions of the same name are added up. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "model/model.h"
#include "model/symbols/symtab_load.h"
#include "tools/raw/counts_report.h"
#include "tools/raw/prof_out.h"
#include "tools/raw/raw_objects.h"

#define UNKNOWN "??" /* for addresses outside functions, as addr2line prints it */

static const struct symtab_choice every_function = { .parts = true };

struct named {
  const char *name;
  uint64_t count;
};

static int
by_name (const void *pa, const void *pb, void *unused)
{
  const struct named *a = pa, *b = pb;
  (void) unused;
  return strcmp (a->name, b->name);
}

static int
by_count (const void *pa, const void *pb, void *unused)
{
  const struct named *a = pa, *b = pb;
  (void) unused;
  return a->count > b->count ? -1 : a->count < b->count;
}

static size_t
unite (struct named *all, size_t n)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && strcmp (all[kept - 1].name, all[i].name) == 0)
      all[kept - 1].count += all[i].count;
    else
      all[kept++] = all[i];
  return kept;
}

static bool
print (const struct prof_out *p, const struct symtab *t, struct error *err)
{
  struct named *all = calloc (p->n + 1, sizeof *all);
  for (size_t i = 0; all && i < p->n; i++)
    {
      const struct symbol *s = symtab_find (t, p->counts[i].address);
      all[i] = (struct named) { s ? s->name : UNKNOWN, p->counts[i].count };
    }
  bool ok = all && array_sort (all, p->n, sizeof *all, by_name, NULL);
  size_t n = ok ? unite (all, p->n) : 0;
  ok = ok && array_sort (all, n, sizeof *all, by_count, NULL);
  for (size_t i = 0; ok && i < n; i++)
    printf ("%7" PRIu64 " %s\n", all[i].count, visible (all[i].name));
  free (all);
  return (ok || error_no_memory (err)) && error_if_unwritten (stdout, err);
}

/* A bin begins with two bytes; a function that begins at the second one gets the bin's samples,
   as in all reports. */
static bool
add_histograms (struct prof_out *p, const struct profile *profile)
{
  for (size_t i = 0; i < profile->nhistograms; i++)
    {
      const struct histogram *h = &profile->histograms[i];
      for (size_t k = 0; k < h->nfilled; k++)
        if (!prof_out_add (p, h->low + 2 * (uint64_t) (profile->scale * h->bins[k].index) + 1,
                           h->bins[k].count))
          return false;
    }
  return true;
}

static bool
report_profile (const char *argv0, const char *program, char *file, bool any_build,
                struct error *err)
{
  struct model m = { 0 };
  struct prof_out p = { 0 };
  struct symtab_choice choice = every_function;
  choice.any_build = any_build;
  bool ok = model_read (&m, program, &file, 1, &choice, err);
  warnings_print (argv0, &m.warnings);
  if (ok && m.profile.nhistograms == 0)
    ok = error_set (err, file, ERROR_NO_OFFSET, "no samples of time in it");
  ok = ok && (add_histograms (&p, &m.profile) || error_no_memory (err))
       && print (&p, &m.symtab, err);
  prof_out_free (&p);
  model_free (&m);
  return ok;
}

/* The bytes of an address.  WORDS: "32", "64", or null: as PROGRAM has them. */
static unsigned
choose_words (const char *words, const struct image *program)
{
  if (!words)
    return (unsigned) program->pointer_bytes;
  return strcmp (words, "32") == 0 ? 4 : 8;
}

/* Opens the files of objects that have samples, no others. */
static bool
note_samples (struct objects *objects, const struct prof_out *p)
{
  if (!objects_sort (objects))
    return false;
  for (size_t i = 0; i < p->n; i++)
    objects_note (objects, p->counts[i].address);
  return true;
}

static bool
report_addresses (const char *argv0, const char *program, const char *file, const char *words,
                  struct error *err)
{
  struct model m = { 0 };
  struct prof_out p = { 0 };
  bool mapped = false;
  bool ok
      = objects_open_program (&m.objects, program, err)
        && prof_out_read (&p, file, choose_words (words, &m.objects.all[0].image),
                          m.objects.all[0].image.big_endian, err)
        && raw_objects_by_map (&m.objects, &p, file, &mapped, err)
        && (mapped || raw_objects_by_sidecar (&m.objects, file, err))
        && ((note_samples (&m.objects, &p) && objects_finish (&m.objects, &m.profile, &m.warnings))
            || error_no_memory (err))
        && symtab_load (&m.symtab, &m.objects, &every_function, err)
        && (mapped || raw_objects_by_trial (&m, &p, file, err)) && print (&p, &m.symtab, err);
  warnings_print (argv0, &m.warnings);
  prof_out_free (&p);
  model_free (&m);
  return ok;
}

static bool
is_profile (const char *name)
{
  char magic[4];
  FILE *file = fopen (name, "r");
  bool is = file && fread (magic, 1, sizeof magic, file) == sizeof magic
            && memcmp (magic, "gmon", sizeof magic) == 0;
  if (file)
    fclose (file);
  return is;
}

bool
counts_report (const char *argv0, const char *program, char *file, const char *words,
               bool any_build, struct error *err)
{
  return is_profile (file) ? report_profile (argv0, program, file, any_build, err)
                           : report_addresses (argv0, program, file, words, err);
}
