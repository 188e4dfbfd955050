/* SPDX-License-Identifier: MIT */
/* The bounds of a function's code, from its call frame information (cfi_find.c).  Code without that
   belongs to no function.  Context: cold, lock held. */
#include "runtime/objects/objects.h"
#include "runtime/unwind/unwind.h"
#include "runtime/unwind/unwinding.h"

/* The code that contains ADDRESS; false: not known. */
static bool
find (uintptr_t address, struct bbp_cfi *cfi)
{
  const struct bbp_object *object = bbp_object_at (address);
  return object && object->presence == BBP_LOADED
         && bbp_cfi_find_in ((const void *) (object->start + object->bias), address, cfi);
}

uintptr_t
bbp_extent_begin (uintptr_t address)
{
  struct bbp_cfi cfi;
  return find (address, &cfi) ? cfi.start : 0;
}

bool
bbp_extent_of (uintptr_t address, uintptr_t *start, uintptr_t *end)
{
  struct bbp_cfi cfi;
  if (!find (address, &cfi))
    return false;
  *start = cfi.start;
  *end = cfi.end;
  return true;
}

bool
bbp_extent_is_one (uintptr_t a, uintptr_t b)
{
  struct bbp_cfi cfi;
  return find (a, &cfi) && b - cfi.start < cfi.end - cfi.start;
}
