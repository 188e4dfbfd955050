/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "model/elf/demangle.h"
#include "model/symbols/samples.h"
#include "model/symbols/srcline.h"
#include "tools/annotate/annotate_find.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"

enum { MOST_FRAMES = 64, MOST_LISTED = 20 };

/* A function of the program, or a part of one, that the user may mean. */
struct candidate {
  const struct symbol *symbol;
  char *name;          /* demangled, without the suffix of a part */
  struct srcline line; /* where it is defined; file null: unknown */
  enum pattern_match match;
};

struct candidates {
  const char *object; /* only functions of objects that match; null: all */
  struct candidate *list;
  size_t count, room;
};

/* The outermost (not inlined) function at the start of SYMBOL's code. */
static struct srcline
line_of (const struct symbol *symbol)
{
  struct srcline frames[MOST_FRAMES];
  size_t n = srcline_of_symbol (symbol, symbol->address, frames, MOST_FRAMES);
  return n > 0 && n <= MOST_FRAMES ? frames[n - 1] : (struct srcline) { 0 };
}

static bool
same_text (const char *a, const char *b)
{
  return a == b || (a && b && strcmp (a, b) == 0);
}

/* Do both belong to one function of the source?  Without debug information that is known only of
   parts, by their names.  Functions of a language have no parts. */
static bool
same_function (const struct candidate *a, const struct candidate *b)
{
  if (a->symbol->file)
    return a->symbol == b->symbol;
  return a->symbol->object == b->symbol->object && strcmp (a->name, b->name) == 0
         && same_text (a->line.file, b->line.file)
         && (a->line.file || strcmp (a->symbol->name, b->symbol->name) != 0);
}

/* Do the first N bytes of TEXT name FILE, with or without its folders? */
static bool
is_file (const char *file, const char *text, size_t n)
{
  size_t length = file ? strlen (file) : 0;
  return length >= n && n > 0 && memcmp (file + length - n, text, n) == 0
         && (length == n || file[length - n - 1] == '/');
}

/* The words of the user, taken apart. */
struct question {
  const char *pattern; /* function name or pattern; null: any */
  const char *file;    /* source file, NFILE bytes; null: any */
  size_t nfile;
};

/* SYMBOL's display name without the suffix of a part, or without file and line; null: no memory. */
static char *
plain_name (const struct model *m, const struct symbol *symbol)
{
  if (symbol->file)
    return strdup (languages_function (&m->stacks.languages, symbol->address)->text);
  size_t length = *symbol->name && !symbol->is_nameless ? 1 + strcspn (symbol->name + 1, ".")
                                                        : strlen (symbol->name);
  char *base = strndup (symbol->name, length);
  char *plain = base ? demangle_name (model_program (m), base) : NULL;
  if (!plain)
    return base;
  free (base);
  return plain;
}

/* Adds SYMBOL if it matches; false: no memory. */
static bool
consider (struct candidates *c, const struct question *q, const struct model *m,
          const struct symbol *symbol)
{
  struct candidate new = { .symbol = symbol, .name = plain_name (m, symbol) };
  new.match = !new.name      ? PATTERN_NOT
              : !q->pattern  ? PATTERN_EXACT
              : symbol->file ? pattern_match_spoken (q->pattern, symbol->name, new.name)
                             : pattern_match (q->pattern, symbol->name, new.name);
  bool is = new.match != PATTERN_NOT;
  bool ok = new.name &&array_grow (&c->list, c->count, &c->room, sizeof *c->list);
  if (ok && is)
    {
      new.line = line_of (symbol);
      is = !q->file || is_file (new.line.file, q->file, q->nfile);
    }
  if (ok && is)
    c->list[c->count++] = new;
  else
    free (new.name);
  return ok;
}

/* A function of the profiler's, which the plugin put into a unit. */
static bool
is_own (const struct symbol *symbol)
{
  return strncmp (symbol->name, "bbprof.", 7) == 0;
}

/* Keeps the best matches. */
static void
keep_best (struct candidates *c)
{
  enum pattern_match best = PATTERN_NOT;
  size_t n = 0;
  for (size_t i = 0; i < c->count; i++)
    best = c->list[i].match > best ? c->list[i].match : best;
  for (size_t i = 0; i < c->count; i++)
    if (c->list[i].match == best)
      c->list[n++] = c->list[i];
    else
      free (c->list[i].name);
  c->count = n;
}

