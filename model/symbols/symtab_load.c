/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "common/array.h"
#include "model/symbols/folded.h"
#include "model/symbols/image_symbols.h"
#include "model/symbols/line_symbols.h"
#include "model/symbols/object_symbols.h"
#include "model/symbols/stacks.h"
#include "model/symbols/symbol_file.h"
#include "model/symbols/symbol_sources.h"
#include "model/symbols/symtab_load.h"

/* Histograms end before: their ends are rounded up by less than this. */
#define END_ROUND 4096

/* By address; functions before labels, global before static. */
static int
compare_symbols (const void *a, const void *b, void *context)
{
  const struct symbol *x = a, *y = b;
  (void) context;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->is_function != y->is_function)
    return x->is_function ? -1 : 1;
  if (x->is_static != y->is_static)
    return x->is_static ? 1 : -1;
  return 0;
}

/* Of two symbols at one address, is the later one the better name? */
static bool
better (const struct symbol *later, const struct symbol *kept)
{
  if (later->is_folded != kept->is_folded) /* gprof's functions are better, lines are not */
    return later->is_folded ? kept->is_line : !later->is_line;
  if (later->is_static != kept->is_static)
    return kept->is_static;
  if (later->is_function != kept->is_function)
    return later->is_function;
  if (kept->name[0] != '_')
    return false;
  return later->name[0] != '_' || (kept->name[1] == '_' && later->name[1] != '_');
}

static void
keep_one_per_address (struct symtab *t)
{
  size_t n = 0;
  for (size_t i = 1; i < t->count; i++)
    if (t->symbols[i].address != t->symbols[n].address)
      t->symbols[++n] = t->symbols[i];
    else if (better (&t->symbols[i], &t->symbols[n]))
      t->symbols[n] = t->symbols[i];
  t->count = n + 1;
}

/* Added behind everything, so that no symbol of an object is the last one, which gprof treats
   differently. */
static bool
add_end (struct symtab *t, const struct objects *all)
{
  struct symbol end = { .name = "[end]", .source = NO_SOURCE, .is_function = true };
  for (size_t i = 0; i < all->count; i++)
    if (all->all[i].has_data)
      end.address = (all->all[i].base + all->all[i].end + END_ROUND) / END_ROUND * END_ROUND;
  return symtab_add (t, &end);
}

static bool
add_others (struct symtab *t, const struct objects *all, const struct symtab_choice *choice)
{
  for (size_t i = 1; i < all->count; i++)
    if (all->all[i].has_data && !object_symbols_add (t, &all->all[i], choice))
      return false;
  if (choice->stacks && !stacks_add_symbols (choice->stacks, all, t))
    return false;
  bool is_gprofs = all->all[0].image.nraw > 0 && !choice->parts && !objects_are_many (all);
  return is_gprofs || add_end (t, all);
}

/* The last byte of the symbol that is followed by none.  gprof's ends with .text. */
static uint64_t
end_of_last (const struct symbol *s, const struct image *im)
{
  return s->is_folded ? s->object->base + s->object->text_end - 1
                      : bfd_section_vma (im->text) + bfd_section_size (im->text) - 1;
}

/* By address, one per address, each up to the next.  Functions keep their ends when lines are put
   between them. */
static bool
put_in_order (struct symtab *t, const struct image *im)
{
  if (!array_sort (t->symbols, t->count, sizeof *t->symbols, compare_symbols, NULL))
    return false;
  keep_one_per_address (t);
  for (size_t i = 0; i < t->count; i++)
    if (t->symbols[i].end == 0)
      t->symbols[i].end = i + 1 < t->count ? t->symbols[i + 1].address - 1
                                           : end_of_last (&t->symbols[i], im);
  return true;
}

/* Loads the symbols of the objects' own tables. */
static bool
load_objects (struct symtab *t, const struct objects *all, const struct symtab_choice *choice,
              struct error *err)
{
  const struct image *im = &all->all[0].image;
  bool is_gprofs = im->nraw > 0 && !choice->parts;
  if (!(is_gprofs ? image_symbols_add (t, im, &all->all[0], choice)
                  : object_symbols_add (t, &all->all[0], choice)))
    return error_no_memory (err);
  if (t->count == 0)
    return error_set (err, im->path, ERROR_NO_OFFSET, "has symbols, but none of a function");
  bool ok = add_others (t, all, choice)
            && (!choice->executed || folded_choose (t, choice->executed))
            && (!choice->sources || symbol_sources_find (t)) && put_in_order (t, im)
            && (!choice->lines || (line_symbols_add (t, all) && put_in_order (t, im)));
  return ok || error_no_memory (err);
}

bool
symtab_load (struct symtab *t, const struct objects *all, const struct symtab_choice *choice,
             struct error *err)
{
  memset (t, 0, sizeof *t);
  if (!choice->file)
    return load_objects (t, all, choice, err);
  return symbol_file_add (t, all, choice->file, err)
         && (put_in_order (t, &all->all[0].image) || error_no_memory (err));
}
