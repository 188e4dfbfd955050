/* SPDX-License-Identifier: MIT */
/* The lists of the linked modules and of their units (count/module.c, os/win32/count_modules.c).
   Context: cold, lock held. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

void
bbp_unit_link (struct bb *unit)
{
  unit->next = __bb_head;
  __bb_head = unit;
}

void
bbp_unit_unlink (const struct bb *unit)
{
  for (struct bb **link = &__bb_head; *link; link = &(*link)->next)
    if (*link == unit)
      {
        *link = unit->next;
        return;
      }
}

struct bbp_module *
bbp_module_make (const struct bb *unit)
{
  static unsigned nmodules;
  struct bbp_module *module = bbp_pages_map (sizeof *module);
  if (!module)
    return NULL;
  module->number = ++nmodules;
  module->counts_start = unit->counts_start;
  module->counts_stop = unit->counts_stop;
  module->map_start = unit->map_start;
  module->map_stop = unit->map_stop;
  bbp_totals_add_module (module);
  module->next = bbp.modules;
  bbp.modules = module;
  return module;
}

void
bbp_module_unlink (struct bbp_module *module)
{
  for (; module->units; module->units = bbp_module_next_unit (module, module->units))
    bbp_unit_unlink (module->units);
  for (struct bbp_module **link = &bbp.modules; *link; link = &(*link)->next)
    if (*link == module)
      {
        *link = module->next;
        return;
      }
}

void
bbp_module_free (struct bbp_module *module)
{
  bbp_totals_free (module->baseline, module);
  bbp_totals_free (module->at_stop, module);
  bbp_pages_unmap (module, sizeof *module);
}

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

/* The address of an unloaded object may belong to another object's module by now. */
struct bbp_module *
bbp_module_in (const struct bbp_object *object)
{
  if (object->presence == BBP_UNLOADED)
    return NULL;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (bbp_object_holds (object, (uintptr_t) module->counts_start - module->moved))
      return module;
  return NULL;
}
