/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the load address of a position-independent program from the addresses of its samples: at
   the right base they are starts of instructions in its functions.  Code is dense, so most bases
   put all samples into functions.  But only about one byte of four starts an instruction, so
   each further sampled address excludes three quarters of the bases. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/array.h"
#include "tools/raw/raw_objects.h"
#include "tools/code/disassemble.h"

enum { PAGE = 4096, MOST_TRIED = 64, MOST_OF_FUNCTION = 1 << 24 };

/* The addresses at which Linux loads such programs without randomization, with 64-bit and 32-bit
   words. */
#define USUAL_BASE_64 0x555555554000UL
#define USUAL_BASE_32 0x56555000UL
/* With randomization, 64-bit programs lie between these. */
#define LOWEST_BASE 0x550000000000UL
#define HIGHEST_BASE 0x570000000000UL

struct trial {
  struct model *model;
  const struct object *program;
  struct disassembler *disassembler;
  struct prof_out_count tried[MOST_TRIED]; /* sorted by samples, most first */
  size_t ntried;
  /* Of each symbol: which bytes start an instruction; null: not read yet. */
  unsigned char **begins;
  uint64_t base; /* the best so far */
  /* samples at the best base: inside functions, at starts of instructions */
  uint64_t in_functions, at_instructions;
  size_t as_good; /* number of bases with the same result */
};

static bool
is_movable (const struct image *image)
{
  enum { TYPE = 16, DYNAMIC = 3 };
  unsigned char header[TYPE + 2];
  FILE *file = fopen (image->path, "re");
  bool read = file && fread (header, sizeof header, 1, file) == 1;
  if (file)
    fclose (file);
  return read && (header[TYPE] | header[TYPE + 1]) == DYNAMIC; /* in either byte order */
}

static int
by_count (const void *pa, const void *pb, void *unused)
{
  const struct prof_out_count *a = pa, *b = pb;
  (void) unused;
  return a->count > b->count ? -1 : a->count < b->count;
}

static bool
is_likely (uint64_t address)
{
  return address >= LOWEST_BASE && address < HIGHEST_BASE;
}

/* Chooses the addresses with most samples that are in no known object; false: no memory. */
static bool
choose_tried (struct trial *t, const struct prof_out *p)
{
  struct prof_out_count *all = malloc ((p->n + 1) * sizeof *all);
  size_t n = 0;
  bool some = false;
  for (size_t i = 0; all && i < p->n; i++)
    some |= is_likely (p->counts[i].address);
  for (size_t i = 0; all && i < p->n; i++)
    if (p->counts[i].address >= PAGE && !objects_find (&t->model->objects, p->counts[i].address)
        && (!some || is_likely (p->counts[i].address)))
      all[n++] = p->counts[i];
  bool ok = all && array_sort (all, n, sizeof *all, by_count, NULL);
  for (t->ntried = 0; ok && t->ntried < n && t->ntried < MOST_TRIED; t->ntried++)
    t->tried[t->ntried] = all[t->ntried];
  free (all);
  return ok;
}

static const struct symbol *
function_at (const struct trial *t, uint64_t address)
{
  const struct symbol *s = symtab_find (&t->model->symtab, address);
  return s && s->object == t->program ? s : NULL;
}

static uint64_t
in_functions (const struct trial *t, uint64_t base)
{
  uint64_t n = 0;
  for (size_t i = 0; i < t->ntried; i++)
    if (t->tried[i].address >= base && function_at (t, t->tried[i].address - base))
      n += t->tried[i].count;
  return n;
}

/* Marks the bytes of S that start an instruction; null: no memory, or code that cannot be read. */
static const unsigned char *
begins_of (struct trial *t, const struct symbol *s, struct error *err)
{
  unsigned char **begins = &t->begins[s - t->model->symtab.symbols];
  if (*begins || s->end < s->address || s->end - s->address >= MOST_OF_FUNCTION
      || !(*begins = calloc (1, s->end - s->address + 1)))
    return *begins;
  struct instruction at;
  for (uint64_t address = s->address; address <= s->end; address += at.size)
    {
      if (!disassembler_read (t->disassembler, address, &at, err) || at.size == 0)
        break;
      free (at.text);
      (*begins)[address - s->address] = 1;
    }
  return *begins;
}

