/* SPDX-License-Identifier: MIT */
/* The ELF objects of the process: addresses, identities, mappings, machine code. */
#ifndef BBP_OBJECTS_H
#define BBP_OBJECTS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* elf_objects.c: cold.  The lock is held, except for bbp_objects_refresh, which takes it. */
/* Calls from the table of objects to higher rooms, with the lock held. */
struct bbp_objects_above {
  /* The destructors of OBJECT have run and it will be unmapped: retire its counts. */
  void (*unloads) (struct bbp_object *object);
  /* OBJECT is no longer listed.  KNOWN: the counts at its addresses are its own. */
  void (*delisted) (const struct bbp_object *object, bool known);
  /* True if the object's modules may be retired now; false: later, by its own destructors. */
  bool (*modules_unload) (struct bbp_object *object);
  /* Call EACH with all addresses that have counts. */
  void (*each_counted) (void (*each) (void *data, uintptr_t address), void *data);
  void (*changed) (void); /* the table has changed */
};
extern const struct bbp_objects_above bbp_objects_above;
void bbp_objects_start (void);
/* Update the table from the loader's list; not in a signal handler. */
void bbp_objects_refresh (bool loading);
/* any: add the objects of all counted addresses, without the loader's lock. */
void bbp_objects_find_counted (void);
/* Likewise for a new arc with a callee in no known object: with a live file its object must be in
   the table before the process is killed.  Hot, but rare; takes the lock.  THREAD: the calling
   one. */
void bbp_objects_add_callee (struct bbp_thread *, uintptr_t self);
/* An object of the table that is loaded, but for the executable. */
struct bbp_known {
  struct bbp_object *object;
  uintptr_t address; /* of its first byte, run time */
  uint32_t loads;
  bool listed; /* the loader has it still */
};
/* Fills in KNOWN, if it is not null; returns their number. */
size_t bbp_objects_known (struct bbp_known *known);
struct bbp_object *bbp_object_executable (void); /* the head of the list of all objects; no lock */
struct bbp_object *bbp_object_at (uintptr_t address); /* run-time address; null: none */
void bbp_object_unload (struct bbp_object *); /* its destructors have run, it will be unmapped */
static inline bool
bbp_object_holds (const struct bbp_object *object, uintptr_t address)
{
  return address - object->bias - object->start < object->end - object->start;
}
static inline uintptr_t
bbp_object_virtual (const struct bbp_object *object, uintptr_t address)
{
  return address - object->bias + object->base;
}
/* loader.c: cold.  Objects found by the loader, copied into one mapping, linked by NEXT. */
struct bbp_found {
  char *memory;
  size_t used, room;
  struct bbp_object *first, **last;
  size_t n;
  uint64_t seen;              /* the loader's CHANGES that the caller knows */
  uint64_t changes, removals; /* the loader's counters when the list was read */
  bool unchanged;             /* no changes since SEEN, so the list was not read */
  bool cut;                   /* there was too little room */
  /* What was in the table then; the loader has those that are listed, and they are not in the list
     FIRST.  EXPECTED: index of the one behind the last that was listed. */
  struct bbp_known *known;
  size_t known_count, expected;
};
bool bbp_found_make (struct bbp_found *, size_t room); /* false: no memory */
void bbp_found_append (struct bbp_found *, const struct bbp_object *);
/* Takes the loader's lock; false: too little room, or no memory. */
bool bbp_loader_list (struct bbp_found *, size_t room, uint64_t seen);
/* any, lock held; null: no object known. */
const struct bbp_object *bbp_loader_at (struct bbp_found *, uintptr_t address);

/* unload.c: cold */
void bbp_unload_start (void);

/* object_mappings.c: a mapping is one object at one address range; numbered from 1; 0: not known,
   or code of no object.  Queries the loader without locks.  ADDRESS: of an instruction, or inside
   it; for a caller the byte before its return address.  Signal. */
struct bbp_mapping {
  uintptr_t low, high;      /* run-time addresses */
  const void *map;          /* the loader's link map, for comparison only */
  uintptr_t code_address;   /* an address of code in it */
  uintptr_t virtual_offset; /* virtual address - run-time address; 0: not computed yet */
  /* Nanoseconds since the run began: first sample; unload; 0: not, or in an earlier run. */
  uint64_t first_met, unloaded;
  uint32_t checksum; /* of its first bytes */
  uint32_t state;    /* enum bbp_mapping_state; atomic */
};
enum bbp_mapping_state { BBP_MAPPING_NONE, BBP_MAPPING_LOADED, BBP_MAPPING_UNLOADED };
extern struct bbp_segments bbp_mappings;
uint32_t bbp_mapping_of (uintptr_t address);
void bbp_mappings_start (void); /* cold */
/* cold, lock held: adds the objects of mappings that are not in the table. */
void bbp_mappings_find_objects (struct bbp_found *);
void bbp_mappings_forked (void);                     /* likewise */
void bbp_mapping_unload (const struct bbp_object *); /* likewise: it will be unmapped, or was */
/* virtual_bases.c.  Cold, lock held. */
/* 0: no known object. */
uintptr_t bbp_mapping_virtual (uint32_t mapping, uintptr_t address);
const struct bbp_object *bbp_mapping_object (const struct bbp_mapping *); /* null: not known */

/* code.c: cold, lock held; memory at run-time addresses */
/* N: number of readable bytes of code; null: none. */
const unsigned char *bbp_code_at (uintptr_t address, size_t *n);
/* A slot of a linkage table that the loader has filled in. */
bool bbp_code_slot (uintptr_t address, uintptr_t *content);

#pragma GCC visibility pop

#endif
