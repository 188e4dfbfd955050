/* SPDX-License-Identifier: MIT */
/* The virtual addresses of a mapping (object_mappings.c).  An object keeps its virtual base as long
   as the process lives, so the difference is computed once; that must happen before another object
   can be loaded at the same address.  Context: cold, lock held. */
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

struct bbp_segments bbp_mappings
    = { .kind = BBL_MAPPINGS, .first = 64, .bytes = sizeof (struct bbp_mapping) };

uintptr_t
bbp_mapping_virtual (uint32_t number, uintptr_t address)
{
  struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
  if (!mapping || __atomic_load_n (&mapping->state, __ATOMIC_ACQUIRE) == BBP_MAPPING_NONE)
    return 0;
  const struct bbp_object *object = mapping->virtual_offset ? NULL
                                                            : bbp_object_at (mapping->code_address);
  if (object)
    mapping->virtual_offset
        = bbp_object_virtual (object, 0); /* 0 again, of an executable of fixed addresses */
  return mapping->virtual_offset || object ? address + mapping->virtual_offset : 0;
}

const struct bbp_object *
bbp_mapping_object (const struct bbp_mapping *mapping)
{
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    if (mapping->code_address + mapping->virtual_offset - object->base - object->start
        < object->end - object->start)
      return object;
  return NULL;
}