static uint64_t
at_instructions (struct trial *t, uint64_t base, struct error *err)
{
  uint64_t n = 0;
  for (size_t i = 0; i < t->ntried; i++)
    {
      const uint64_t address = t->tried[i].address - base;
      const struct symbol *s = t->tried[i].address >= base ? function_at (t, address) : NULL;
      const unsigned char *begins = s ? begins_of (t, s, err) : NULL;
      if (begins && begins[address - s->address])
        n += t->tried[i].count;
    }
  return n;
}

static void
try (struct trial *t, uint64_t base, struct error *err)
{
  const uint64_t in = in_functions (t, base);
  if (in == 0 || in < t->in_functions)
    return;
  const uint64_t at = at_instructions (t, base, err);
  if (in == t->in_functions && at < t->at_instructions)
    return;
  if (in == t->in_functions && at == t->at_instructions)
    {
      t->as_good += base != t->base;
      return;
    }
  t->base = base;
  t->in_functions = in;
  t->at_instructions = at;
  t->as_good = 1;
}

/* Tries the usual base first, then all pages before the address with most samples. */
static void
try_all (struct trial *t, struct error *err)
{
  const struct image *image = &t->program->image;
  const uint64_t page = t->tried[0].address & -(uint64_t) PAGE,
                 usual = image->pointer_bytes == 4 ? USUAL_BASE_32 : USUAL_BASE_64;
  try (t, usual, err);
  for (uint64_t code = image->code_low & -(uint64_t) PAGE; code < image->code_high && code <= page;
       code += PAGE)
    if (page - code != usual)
      try (t, page - code, err);
}

/* Turns the program's addresses in P into link-time ones.  Returns how many percent of the
   samples are in its functions. */
static double
move (const struct trial *t, struct prof_out *p)
{
  const struct image *image = &t->program->image;
  uint64_t in = 0, all = 0;
  for (size_t i = 0; i < p->n; i++)
    {
      struct prof_out_count *c = &p->counts[i];
      all += c->count;
      if (c->address - t->base - image->code_low >= image->code_high - image->code_low)
        continue;
      c->address -= t->base;
      in += function_at (t, c->address) ? c->count : 0;
    }
  return all ? 100.0 * (double) in / (double) all : 0;
}

static bool
say (struct trial *t, struct prof_out *p, const char *file, struct error *err)
{
  static const char cure[] = "copy /proc/PID/maps during the run to";
  struct error why;
  if (t->in_functions == 0)
    error_set (&why, file, ERROR_NO_OFFSET,
               "at no load address of the program a sample is in one of its functions; to name "
               "them, %s %.100s.map",
               cure, file);
  else
    {
      const double share = move (t, p);
      char doubt[256] = "";
      if (t->as_good > 1)
        snprintf (doubt, sizeof doubt,
                  ", as at %zu other addresses, so names may be wrong; to be sure, %s %.100s.map",
                  t->as_good - 1, cure, file);
      error_set (&why, file, ERROR_NO_OFFSET,
                 "run-time addresses: the program is assumed to be loaded at 0x%" PRIx64
                 ", where %.1f %% of the samples are in its functions%s",
                 t->base, share, doubt);
    }
  return warnings_add (&t->model->warnings, &why) || error_no_memory (err);
}

static bool
has_samples_in (const struct prof_out *p, const struct image *image)
{
  for (size_t i = 0; i < p->n; i++)
    if (p->counts[i].address - image->code_low < image->code_high - image->code_low)
      return true;
  return false;
}

bool
raw_objects_by_trial (struct model *m, struct prof_out *p, const char *file, struct error *err)
{
  struct trial t = { .model = m, .program = &m->objects.all[0] };
  if (has_samples_in (p, &t.program->image) || !is_movable (&t.program->image))
    return true;
  if (!choose_tried (&t, p))
    return error_no_memory (err);
  if (t.ntried == 0)
    return true;
  t.begins = calloc (m->symtab.count + 1, sizeof *t.begins);
  bool ok = (t.begins || error_no_memory (err))
            && (t.disassembler = disassembler_open (m, t.program, err));
  if (ok)
    {
      try_all (&t, err);
      ok = say (&t, p, file, err);
    }
  for (size_t i = 0; t.begins && i < m->symtab.count; i++)
    free (t.begins[i]);
  free (t.begins);
  if (t.disassembler)
    disassembler_close (t.disassembler);
  return ok;
}
