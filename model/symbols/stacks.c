/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/languages/frame_addresses.h"
#include "model/symbols/stacks.h"
#include "model/symbols/symtab.h"
#include "model/symbols/syscall_names.h"

/* The kernel's functions in the model, two bytes each: the first one for unknown ones, then the
   system calls by number; functions with names from KERNEL_FUNCTIONS on. */
#define KERNEL_BASE (1UL << 62)
#define SYSCALLS_MOST 4096UL
#define KERNEL_FUNCTIONS (KERNEL_BASE + (1UL << 58))
#define KERNEL_SIZE (1UL << 59)

/* Behind that, addresses of code in no object, as in the processes. */
#define ANONYMOUS_BASE (1UL << 62 | 1UL << 60)
#define ANONYMOUS_SIZE (1UL << 57)

/* Addresses closer than this are one region, named by its first page: code that is generated at
   run time lies close together. */
#define REGION_GAP 65536
#define PAGE 4096

/* Addresses. */

static uint64_t
place (const struct bbx_node *n, const struct gmon_moves *moves)
{
  switch ((enum bbx_frame) n->kind)
    {
    case BBX_FRAME_CODE:
    case BBX_FRAME_INTERRUPTED: return gmon_moved (moves, n->address);
    case BBX_FRAME_SYSCALL:
      return KERNEL_BASE + (n->address < SYSCALLS_MOST ? 2 * (n->address + 1) : 0);
    case BBX_FRAME_KERNEL: return KERNEL_BASE;
    case BBX_FRAME_KERNEL_FUNCTION: return KERNEL_FUNCTIONS + 2 * n->address;
    case BBX_FRAME_ANONYMOUS: return ANONYMOUS_BASE + n->address % ANONYMOUS_SIZE;
    case BBX_FRAME_LANGUAGE: /* languages_enter has moved it */
    case BBX_FRAME_THREAD:
    case BBX_FRAME_CUT:
    case BBX_FRAMES: break;
    }
  return n->address;
}

void
stacks_move (struct bbx_stacks *x, const struct gmon_moves *moves)
{
  for (size_t i = 0; i < x->nnodes; i++)
    x->nodes[i].address = place (&x->nodes[i], moves);
}

static bool
has_function (const struct bbx_node *n)
{
  return n->kind != BBX_FRAME_THREAD && n->kind != BBX_FRAME_CUT && n->kind != FRAMES_HIDDEN;
}

/* Functions in no object. */

static int
compare_addresses (const void *a, const void *b, void *context)
{
  const struct stacks_function *x = a, *y = b;
  (void) context;
  return x->address < y->address ? -1 : x->address > y->address;
}

static char *
name_kernel (const struct stacks *s, enum image_machine machine, uint64_t address)
{
  if (address >= KERNEL_FUNCTIONS)
    {
      const char *known = bbx_kernel_name (&s->kernel, (address - KERNEL_FUNCTIONS) / 2);
      return strdup (known ? known : "[kernel]");
    }
  uint64_t number = (address - KERNEL_BASE) / 2;
  const char *known = number > 0 ? syscall_name (machine, number - 1) : "kernel";
  char *name = NULL;
  if ((known ? asprintf (&name, "[%s]", known)
             : asprintf (&name, "[system call %" PRIu64 "]", number - 1))
      < 0)
    return NULL;
  return name;
}

static char *
name_anonymous (uint64_t address)
{
  char *name = NULL;
  return asprintf (&name, "[anonymous %" PRIx64 "]", address - ANONYMOUS_BASE) < 0 ? NULL : name;
}

/* Makes one function for each address, with its name. */
static bool
name_functions (struct stacks *s, enum image_machine machine)
{
  size_t kept = 0;
  uint64_t before = 0; /* the previous address */
  bool ok = array_sort (s->functions, s->nfunctions, sizeof *s->functions, compare_addresses, NULL);
  for (size_t i = 0; ok && i < s->nfunctions; i++)
    {
      struct stacks_function f = s->functions[i];
      bool anonymous = f.address >= ANONYMOUS_BASE;
      bool same = kept > 0
                  && (anonymous ? before >= ANONYMOUS_BASE && f.address - before < REGION_GAP
                                : f.address == before);
      before = f.address;
      if (same)
        continue;
      if (anonymous)
        f.address = f.address / PAGE * PAGE;
      f.name = anonymous ? name_anonymous (f.address) : name_kernel (s, machine, f.address);
      s->functions[kept++] = f;
      ok = f.name != NULL;
    }
  s->nfunctions = kept;
  return ok;
}

