/* SPDX-License-Identifier: MIT */
/* Which virtual addresses belong to a place where an object is or was (object_places.c).  An
   object has its base as long as the process lives, so what is known once is known for ever; it
   must be known before somebody else can come to the place.  Context: cold, lock held. */
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

struct bbp_segments bbp_places
    = { .kind = BBL_PLACES, .first = 64, .bytes = sizeof (struct bbp_place) };

uintptr_t
bbp_place_virtual (uint32_t number, uintptr_t address)
{
  struct bbp_place *place = bbp_segments_at (&bbp_places, number);
  if (!place || __atomic_load_n (&place->state, __ATOMIC_ACQUIRE) == BBP_PLACE_NONE)
    return 0;
  const struct bbp_object *object = place->shift ? NULL : bbp_object_at (place->inside);
  if (object)
    place->shift
        = bbp_object_virtual (object, 0); /* 0 again, of an executable of fixed addresses */
  return place->shift || object ? address + place->shift : 0;
}

const struct bbp_object *
bbp_place_object (const struct bbp_place *place)
{
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    if (place->inside + place->shift - object->base - object->start < object->end - object->start)
      return object;
  return NULL;
}
