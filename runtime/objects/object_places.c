/* SPDX-License-Identifier: MIT */
/* Where objects are, or were, in memory, as handlers find them.  A place is an object at an
   address: a library that is unloaded and comes back to its place has the number that it had,
   another one that comes there has another.  The first bytes tell who it is, but are looked at
   only where an object is known to have left.  Context: signal, but as said. */
#include <dlfcn.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"

/* Asks without any lock, at any moment; not there before glibc 2.35, nor in a static program. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));

enum { CACHED = 256, PAGE = 4096, PRINTED = 512 };

/* By page, numbers of open places; right or not, it is looked at.  Writers: the handlers. */
static uint32_t cache[CACHED];

static uint32_t
state_of (const struct bbp_place *place)
{
  return place ? __atomic_load_n (&place->state, __ATOMIC_ACQUIRE) : BBP_PLACE_NONE;
}

/* Of the first bytes at ADDRESS: headers, and the build id mostly.  0: they cannot be read. */
static uint32_t
print_of (uintptr_t address)
{
  uint32_t bytes[PRINTED / sizeof (uint32_t)], print = 0;
  for (int part = 0; part < 2; part++)
    {
      if (bbp_sys_read_own (bytes, (const char *) address + part * PRINTED, sizeof bytes)
          != sizeof bytes)
        return print;
      for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        print = (print ^ bytes[i]) * 0x9e3779b1U + (print >> 15);
    }
  return print;
}

/* The place from LOW to HIGH, which MAP is the loader's for; 0: it is new. */
static uint32_t
find (uintptr_t low, uintptr_t high, const void *map)
{
  uint32_t print = 0;
  for (uint32_t number = bbp_segments_used (&bbp_places); number; number--)
    {
      const struct bbp_place *place = bbp_segments_at (&bbp_places, number);
      uint32_t state = state_of (place);
      if (state == BBP_PLACE_NONE || place->low != low || place->high != high || place->map != map)
        continue;
      if (state == BBP_PLACE_LEFT && !print)
        print = print_of (low);
      if (state == BBP_PLACE_OPEN || place->print == print)
        return number;
    }
  return 0;
}

static uint32_t
enter (uintptr_t low, uintptr_t high, const void *map, uintptr_t inside)
{
  uint32_t number = bbp_segments_add (&bbp_places);
  struct bbp_place *place = bbp_segments_at (&bbp_places, number);
  uint64_t cpu;
  if (!place)
    return 0;
  place->low = low;
  place->high = high;
  place->map = map;
  place->inside = inside;
  place->print = print_of (low);
  bbp_run_clocks (&place->first, &cpu);
  __atomic_store_n (&place->state, BBP_PLACE_OPEN, __ATOMIC_RELEASE);
  return number;
}

/* If there is nobody to ask, those are known that were there at the start. */
static uint32_t
find_entered (uintptr_t address)
{
  for (uint32_t number = bbp_segments_used (&bbp_places); number; number--)
    {
      const struct bbp_place *place = bbp_segments_at (&bbp_places, number);
      if (state_of (place) == BBP_PLACE_OPEN && address - place->low < place->high - place->low)
        return number;
    }
  return 0;
}

/* Two threads may enter the same place at the same moment: then it has two numbers, and both are
   right. */
static uint32_t
ask (uintptr_t address)
{
  struct dl_find_object at;
  if (!_dl_find_object)
    return find_entered (address);
  if (_dl_find_object ((void *) address, &at) != 0)
    return 0;
  uintptr_t low = (uintptr_t) at.dlfo_map_start, high = (uintptr_t) at.dlfo_map_end;
  uint32_t number = find (low, high, at.dlfo_link_map);
  return number ? number : enter (low, high, at.dlfo_link_map, address);
}

uint32_t
bbp_place_of (uintptr_t address)
{
  uint32_t *cached = &cache[address / PAGE % CACHED],
           number = __atomic_load_n (cached, __ATOMIC_RELAXED);
  const struct bbp_place *place = bbp_segments_at (&bbp_places, number);
  if (state_of (place) == BBP_PLACE_OPEN && address - place->low < place->high - place->low)
    return number;
  number = ask (address);
  if (number)
    __atomic_store_n (cached, number, __ATOMIC_RELAXED);
  return number;
}

void
bbp_places_start (void)
{
  if (!_dl_find_object && !bbp_segments_used (&bbp_places))
    for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
      enter (object->start + object->bias, object->end + object->bias, NULL,
             object->text_start + object->bias);
}

/* Cold, lock held. */
void
bbp_place_leave (const struct bbp_object *object)
{
  uint64_t wall, cpu;
  bbp_run_clocks (&wall, &cpu);
  for (uint32_t number = bbp_segments_used (&bbp_places); number; number--)
    {
      struct bbp_place *place = bbp_segments_at (&bbp_places, number);
      uintptr_t shift = bbp_object_virtual (object, 0);
      uint32_t state = state_of (place);
      if (state == BBP_PLACE_NONE || !bbp_object_holds (object, place->inside)
          || (state == BBP_PLACE_LEFT && place->shift != shift))
        continue;
      place->shift = shift;
      place->left = wall;
      __atomic_store_n (&place->state, BBP_PLACE_LEFT, __ATOMIC_RELEASE);
    }
}

void
bbp_places_ask (struct bbp_found *found)
{
  for (uint32_t number = bbp_segments_used (&bbp_places); number; number--)
    {
      const struct bbp_place *place = bbp_segments_at (&bbp_places, number);
      if (state_of (place) == BBP_PLACE_OPEN && !place->shift && !bbp_object_at (place->inside))
        bbp_loader_at (found, place->inside);
    }
}

void
bbp_places_forked (void)
{
  for (uint32_t number = bbp_segments_used (&bbp_places); number; number--)
    {
      struct bbp_place *place = bbp_segments_at (&bbp_places, number);
      if (place)
        place->first = place->left = 0;
    }
}