static bool
find_functions (struct stacks *s, const struct bbx_stacks *x)
{
  for (size_t i = 0; i < x->nnodes; i++)
    if (has_function (&x->nodes[i]) && x->nodes[i].kind != BBX_FRAME_LANGUAGE
        && x->nodes[i].address >= KERNEL_BASE)
      {
        if (!array_grow (&s->functions, s->nfunctions, &s->room_functions, sizeof *s->functions))
          return false;
        s->functions[s->nfunctions++] = (struct stacks_function) { .address = x->nodes[i].address };
      }
  return true;
}

/* Threads. */

bool
stacks_add_threads (struct stacks *s, const struct bbx_stacks *const *xs, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < xs[i]->nthreads; k++)
      {
        if (!array_grow (&s->threads, s->nthreads, &s->room_threads, sizeof *s->threads))
          return false;
        s->threads[s->nthreads++] = (struct stacks_thread) { .fixed = xs[i]->threads[k], .run = i };
      }
  return true;
}

/* Objects. */

static bool
add_languages (const struct languages *l, struct objects *all)
{
  bool ok = true;
  for (size_t i = 0; ok && i < l->n; i++)
    ok = objects_add_place (all, l->names[i], LANGUAGES_BASE + i * LANGUAGE_SIZE, LANGUAGE_SIZE);
  return ok;
}

static bool
add_objects (const struct stacks *s, struct objects *all)
{
  size_t n = s->nfunctions;
  return (n == 0 || s->functions[0].address >= ANONYMOUS_BASE
          || objects_add_place (all, "[kernel]", KERNEL_BASE, KERNEL_SIZE))
         && (n == 0 || s->functions[n - 1].address < ANONYMOUS_BASE
             || objects_add_place (all, "[anonymous]", ANONYMOUS_BASE, ANONYMOUS_SIZE));
}

static void
note_objects (struct objects *all, const struct bbx_stacks *x)
{
  const struct object *last = NULL;
  for (size_t i = 0; i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      if (!has_function (n)
          || (last && n->address - last->base - last->start < last->end - last->start))
        continue;
      last = objects_note (all, n->address);
    }
}

bool
stacks_find_objects (struct stacks *s, const struct bbx_stacks *const *xs, size_t n,
                     struct objects *all)
{
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++)
    ok = find_functions (s, xs[i]) && bbx_kernel_unite (&s->kernel, &xs[i]->kernel);
  ok = ok && name_functions (s, all->all[0].image.machine) && add_objects (s, all)
       && languages_sort (&s->languages) && add_languages (&s->languages, all)
       && objects_sort (all);
  for (size_t i = 0; ok && i < n; i++)
    note_objects (all, xs[i]);
  return ok;
}

/* Symbols. */

static bool
add_language_symbols (const struct languages *l, const struct objects *all, struct symtab *t)
{
  for (size_t i = 0; i < l->nfunctions; i++)
    {
      const struct language_function *f = &l->functions[i];
      struct symbol symbol = { .address = f->address,
                               .name = f->name,
                               .object = objects_find (all, f->address),
                               .source = NO_SOURCE,
                               .line = f->line,
                               .file = f->file,
                               .is_function = true };
      if (!symtab_add (t, &symbol))
        return false;
    }
  return true;
}

bool
stacks_add_symbols (const struct stacks *s, const struct objects *all, struct symtab *t)
{
  for (size_t i = 0; i < s->nfunctions; i++)
    {
      const struct stacks_function *f = &s->functions[i];
      struct symbol symbol = { .address = f->address,
                               .name = f->name,
                               .object = objects_find (all, f->address),
                               .source = NO_SOURCE,
                               .is_function = true };
      if (!symtab_add (t, &symbol))
        return false;
    }
  return add_language_symbols (&s->languages, all, t);
}

/* The tree. */

