/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/visible.h"
#include "model/elf/demangle.h"
#include "tools/arguments/name_choice.h"
#include "tools/arguments/object_choice.h"
#include "tools/flame/flame_tree.h"

/* Names. */

/* The names of source of all functions, or null where they have the linker's.  Null: no memory. */
static char **
demangle_all (const struct frames *f, const struct model *m)
{
  char **names = calloc (f->nfunctions + 1, sizeof *names);
  for (size_t i = 0; names && i < f->nfunctions; i++)
    names[i] = demangle_name (model_program (m), f->functions[i].symbol);
  return names;
}

static bool
is_in_object (const struct flame_choice *c, const struct object *o)
{
  return object_choice_is (c->object, object_name (o), o->path);
}

/* Marks the functions that the user looks for; an error if there are none. */
static bool
find_matches (struct flame_tree *f, const struct flame_choice *c, struct error *err)
{
  struct name_choice choice;
  bool any = false, in_object = false;
  name_choice_begin (&choice, c->function);
  for (size_t i = 0; i < f->frames.nfunctions; i++)
    if (is_in_object (c, f->frames.functions[i].object))
      {
        in_object = true;
        if (c->function)
          name_choice_consider (&choice, f->frames.functions[i].symbol, f->names[i]);
      }
  for (size_t i = 0; i < f->frames.nfunctions; i++)
    {
      f->matches[i] = is_in_object (c, f->frames.functions[i].object)
                      && (!c->function
                          || name_choice_is (&choice, f->frames.functions[i].symbol, f->names[i]));
      any |= f->matches[i];
    }
  if (!any && !in_object && c->object)
    object_choice_refuse (c->object, err);
  else if (!any)
    name_choice_refuse (&choice, "function that ran", err);
  name_choice_free (&choice);
  return any;
}

/* Names that can be shown. */
static bool
show_names (struct flame_tree *f)
{
  bool ok = true;
  for (size_t i = 0; ok && i < f->frames.nfunctions; i++)
    {
      char *name = f->names[i];
      f->names[i] = strdup (visible (name ? name : f->frames.functions[i].symbol));
      ok = f->names[i] != NULL;
      free (name);
    }
  return ok;
}

/* Order. */

struct position {
  uint64_t position;
  uint32_t item; /* a function, or a node */
};

static int
compare_names (const void *a, const void *b, void *context)
{
  const struct flame_tree *f = context;
  return strcmp (f->names[((const struct position *) a)->item],
                 f->names[((const struct position *) b)->item]);
}

/* Of each function its place among the names, the first name last.  Null: no memory. */
static uint64_t *
find_places (struct flame_tree *f)
{
  size_t n = f->frames.nfunctions;
  struct position *list = malloc ((n + 1) * sizeof *list);
  uint64_t *places = malloc ((n + 1) * sizeof *places);
  for (size_t i = 0; list && i < n; i++)
    list[i] = (struct position) { 0, (uint32_t) i };
  bool ok = list && places && array_sort (list, n, sizeof *list, compare_names, f);
  for (size_t i = 0; ok && i < n; i++)
    places[list[i].item] = n - i;
  free (list);
  if (ok)
    return places;
  free (places);
  return NULL;
}

/* Links the children of each node by name; what is unknown comes last. */
static bool
link_by_name (struct flame_tree *f)
{
  struct contexts *tree = &f->folded.tree;
  uint64_t *places = find_places (f);
  struct position *list = malloc ((tree->count + 1) * sizeof *list);
  bool ok = places && list;
  for (size_t i = 0; ok && i < tree->count; i++)
    {
      struct context *c = &tree->nodes[i];
      c->first = c->next = 0;
      list[i] = (struct position) { i > 0 && c->kind == BBX_FRAME_CODE ? places[c->address] : 0,
                                    (uint32_t) i };
    }
  ok = ok
       && array_sort_by_number (list, tree->count, sizeof *list,
                                offsetof (struct position, position));
  for (size_t i = 0; ok && i < tree->count; i++)
    if (list[i].item != 0)
      {
        struct context *c = &tree->nodes[list[i].item];
        c->next = tree->nodes[c->parent].first;
        tree->nodes[c->parent].first = list[i].item;
      }
  free (list);
  free (places);
  return ok;
}

/* Each stack counts once, by its outermost function that matches. */
static bool
sum_matches (struct flame_tree *f)
{
  bool *beneath = calloc (f->folded.tree.count + 1, sizeof *beneath);
  for (size_t i = 1; beneath && i < f->folded.tree.count; i++)
    {
      const struct context *c = &f->folded.tree.nodes[i];
      bool matches = c->kind == BBX_FRAME_CODE && f->matches[c->address];
      beneath[i] = beneath[c->parent] || matches;
      if (matches && !beneath[c->parent])
        f->matched += f->totals[i];
    }
  free (beneath);
  return beneath != NULL;
}

bool
flame_tree_make (struct flame_tree *f, const struct model *m, const struct flame_choice *c,
                 struct error *err)
{
  const struct frames_choice choice = { .no_inlines = c->no_inlines, .threads = c->threads };
  *f = (struct flame_tree) { .model = m };
  bool ok = frames_make (&f->frames, m, &choice)
            && folded_frames_make (&f->folded, &f->frames, m,
                                   &(struct fold_choice) { .no_fold = c->no_fold })
            && (f->names = demangle_all (&f->frames, m))
            && (f->matches = calloc (f->frames.nfunctions + 1, sizeof *f->matches));
  if (ok && (c->function || c->object) && !find_matches (f, c, err))
    return false;
  ok = ok && show_names (f) && link_by_name (f) && (f->totals = contexts_totals (&f->folded.tree))
       && sum_matches (f);
  return ok || error_no_memory (err);
}

void
flame_tree_free (struct flame_tree *f)
{
  for (size_t i = 0; f->names && i < f->frames.nfunctions; i++)
    free (f->names[i]);
  free (f->names);
  free (f->matches);
  free (f->totals);
  folded_frames_free (&f->folded);
  frames_free (&f->frames);
}

const struct object *
flame_tree_object (const struct flame_tree *f, uint32_t node)
{
  const struct context *c = &f->folded.tree.nodes[node];
  return node != 0 && c->kind == BBX_FRAME_CODE ? f->frames.functions[c->address].object : NULL;
}