/* Is SYMBOL, which may be null, in an object that matches PATTERN? */
static bool
is_in_object (const struct symbol *symbol, const char *pattern)
{
  const struct object *o = symbol ? symbol->object : NULL;
  return o && object_choice_is (pattern, object_name (o), o->path);
}

/* Has it code, or a source?  System calls and the kernel's functions have none. */
static bool
can_be_shown (const struct symbol *symbol)
{
  const struct object *o = symbol->object;
  return symbol->file ? *symbol->file != '\0' : o && (object_is_file (o) || o->image.bfd);
}

static bool
consider_all (struct candidates *c, const struct question *q, const struct model *m)
{
  const struct symtab *t = &m->symtab;
  bool ok = true;
  for (size_t i = 0; ok && i < t->count; i++)
    if (can_be_shown (&t->symbols[i]) && is_in_object (&t->symbols[i], c->object)
        && (q->pattern || !is_own (&t->symbols[i])))
      ok = consider (c, q, m, &t->symbols[i]);
  keep_best (c);
  return ok;
}

static void
free_candidates (struct candidates *c)
{
  for (size_t i = 0; i < c->count; i++)
    free (c->list[i].name);
  free (c->list);
  *c = (struct candidates) { 0 };
}

/* The symbol with most samples in its blocks, then with most executions.  Null: nothing ran.
   OBJECT: the pattern of its object; null: any. */
static const struct symbol *
hottest (const struct blocks *b, const char *object)
{
  const struct symbol *best = NULL;
  double most_samples = 0, most_executions = 0;
  for (size_t i = 0; i < b->count;)
    {
      const struct symbol *s = b->blocks[i].symbol;
      double samples = 0, executions = 0;
      for (; i < b->count && b->blocks[i].symbol == s; i++)
        {
          samples += b->blocks[i].samples;
          executions += (double) b->blocks[i].count;
        }
      if ((object ? is_in_object (s, object) : s != NULL)
          && (samples > most_samples || (samples == most_samples && executions > most_executions)))
        {
          best = s;
          most_samples = samples;
          most_executions = executions;
        }
    }
  return best;
}

/* The samples of a function of a language, with those in native functions that it called. */
static double
spoken_samples (const struct model *m, const struct symbol *symbol)
{
  const struct language_line *lines;
  double sum = 0;
  for (size_t n = languages_lines (&m->stacks.languages, symbol->address, &lines); n-- > 0;)
    sum += (double) lines[n].ticks;
  return sum;
}

/* The symbol with the most samples, for programs without counters. *BEST: null if there are
   none.  False: no memory. */
static bool
most_sampled (const struct model *m, const char *object, const struct symbol **best)
{
  const struct symtab *t = &m->symtab;
  double *samples = calloc (t->count + 1, sizeof *samples), most = 0;
  *best = NULL;
  if (!samples)
    return false;
  samples_assign_to_symbols (&m->profile, t, samples);
  for (size_t i = 0; i < t->count; i++)
    {
      const struct symbol *s = &t->symbols[i];
      if (!is_in_object (s, object) || !can_be_shown (s)
          || !(s->file || image_has_instructions (&s->object->image)))
        continue;
      if (s->file)
        samples[i] = spoken_samples (m, s);
      if (samples[i] > most)
        {
          *best = s;
          most = samples[i];
        }
    }
  free (samples);
  return true;
}

/* The function that SYMBOL (may be null) is a part of. */
static bool
ask_for_symbol (struct candidates *c, const struct model *m, const struct symbol *symbol)
{
  struct candidates one = { 0 };
  if (!symbol)
    return true;
  bool ok = consider (&one, &(struct question) { 0 }, m, symbol)
            && consider_all (c, &(struct question) { .pattern = one.list[0].name }, m);
  size_t n = 0;
  for (size_t i = 0; ok && i < c->count; i++)
    if (c->list[i].symbol == symbol || same_function (&c->list[i], &one.list[0]))
      c->list[n++] = c->list[i];
    else
      free (c->list[i].name);
  c->count = ok ? n : c->count;
  free_candidates (&one);
  return ok;
}

/* Splits FILE:FUNCTION; `::' of C++ does not split. */
static bool
ask_for_both (struct candidates *c, const char *what, const struct model *m)
{
  bool ok = true;
  for (const char *colon = strchr (what, ':'); ok && colon && c->count == 0;
       colon = strchr (colon + 1, ':'))
    if (colon > what && colon[1] != ':' && colon[-1] != ':' && colon[1] != '\0')
      ok = consider_all (c,
                         &(struct question) {
                             .pattern = colon + 1, .file = what, .nfile = (size_t) (colon - what) },
                         m);
  return ok;
}

