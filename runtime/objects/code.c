/* SPDX-License-Identifier: MIT */
/* Machine code and linkage tables of the loaded objects.  Bytes of an object that is being unloaded
   may vanish before they are read.  Context: cold, lock held. */
#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

static const struct bbp_object *
present_at (uintptr_t address)
{
  const struct bbp_object *object = bbp_object_at (address);
  return object && object->presence == BBP_LOADED ? object : NULL;
}

const unsigned char *
bbp_code_at (uintptr_t address, size_t *n)
{
  const struct bbp_object *object = present_at (address);
  if (!object
      || address - object->bias - object->text_start >= object->text_end - object->text_start)
    return NULL;
  *n = object->text_end + object->bias - address;
  return (const unsigned char *) address;
}

bool
bbp_code_slot (uintptr_t address, uintptr_t *content)
{
  if (!present_at (address) || !present_at (address + sizeof *content - 1))
    return false;
  bbp_copy_bytes (content, (const void *) address, sizeof *content);
  return true;
}
