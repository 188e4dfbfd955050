/* SPDX-License-Identifier: MIT */
/* How far the code of a function goes, by the tables for unwinding (.eh_frame, and the index that the linker makes of it).
   Code without them belongs to nobody.  Context: cold, lock held. */
#include "internal.h"

/* PT_GNU_EH_FRAME, as all linkers write it: the encodings say so. */
struct index {
  uint8_t version, frames, number, table; /* 1, any, 4 bytes, pairs of 4 bytes relative to this */
  int32_t frames_at;
  uint32_t n;
  struct {
    int32_t start, frame;
  } item[];
};
#define FOUR_BYTES 0x03
#define PAIRS_FROM_HERE 0x3b

/* The description of one stretch of code: its begin, relative to the field that says it, and its length. */
struct frame {
  uint32_t bytes, common;
  int32_t start;
  uint32_t length;
};

static const struct index *
index_at (uintptr_t address)
{
  const struct bbp_object *object = bbp_object_at (address);
  if (!object || object->presence != BBP_PRESENT || !object->unwind)
    return NULL;
  const struct index *index = (const struct index *) (object->unwind + object->bias);
  bool known = index->version == 1 && index->number == FOUR_BYTES && index->table == PAIRS_FROM_HERE;
  return known ? index : NULL;
}

/* Begin of the stretch that holds ADDRESS, and its LENGTH; 0: none does. */
static uintptr_t
find (uintptr_t address, uint32_t *length)
{
  const struct index *index = index_at (address);
  intptr_t distance = (intptr_t) (address - (uintptr_t) index);
  size_t low = 0, high = index ? index->n : 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (index->item[middle].start <= distance)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  const struct frame *frame = (const struct frame *) ((const char *) index + index->item[low - 1].frame);
  uintptr_t start = (uintptr_t) index + (uintptr_t) (intptr_t) index->item[low - 1].start;
  *length = frame->length;
  bool same = (uintptr_t) &frame->start + (uintptr_t) (intptr_t) frame->start == start;
  return same && address - start < frame->length ? start : 0;
}

uintptr_t
bbp_extent_begin (uintptr_t address)
{
  uint32_t length;
  return find (address, &length);
}

bool
bbp_extent_is_one (uintptr_t a, uintptr_t b)
{
  uint32_t length;
  uintptr_t start = find (a, &length);
  return start && b - start < length;
}