static bool
is_address (const char *text)
{
  return strncmp (text, "0x", 2) == 0 && text[2]
         && text[strspn (text + 2, "0123456789abcdefABCDEF") + 2] == '\0';
}

/* Finds the functions that WHAT names; *FILE: it names a file, and all its functions match.
   False: no memory. */
static bool
ask (struct candidates *c, const char *what, const struct model *m, const struct blocks *b,
     bool *file)
{
  *file = false;
  const struct symbol *most = hottest (b, c->object);
  if (!what)
    return (most || most_sampled (m, c->object, &most)) && ask_for_symbol (c, m, most);
  if (is_address (what))
    return ask_for_symbol (c, m, symtab_find (&m->symtab, strtoull (what, NULL, 16)));
  if (!consider_all (c, &(struct question) { .pattern = what }, m)
      || (c->count == 0 && !ask_for_both (c, what, m)))
    return false;
  *file = c->count == 0;
  return !*file || consider_all (c, &(struct question) { .file = what, .nfile = strlen (what) }, m);
}

static bool
is_first_of_function (const struct candidates *c, size_t i)
{
  size_t before = 0;
  while (before < i && !same_function (&c->list[before], &c->list[i]))
    before++;
  return before == i;
}

static void
print_candidate (const struct candidate *c)
{
  if (c->line.file)
    fprintf (stderr, "  %s (%s:%u)\n", visible (c->name), visible (c->line.file), c->line.line);
  else
    fprintf (stderr, "  %s (0x%" PRIx64 ")\n", visible (c->name), c->symbol->address);
}

/* Several functions match: lists them. */
static bool
refuse_many (const struct candidates *c, const char *what, struct error *err)
{
  size_t n = 0;
  for (size_t i = 0; i < c->count; i++)
    if (is_first_of_function (c, i) && n++ < MOST_LISTED)
      print_candidate (&c->list[i]);
  if (n > MOST_LISTED)
    fprintf (stderr, "  and %zu more\n", n - MOST_LISTED);
  return error_set (
      err, NULL, ERROR_NO_OFFSET,
      "%zu functions match '%.60s'; give its whole name, FILE:FUNCTION or its address", n, what);
}

/* Nothing matches.  ALL: all functions. */
static bool
refuse (const struct candidates *all, const char *what, struct error *err)
{
  struct name_choice choice;
  name_choice_begin (&choice, what);
  for (size_t i = 0; i < all->count; i++)
    name_choice_consider (&choice, all->list[i].symbol->name, all->list[i].name);
  name_choice_refuse (&choice, "function and no source file", err);
  name_choice_free (&choice);
  return false;
}

static bool
take (struct found *f, const struct candidates *c, bool file)
{
  f->symbols = calloc (c->count, sizeof *f->symbols);
  f->file = file ? strdup (c->list[0].line.file) : NULL;
  if (!f->symbols || (file && !f->file))
    return false;
  for (size_t i = 0; i < c->count; i++)
    if (!file || strcmp (c->list[i].line.file, f->file) == 0)
      f->symbols[f->count++] = c->list[i].symbol;
  return true;
}

static bool
has_object (const struct symtab *t, const char *pattern)
{
  size_t i = 0;
  while (i < t->count && !is_in_object (&t->symbols[i], pattern))
    i++;
  return i < t->count;
}

bool
annotate_find (struct found *f, const char *what, const char *object, const struct model *m,
               const struct blocks *b, struct error *err)
{
  struct candidates c = { .object = object };
  bool file, ok = true;
  *f = (struct found) { 0 };
  if (object && !has_object (&m->symtab, object))
    return object_choice_refuse (object, err);
  if (!ask (&c, what, m, b, &file))
    ok = error_no_memory (err);
  else if (c.count == 0)
    ok = what ? (consider_all (&c, &(struct question) { 0 }, m) ? refuse (&c, what, err)
                                                                : error_no_memory (err))
              : error_set (err, NULL, ERROR_NO_OFFSET,
                           "no function has counts or samples; name one to see its code");
  for (size_t i = 1; ok && !file && i < c.count; i++)
    if (!same_function (&c.list[0], &c.list[i]))
      ok = refuse_many (&c, what, err);
  if (ok && !take (f, &c, file))
    ok = error_no_memory (err);
  free_candidates (&c);
  return ok;
}

void
found_free (struct found *f)
{
  free (f->symbols);
  free (f->file);
}
