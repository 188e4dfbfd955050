/* SPDX-License-Identifier: MIT */
/* Registered units (struct bb), and the modules that contain them.  Context: cold. */
#include "runtime/base/base.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/select/select.h"

/* A program with its own support library has these functions from there; then this library does not
   know its blocks. */
BBP_PUBLIC_WEAK void __bb_init_func (struct bb *);
BBP_PUBLIC_WEAK void __bb_fini_func (struct bb *);

/* Values of a registered unit's zero_word. */
enum registered {
  BY_CONSTRUCTOR = 1, /* a destructor will follow */
  /* by the unit's own code, at the entry of a function: no destructor will follow */
  BY_CODE
};

/* Adds the module that contains ADDRESS to the code that handlers may find interrupted; if the
   module is unknown, adds all code. */
static void
widen_mapped (uintptr_t address)
{
  const struct bbp_object *object = bbp_object_at (address);
  uintptr_t low = object ? object->text_start + object->bias : 0;
  uintptr_t high = object ? object->text_end + object->bias : UINTPTR_MAX;
  if (low < bbp.mapped_low || !bbp.mapped_high)
    __atomic_store_n (&bbp.mapped_low, low, __ATOMIC_RELAXED);
  if (high > bbp.mapped_high)
    __atomic_store_n (&bbp.mapped_high, high, __ATOMIC_RELAXED);
}

static struct bbp_module *
make_module (const struct bb *unit)
{
  widen_mapped ((uintptr_t) unit->counts_start);
  struct bbp_module *module = bbp_module_make (unit);
  if (!module)
    return NULL;
  bbp_live_add_module (module);
  bbp_live_save ();
  return module;
}

/* True if UNIT may be the first of its object. */
static bool
is_new_to_objects (struct bb *unit)
{
  if (bbp_object_holds (bbp_object_executable (), (uintptr_t) unit))
    return false;
  bbp_sigset old = bbp_lock ();
  bool known = BBP_IS_EXTENDED (unit) ? bbp_module_of (unit) != NULL
                                      : bbp_object_at ((uintptr_t) unit) != NULL;
  bbp_unlock (old);
  return !known;
}

/* The module's own array is in no file, so counts in it are lost with the process. */
static void
note_update (const struct bb *unit)
{
  if (unit->update == BBP_UPDATE_THREAD)
    return;
  if (!bbp.in_place && bbp_slices_in_file ())
    bbp_message (unit->filename,
                 "counters of update=atomic and update=single are not in the live file");
  bbp.in_place = true;
}

/* The names of a module are read when its first unit with names is registered. */
static void
choose (struct bbp_module *module, const struct bb *unit)
{
  if (unit->names_start == unit->names_stop)
    return;
  if (bbp_choose_start ())
    bbp_count_above.selected ();
  if (!module->named)
    bbp_choose_unit (unit);
  module->named = true;
  bbp_count_above.has_points ();
}

/* Registers UNIT, once.  Called by its constructor, or by code that follows the historic macros,
   in its first function.  In a constructor the caller is the loader, because the constructor
   jumps here. */
void
__bb_init_func (struct bb *unit)
{
  uintptr_t caller = (uintptr_t) __builtin_return_address (0);
  if (unit->zero_word)
    return;
  if (!bbp_count_above.start ())
    return; /* the loader has called the program; its next call of this registers */
  if (is_new_to_objects (unit))
    bbp_objects_refresh (true);
  bbp_sigset old = bbp_lock ();
  if (!unit->zero_word)
    {
      const struct bbp_object *object = bbp_object_at ((uintptr_t) unit);
      unit->zero_word = object && bbp_object_holds (object, caller) ? BY_CODE : BY_CONSTRUCTOR;
      bbp_unit_link (unit);
      if (BBP_IS_EXTENDED (unit))
        {
          struct bbp_module *module = bbp_module_of (unit);
          if (!module)
            module = make_module (unit);
          if (module)
            {
              module->units = unit;
              note_update (unit);
              choose (module, unit);
              bbp_live_add_unit (module, unit);
              bbp_copies_add_unit (module, unit);
            }
          else
            bbp.inexact = true;
        }
    }
  bbp_unlock (old);
}

static bool
has_destructors (const struct bbp_module *module)
{
  for (const struct bb *unit = module->units; unit; unit = bbp_module_next_unit (module, unit))
    if (unit->zero_word == BY_CONSTRUCTOR)
      return true;
  return false;
}

/* Removes MODULE, after the destructor of its last unit that has one.  The other units are removed
   with it, and code that still runs does not register them again.  While the process ends, other
   threads may still run in the module, so it keeps its counters. */
static void
remove_module (struct bbp_module *module)
{
  struct bbp_object *object = bbp_object_at ((uintptr_t) module->counts_start);
  if (object)
    bbp_object_unload (object);
  bbp_module_unlink (module);
  bbp_live_save (); /* before the copies go: their counts are in there now */
  if (bbp.exiting)
    return;
  bbp_copies_remove (module);
  bbp_slice_unmap (module->live);
  bbp_module_free (module);
}

/* Removes UNIT; returns its module if that was the last unit. */
static struct bbp_module *
remove_unit (struct bb *unit)
{
  struct bbp_module *module = bbp_module_of (unit);
  bbp_unit_unlink (unit);
  if (module && module->units == unit)
    module->units = bbp_module_next_unit (module, unit);
  unit->zero_word = 0;
  return module && !has_destructors (module) ? module : NULL;
}

bool
bbp_modules_unload (struct bbp_object *object)
{
  struct bbp_module *module = bbp_module_in (object);
  if (module && has_destructors (module))
    return false;
  for (struct bb *unit = bbp_historic_next (__bb_head), *next; unit; unit = next)
    {
      next = bbp_historic_next (unit->next);
      if (bbp_object_holds (object, (uintptr_t) unit))
        {
          bbp_historic_retire (unit);
          bbp_unit_unlink (unit);
        }
    }
  if (module)
    remove_module (module);
  return true;
}

/* The unit's module is unmapped after this, unless the process ends or it is the executable, with
   counts that are written later. */
void
__bb_fini_func (struct bb *unit)
{
  if (!unit->zero_word || bbp.finished
      || bbp_object_holds (bbp_object_executable (), (uintptr_t) unit))
    return;
  bbp_sigset old = bbp_lock ();
  struct bbp_module *module = remove_unit (unit);
  bbp_unlock (old);
  if (!module)
    return;
  bbp_objects_refresh (false);
  old = bbp_lock ();
  remove_module (module);
  bbp_unlock (old);
}
