/* SPDX-License-Identifier: MIT */
/* Looks up the linked modules and their units, which count/module.c enters.  Context: cold, lock
   held. */
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

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
