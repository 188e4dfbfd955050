/* SPDX-License-Identifier: MIT */
/* Registered units (struct bb), and the linked modules that they lie in.  Context: cold. */
#include "internal.h"

/* All units, newest first: the historic name, which programs of the 1990s may read. */
BBP_PUBLIC_WEAK struct bb *__bb_head;

BBP_PUBLIC void __bb_init_func (struct bb *);
BBP_PUBLIC void __bb_fini_func (struct bb *);

struct bbp_module *
bbp_module_of (struct bb *unit)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (module->counts_start == unit->counts_start)
      return module;
  return NULL;
}

static bool
belongs (const struct bbp_module *module, const struct bb *unit)
{
  return !unit || (BBP_IS_EXTENDED (unit) && unit->counts_start == module->counts_start);
}

struct bb *
bbp_module_next_unit (const struct bbp_module *module, const struct bb *unit)
{
  struct bb *next = unit->next;
  while (!belongs (module, next))
    next = next->next;
  return next;
}

static struct bbp_module *
make_module (const struct bb *unit)
{
  struct bbp_module *module = bbp_pages_map (sizeof *module);
  if (!module)
    return NULL;
  module->counts_start = unit->counts_start;
  module->counts_stop = unit->counts_stop;
  module->map_start = unit->map_start;
  module->map_stop = unit->map_stop;
  module->next = bbp.modules;
  bbp.modules = module;
  return module;
}

/* Register UNIT, once.  Called by its constructor, or by code that follows the historic macros, at its first function. */
void
__bb_init_func (struct bb *unit)
{
  if (unit->zero_word)
    return;
  bbp_start_by_unit ();
  bbp_sigset old = bbp_lock ();
  if (!unit->zero_word)
    {
      unit->zero_word = 1;
      unit->next = __bb_head;
      __bb_head = unit;
      if (BBP_IS_EXTENDED (unit))
        {
          struct bbp_module *module = bbp_module_of (unit);
          if (!module)
            module = make_module (unit);
          if (module)
            {
              module->units = unit;
              bbp_threads_add_unit (module, unit);
            }
          else
            bbp.inexact = true;
        }
    }
  bbp_unlock (old);
}

static bool
in_executable (const void *address)
{
  return (uintptr_t) address >= bbp.image.start && (uintptr_t) address < bbp.image.end;
}

struct bbp_module *
bbp_module_executable (void)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (in_executable (module->counts_start))
      return module;
  return NULL;
}

/* The last unit of MODULE is gone. */
static void
remove_module (struct bbp_module *module)
{
  bbp_threads_remove_module (module);
  if (module->baseline)
    bbp_pages_unmap (module->baseline, bbp_module_ncounts (module) * sizeof (long));
  bbp_pages_unmap (module, sizeof *module);
}

/* The unit's module is unmapped after this, unless it is the executable: that one's counts are written later still.  While
   the process ends, other threads may still run in the module, so then it keeps what it has. */
void
__bb_fini_func (struct bb *unit)
{
  if (!unit->zero_word || in_executable (unit) || bbp.exiting)
    return;
  bbp_sigset old = bbp_lock ();
  for (struct bb **link = &__bb_head; *link; link = &(*link)->next)
    if (*link == unit)
      {
        *link = unit->next;
        break;
      }
  for (struct bbp_module **link = &bbp.modules; *link; link = &(*link)->next)
    if (belongs (*link, unit))
      {
        struct bbp_module *module = *link;
        if (module->units == unit)
          module->units = bbp_module_next_unit (module, unit);
        if (!module->units)
          {
            *link = module->next;
            remove_module (module);
          }
        break;
      }
  unit->zero_word = 0;
  bbp_unlock (old);
}
