/* SPDX-License-Identifier: MIT */
/* The mappings of objects that handlers met.  A mapping is one object at one address range.  A
   library that is unloaded and loaded again at the same address gets its old number; another
   library at that address gets a new one.  A checksum of the first bytes distinguishes them; it is
   compared only where an object is known to have been unloaded.  Context: signal, unless stated
   otherwise. */
#include <dlfcn.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"

/* Takes no lock and may be called at any time; missing before glibc 2.35 and in static programs. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));

enum { CACHED = 256, PAGE = 4096, SUMMED = 512 };

/* Numbers of loaded mappings by page; an entry is only a hint, so it is verified.  Writers: the
   handlers. */
static uint32_t cache[CACHED];

static uint32_t
state_of (const struct bbp_mapping *mapping)
{
  return mapping ? __atomic_load_n (&mapping->state, __ATOMIC_ACQUIRE) : BBP_MAPPING_NONE;
}

/* Checksum of the first bytes at ADDRESS: ELF headers, and usually the build id.  0: not
   readable. */
static uint32_t
checksum_of (uintptr_t address)
{
  uint32_t bytes[SUMMED / sizeof (uint32_t)], sum = 0;
  for (int part = 0; part < 2; part++)
    {
      if (bbp_sys_read_own (bytes, (const char *) address + part * SUMMED, sizeof bytes)
          != sizeof bytes)
        return sum;
      for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        sum = (sum ^ bytes[i]) * 0x9e3779b1U + (sum >> 15);
    }
  return sum;
}

/* The number of the mapping from LOW to HIGH with the loader's link map MAP; 0: a new one. */
static uint32_t
find (uintptr_t low, uintptr_t high, const void *map)
{
  uint32_t checksum = 0;
  for (uint32_t number = bbp_segments_used (&bbp_mappings); number; number--)
    {
      const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      uint32_t state = state_of (mapping);
      if (state == BBP_MAPPING_NONE || mapping->low != low || mapping->high != high
          || mapping->map != map)
        continue;
      if (state == BBP_MAPPING_UNLOADED && !checksum)
        checksum = checksum_of (low);
      if (state == BBP_MAPPING_LOADED || mapping->checksum == checksum)
        return number;
    }
  return 0;
}

static uint32_t
enter (uintptr_t low, uintptr_t high, const void *map, uintptr_t code_address)
{
  uint32_t number = bbp_segments_add (&bbp_mappings);
  struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
  uint64_t cpu;
  if (!mapping)
    return 0;
  mapping->low = low;
  mapping->high = high;
  mapping->map = map;
  mapping->code_address = code_address;
  mapping->checksum = checksum_of (low);
  bbp_run_clocks (&mapping->first_met, &cpu);
  __atomic_store_n (&mapping->state, BBP_MAPPING_LOADED, __ATOMIC_RELEASE);
  return number;
}

/* Without _dl_find_object only the objects that were loaded at the start are known. */
static uint32_t
find_entered (uintptr_t address)
{
  for (uint32_t number = bbp_segments_used (&bbp_mappings); number; number--)
    {
      const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      if (state_of (mapping) == BBP_MAPPING_LOADED
          && address - mapping->low < mapping->high - mapping->low)
        return number;
    }
  return 0;
}

/* Two threads may enter the same mapping at the same moment: then it has two numbers, and both are
   right. */
static uint32_t
query (uintptr_t address)
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
bbp_mapping_of (uintptr_t address)
{
  uint32_t *cached = &cache[address / PAGE % CACHED],
           number = __atomic_load_n (cached, __ATOMIC_RELAXED);
  const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
  if (state_of (mapping) == BBP_MAPPING_LOADED
      && address - mapping->low < mapping->high - mapping->low)
    return number;
  number = query (address);
  if (number)
    __atomic_store_n (cached, number, __ATOMIC_RELAXED);
  return number;
}

void
bbp_mappings_start (void)
{
  if (!_dl_find_object && !bbp_segments_used (&bbp_mappings))
    for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
      enter (object->start + object->bias, object->end + object->bias, NULL,
             object->text_start + object->bias);
}

/* Cold, lock held. */
void
bbp_mapping_unload (const struct bbp_object *object)
{
  uint64_t wall, cpu;
  bbp_run_clocks (&wall, &cpu);
  for (uint32_t number = bbp_segments_used (&bbp_mappings); number; number--)
    {
      struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      uintptr_t shift = bbp_object_virtual (object, 0);
      uint32_t state = state_of (mapping);
      if (state == BBP_MAPPING_NONE || !bbp_object_holds (object, mapping->code_address)
          || (state == BBP_MAPPING_UNLOADED && mapping->virtual_offset != shift))
        continue;
      mapping->virtual_offset = shift;
      mapping->unloaded = wall;
      __atomic_store_n (&mapping->state, BBP_MAPPING_UNLOADED, __ATOMIC_RELEASE);
    }
}

void
bbp_mappings_find_objects (struct bbp_found *found)
{
  for (uint32_t number = bbp_segments_used (&bbp_mappings); number; number--)
    {
      const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      if (state_of (mapping) == BBP_MAPPING_LOADED && !mapping->virtual_offset
          && !bbp_object_at (mapping->code_address))
        bbp_loader_at (found, mapping->code_address);
    }
}

void
bbp_mappings_forked (void)
{
  for (uint32_t number = bbp_segments_used (&bbp_mappings); number; number--)
    {
      struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, number);
      if (mapping)
        mapping->first_met = mapping->unloaded = 0;
    }
}
