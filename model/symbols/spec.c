/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resolves gprof's symspecs.  gprof's tables contain stretches of addresses.  Neighbouring
   symbols that one word matches are one stretch.  Only the last stretch of a table that begins at
   or before a symbol decides about it:

     a.c      |............................|     "-p a.c -p g" shows what is in front of g, and
     g                 |...|                     g, but nothing of what a.c has behind g

   Of two that begin at the same symbol the later word's is used.  With a slash, the stretches are
   those of the callers, and all stretches around the caller decide together. */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/spec.h"
#include "model/symbols/srcline.h"
#include "model/symbols/symtab.h"

#define NO_SYMBOL UINT32_MAX

/* One side of a word. */
struct pattern {
  char *function;  /* mangled; null: any */
  uint32_t source; /* NO_SOURCE: any */
  unsigned line;   /* 0: any */
  enum spec_table table;
  uint32_t word;
  bool callee;          /* behind the slash */
  uint32_t next_symbol; /* the one behind the last match, ... */
  size_t stretch;       /* ... which this stretch of its table ends with */
};

struct stretch {
  uint32_t first; /* symbol */
  uint64_t end;   /* address of the last byte */
  uint64_t reach; /* the highest end of it and of those before it */
  uint32_t word;
};

struct table {
  struct stretch *stretches;
  size_t count, room;
};

struct specs {
  const struct symtab *symtab;
  struct table tables[SPEC_TABLES];
  struct table callees; /* patterns behind slashes; by word */
};

/* The words. */

struct patterns {
  struct pattern *all;
  size_t count, room;
};

/* gprof takes the newest of several files of that name. */
static bool
find_source (const struct symtab *t, const char *name, size_t length, uint32_t *source)
{
  for (size_t i = t->nsources; i-- > 0;)
    {
      const char *base = srcline_base (t->sources[i]);
      if (strlen (base) == length && memcmp (base, name, length) == 0)
        {
          *source = (uint32_t) i;
          return true;
        }
    }
  return false;
}

/* Adds the side TEXT of a word.  A side with an unknown file matches nothing and is dropped.
   False: out of memory. */
static bool
add_pattern (struct patterns *all, const struct symtab *t, const char *text, size_t length,
             struct pattern p)
{
  const char *colon = memrchr (text, ':', length);
  bool is_file = !colon && memchr (text, '.', length);
  size_t file = colon ? (size_t) (colon - text) : is_file ? length : 0;
  size_t rest = colon ? file + 1 : file;
  p.source = NO_SOURCE;
  if (file > 0 && !find_source (t, text, file, &p.source))
    return true;
  if (rest < length && isdigit ((unsigned char) text[rest]))
    p.line = (unsigned) strtoul (text + rest, NULL, 10);
  else if (rest < length && !(p.function = strndup (text + rest, length - rest)))
    return false;
  if (array_grow (&all->all, all->count, &all->room, sizeof *all->all))
    {
      all->all[all->count++] = p;
      return true;
    }
  free (p.function);
  return false;
}

static bool
add_word (struct patterns *all, const struct symtab *t, const struct spec_word *w, size_t number)
{
  size_t left = strcspn (w->word, "/");
  struct pattern p = { .table = w->table, .word = (uint32_t) number, .next_symbol = NO_SYMBOL };
  if (!add_pattern (all, t, w->word, left, p))
    return false;
  p.callee = true;
  return w->word[left] == '\0'
         || add_pattern (all, t, w->word + left + 1, strlen (w->word + left + 1), p);
}

static bool
add_words (struct patterns *all, const struct spec_word *words, size_t n, const struct symtab *t)
{
  for (size_t i = 0; i < n; i++)
    if (!add_word (all, t, &words[i], i))
      return false;
  return true;
}

/* Symbols to words.  The patterns are sorted by what a symbol must have: a name, else a source,
   else nothing. */

static int
compare_keys (const char *name, uint32_t source, const struct pattern *p)
{
  int order = strcmp (name, p->function ? p->function : "");
  return order != 0 || p->function ? order : (source > p->source) - (source < p->source);
}

static int
compare_patterns (const void *a, const void *b, void *context)
{
  const struct pattern *p = a;
  (void) context;
  return compare_keys (p->function ? p->function : "", p->source, b);
}

static bool
add_stretch (struct table *table, uint32_t first, uint64_t end, uint32_t word)
{
  if (!array_grow (&table->stretches, table->count, &table->room, sizeof *table->stretches))
    return false;
  table->stretches[table->count++] = (struct stretch) { .first = first, .end = end, .word = word };
  return true;
}

/* P matches the symbol. */
static bool
note_match (struct specs *s, struct pattern *p, const struct symtab *t, uint32_t symbol)
{
  struct table *table = p->callee ? &s->callees : &s->tables[p->table];
  const struct symbol *sym = &t->symbols[symbol];
  if (p->next_symbol == symbol)
    table->stretches[p->stretch].end = sym->end;
  else if (sym->end < sym->address)
    return true; /* the last one, which has no code */
  else if (!add_stretch (table, symbol, sym->end, p->word))
    return false;
  else
    p->stretch = table->count - 1;
  p->next_symbol = symbol + 1;
  return true;
}

/* Excludes the profiler's own symbols, as if the user had excluded them behind the N words. */
static bool
exclude_hooks (struct specs *s, const struct symtab *t, size_t n)
{
  static const enum spec_table without[] = { EXCL_TIME, EXCL_GRAPH, EXCL_FLAT };
  for (uint32_t i = 0; i < t->count; i++)
    for (size_t k = 0; t->symbols[i].is_helper && k < sizeof without / sizeof *without; k++)
      if (!add_stretch (&s->tables[without[k]], i, t->symbols[i].end, (uint32_t) n))
        return false;
  return true;
}