/* A node during the lookup of its symbol. */
struct lookup {
  uint64_t address;
  uint64_t node; /* index */
};

/* Looks up each address once, in the order of the table. */
static void
look_up (const struct bbx_stacks *x, const struct symtab *t, const struct lookup *list,
         uint32_t *symbols)
{
  uint32_t symbol = STACKS_NO_SYMBOL;
  for (size_t i = 0; i < x->nnodes; i++)
    {
      if (i == 0 || list[i].address != list[i - 1].address)
        {
          const struct symbol *found = symtab_find (t, list[i].address);
          symbol = found && found->object ? (uint32_t) (found - t->symbols) : STACKS_NO_SYMBOL;
        }
      symbols[list[i].node] = has_function (&x->nodes[list[i].node]) ? symbol : STACKS_NO_SYMBOL;
    }
}

uint32_t
stacks_find_thread (const struct bbx_stacks *x, uint64_t number)
{
  size_t before = ARRAY_BEFORE (i, x->nthreads, x->threads[i].number <= number);
  return (uint32_t) (before - 1);
}

/* Enters X's nodes into the tree; their SYMBOLS are replaced by the tree's nodes.  FIRST: X's first
   thread in the list of all. */
static bool
enter (struct contexts *tree, const struct bbx_stacks *x, size_t first, uint32_t *symbols)
{
  uint32_t *entered = symbols; /* a parent comes first, and its symbol is not needed again */
  for (size_t i = 0; i < x->nnodes; i++)
    {
      const struct bbx_node *n = &x->nodes[i];
      uint32_t up = n->parent > 0 ? entered[n->parent - 1] : 0;
      if (n->kind == BBX_FRAME_THREAD)
        entered[i] = contexts_enter (tree, 0, BBX_FRAME_THREAD,
                                     first + stacks_find_thread (x, n->address));
      else if (n->kind == FRAMES_HIDDEN)
        entered[i] = up;
      else if (symbols[i] == STACKS_NO_SYMBOL)
        entered[i] = contexts_enter (tree, up, BBX_FRAME_CUT, 0);
      else
        entered[i] = contexts_enter (tree, up, BBX_FRAME_CODE, symbols[i]);
      if (entered[i] == 0)
        return false;
      tree->nodes[entered[i]].ticks += n->ticks;
      tree->nodes[entered[i]].by_pointer |= n->by_pointer && n->kind != FRAMES_HIDDEN;
    }
  return true;
}

uint32_t *
stacks_find_symbols (const struct bbx_stacks *x, const struct symtab *t)
{
  uint64_t *addresses = frame_addresses (x);
  struct lookup *list = malloc ((x->nnodes + 1) * sizeof *list);
  uint32_t *symbols = malloc ((x->nnodes + 1) * sizeof *symbols);
  bool ok = addresses && list && symbols;
  for (size_t i = 0; ok && i < x->nnodes; i++)
    list[i] = (struct lookup) { addresses[i], i };
  free (addresses);
  ok = ok
       && array_sort_by_number (list, x->nnodes, sizeof *list, offsetof (struct lookup, address));
  if (ok)
    look_up (x, t, list, symbols);
  free (list);
  if (ok)
    return symbols;
  free (symbols);
  return NULL;
}

bool
stacks_tree (struct contexts *tree, const struct bbx_stacks *const *xs, size_t n,
             const struct symtab *t)
{
  size_t nnodes = 0, first = 0;
  for (size_t i = 0; i < n; i++)
    nnodes += xs[i]->nnodes;
  bool ok = contexts_reserve (tree, nnodes);
  for (size_t i = 0; ok && i < n; i++)
    {
      uint32_t *symbols = stacks_find_symbols (xs[i], t);
      ok = symbols && enter (tree, xs[i], first, symbols);
      first += xs[i]->nthreads;
      free (symbols);
    }
  return ok && contexts_sort (tree);
}

void
stacks_free (struct stacks *s)
{
  for (size_t i = 0; i < s->nfunctions; i++)
    free (s->functions[i].name);
  free (s->functions);
  free (s->threads);
  languages_free (&s->languages);
  bbx_kernel_free (&s->kernel);
  memset (s, 0, sizeof *s);
}
