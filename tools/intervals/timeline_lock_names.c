/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for addresses of the process: variables that contain locks, and functions that wait for
   them.  The sidecar says where each object was loaded last. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/elf/demangle.h"
#include "model/elf/elf_variables.h"
#include "model/model.h"
#include "tools/intervals/timeline_own.h"

/* The object that was loaded at ADDRESS, which becomes a link-time address; null: none. */
static const struct bbx_run_object *
object_at (const struct model *m, uint64_t *address)
{
  const struct bbx *x = &m->runs[0].sidecar;
  for (size_t i = 0; i < x->nobjects; i++)
    {
      const struct bbx_object *o = &x->objects[i].fixed;
      const uint64_t linked = *address - o->bias;
      if (linked < o->start || linked >= o->end)
        continue;
      *address = linked;
      return &x->objects[i];
    }
  return NULL;
}

/* The file with its symbols; null: there is none. */
static const char *
file_of (const struct model *m, const struct bbx_run_object *o)
{
  for (size_t i = 0; i < m->objects.count; i++)
    {
      const struct object *known = &m->objects.all[i];
      if (known->base == o->fixed.base && object_is_file (known))
        return known->debug_path ? known->debug_path : known->path;
    }
  return NULL;
}

/* "pool+0x28". */
static bool
name_lock (struct timeline *t, struct timeline_lock *l, const struct elf_variables *variables,
           const struct image *program, uint64_t address)
{
  const struct elf_variable *v = elf_variables_find (variables, address);
  /* The address of a condition variable is that of a word in it. */
  const bool is_whole = v && l->why == BBS_WHY_CONDITION && v->size <= 48;
  char text[512], *plain;
  if (!v)
    return true;
  plain = demangle_name (program, v->name);
  if (address == v->address || is_whole)
    snprintf (text, sizeof text, "%s", plain ? plain : v->name);
  else
    snprintf (text, sizeof text, "%s+%#" PRIx64, plain ? plain : v->name, address - v->address);
  free (plain);
  return (l->name = timeline_keep_text (t, text));
}

/* All locks in OBJECT. */
static bool
name_in_object (struct timeline *t, const struct model *m, const struct bbx_run_object *object)
{
  const char *file = file_of (m, object);
  struct elf_variables *variables = file ? elf_variables_open (file) : NULL;
  bool ok = !file || variables;
  for (size_t i = 0; variables && ok && i < t->nlocks; i++)
    {
      uint64_t address = t->locks[i].address;
      if (object_at (m, &address) == object)
        ok = name_lock (t, &t->locks[i], variables, model_program (m), address);
    }
  elf_variables_close (variables);
  return ok;
}

static bool
has_locks (const struct timeline *t, const struct model *m, const struct bbx_run_object *object)
{
  for (size_t i = 0; i < t->nlocks; i++)
    {
      uint64_t address = t->locks[i].address;
      if (object_at (m, &address) == object)
        return true;
    }
  return false;
}

/* The symbol of each call, demangled once for adjacent waits of one caller. */
static bool
name_callers (struct timeline *t, const struct model *m)
{
  uint64_t last = 0;
  const char *function = NULL;
  for (size_t i = 0; i < t->nwaits; i++)
    {
      struct timeline_wait *w = &t->waits[i];
      if (w->caller && w->caller != last)
        {
          uint64_t address = last = w->caller;
          const struct bbx_run_object *o = object_at (m, &address);
          const struct symbol *s = o ? symtab_find (&m->symtab, address - 1 + o->fixed.base) : NULL;
          char *plain = s ? demangle_name (model_program (m), s->name) : NULL;
          function = s ? timeline_keep_text (t, plain ? plain : s->name) : NULL;
          free (plain);
          if (s && !function)
            return false;
        }
      w->function = w->caller ? function : NULL;
    }
  return true;
}

bool
timeline_name_locks (struct timeline *t, const struct model *m)
{
  const struct bbx *x = &m->runs[0].sidecar;
  bool ok = true;
  for (size_t i = 0; ok && i < x->nobjects; i++)
    if (has_locks (t, m, &x->objects[i]))
      ok = name_in_object (t, m, &x->objects[i]);
  return ok && name_callers (t, m);
}