/* Matches the symbol with the patterns of this key. */
static bool
match (struct specs *s, const struct patterns *all, const struct symtab *t, uint32_t symbol,
       const char *name, uint32_t source)
{
  const struct symbol *sym = &t->symbols[symbol];
  size_t before = ARRAY_BEFORE (i, all->count, compare_keys (name, source, &all->all[i]) > 0);
  for (; before < all->count && compare_keys (name, source, &all->all[before]) == 0; before++)
    {
      struct pattern *p = &all->all[before];
      if ((p->source == NO_SOURCE || p->source == sym->source)
          && (p->line == 0 || p->line == sym->line) && !note_match (s, p, t, symbol))
        return false;
    }
  return true;
}

static bool
match_all (struct specs *s, struct patterns *all, const struct symtab *t)
{
  if (!array_sort (all->all, all->count, sizeof *all->all, compare_patterns, NULL))
    return false;
  for (uint32_t i = 0; i < t->count; i++)
    {
      const struct symbol *sym = &t->symbols[i];
      if (!match (s, all, t, i, sym->name, NO_SOURCE) || !match (s, all, t, i, "", NO_SOURCE)
          || (sym->source != NO_SOURCE && !match (s, all, t, i, "", sym->source)))
        return false;
    }
  return true;
}

/* Stretches in order. */

/* By address; of those with the same beginning the latest word's first. */
static int
compare_stretches (const void *a, const void *b, void *context)
{
  const struct stretch *x = a, *y = b;
  (void) context;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return x->word > y->word ? -1 : x->word < y->word;
}

static bool
finish_table (struct table *table)
{
  struct stretch *all = table->stretches;
  if (!array_sort (all, table->count, sizeof *all, compare_stretches, NULL))
    return false;
  size_t n = 0;
  for (size_t i = 0; i < table->count; i++)
    if (n == 0 || all[n - 1].first != all[i].first)
      {
        all[n] = all[i];
        all[n].reach = n > 0 && all[n - 1].reach > all[n].end ? all[n - 1].reach : all[n].end;
        n++;
      }
  table->count = n;
  return true;
}

static int
compare_words (const void *a, const void *b, void *context)
{
  const struct stretch *x = a, *y = b;
  return x->word == y->word ? compare_stretches (a, b, context) : x->word < y->word ? -1 : 1;
}

static bool
finish (struct specs *s)
{
  for (int i = 0; i < SPEC_TABLES; i++)
    if (!finish_table (&s->tables[i]))
      return false;
  return array_sort (s->callees.stretches, s->callees.count, sizeof *s->callees.stretches,
                     compare_words, NULL);
}

struct specs *
specs_resolve (const struct spec_word *words, size_t n, const struct symtab *t, struct error *err)
{
  struct patterns all = { 0 };
  struct specs *s = calloc (1, sizeof *s);
  bool ok = s && add_words (&all, words, n, t) && match_all (s, &all, t) && exclude_hooks (s, t, n)
            && finish (s);
  for (size_t i = 0; i < all.count; i++)
    free (all.all[i].function);
  free (all.all);
  if (ok)
    {
      s->symtab = t;
      return s;
    }
  specs_free (s);
  error_no_memory (err);
  return NULL;
}

void
specs_free (struct specs *s)
{
  if (!s)
    return;
  for (int i = 0; i < SPEC_TABLES; i++)
    free (s->tables[i].stretches);
  free (s->callees.stretches);
  free (s);
}

/* Queries. */

bool
specs_empty (const struct specs *s, enum spec_table table)
{
  return s->tables[table].count == 0;
}

/* The number of stretches that begin at or before the symbol. */
static size_t
begun (const struct table *table, uint32_t symbol)
{
  return ARRAY_BEFORE (i, table->count, table->stretches[i].first <= symbol);
}

bool
specs_has (const struct specs *s, enum spec_table table, uint32_t symbol)
{
  const struct table *tab = &s->tables[table];
  size_t n = begun (tab, symbol);
  return n > 0 && s->symtab->symbols[symbol].address <= tab->stretches[n - 1].end;
}

/* Does the stretch begin at or before the callee CHILD of WORD? */
static bool
begins_before (const struct stretch *s, uint32_t word, uint32_t child)
{
  return s->word < word || (s->word == word && s->first <= child);
}

/* Does the word name calls of CHILD?  With lines, only if it matches all of CHILD's lines, or its
   first one alone. */
static bool
names_callee (const struct specs *s, uint32_t word, uint32_t child)
{
  const struct table *tab = &s->callees;
  size_t before = ARRAY_BEFORE (i, tab->count, begins_before (&tab->stretches[i], word, child));
  return before > 0 && tab->stretches[before - 1].word == word
         && s->symtab->symbols[child].end <= tab->stretches[before - 1].end;
}

bool
specs_has_arc (const struct specs *s, enum spec_table table, uint32_t parent, uint32_t child)
{
  const struct table *tab = &s->tables[table];
  uint64_t at = s->symtab->symbols[parent].address;
  for (size_t i = begun (tab, parent); i-- > 0 && tab->stretches[i].reach >= at;)
    if (tab->stretches[i].end >= at && names_callee (s, tab->stretches[i].word, child))
      return true;
  return false;
}
