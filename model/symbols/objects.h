/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of the profiled process: the executable, shared libraries, the vDSO.  Each has its
   own range of the model's addresses, the same for all profiles, whatever its base in each run. */
#ifndef BBPROF_OBJECTS_H
#define BBPROF_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/build_id.h"
#include "common/error.h"
#include "model/elf/image.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "model/files/profile.h"

struct object {
  /* Absolute; the executable's as the user wrote it; or a name in brackets like [vdso]: no file. */
  char *path;
  struct build_id build_id;
  uint64_t base;       /* address in the model - link-time address; 0 for the executable */
  uint64_t start, end; /* link-time addresses of all of it, end exclusive */
  uint64_t text_start, text_end; /* none if the start is not below the end */
  bool has_data;                 /* the profile has data of it; the executable: always */
  /* Its file, or what the profile has in its place; image.bfd is null until it is needed, and if
     there is neither. */
  struct image image;
  const unsigned char *contained; /* by the profile, its ELF image; or null; borrowed */
  size_t contained_bytes;
  int memory; /* descriptor of the memory with that; 0: none yet */
  char memory_path[32];
  /* The debug file with the symbols that the file lacks; null: none. */
  char *debug_path;
  struct image debug;           /* of the debug file, like image */
  struct srcline_tables *lines; /* private to srcline.c */
  bool moved;                   /* some run had it at another base */
  /* Start of the earliest run that had it: nanoseconds since 1970; 0: unknown. */
  uint64_t since;
  size_t run; /* private: the last run that had it */
};

struct objects {
  struct object *all; /* the executable first; after objects_finish by address */
  size_t count, room;
  size_t runs; /* private */
};

/* Starts with the executable, the file PATH.  It may have no symbols: see objects_finish.  Call
   objects_free in both cases. */
bool objects_open_program (struct objects *, const char *path, struct error *);
void objects_free (struct objects *);

/* Do the build ids allow that the program is the build that ran?  If not, ERR or, with ANY_BUILD,
   a warning has both ids and names PROFILE, which is borrowed.  False: no, and not ANY_BUILD. */
bool objects_check_build (const struct objects *, const struct bbx *, const char *profile,
                          bool any_build, struct warnings *, struct error *err);

/* Adds the objects of one run.  MOVES: from that run's addresses to the model's; the caller frees
   moves->moves.  False: out of memory. */
bool objects_add_run (struct objects *, const struct bbx *, struct gmon_moves *moves,
                      struct error *);

/* Adds a range of the model's own that is in no file, with a name in brackets; the model knows
   its functions.  False: out of memory. */
bool objects_add_place (struct objects *, const char *name, uint64_t base, uint64_t size);

/* After the last one: sorts by address.  False: out of memory. */
bool objects_sort (struct objects *);

/* After objects_sort: marks the object at ADDRESS as shown, whatever the profile has of it.
   Returns it, or null. */
const struct object *objects_note (struct objects *, uint64_t address);

/* After the last run: finds the objects with data in the profile, opens their files, and the
   debug files of stripped ones.  Adds warnings about unusable files. */
bool objects_finish (struct objects *, const struct profile *, struct warnings *);

/* After objects_sort: the object at an address of the model, or null. */
const struct object *objects_find (const struct objects *, uint64_t address);

/* Has the profile data of an object besides the executable? */
bool objects_are_many (const struct objects *);

/* The file's name without folders; [vdso] and the like unchanged. */
const char *object_name (const struct object *);

static inline bool
object_is_executable (const struct object *o)
{
  return o->base == 0;
}

static inline bool
object_is_file (const struct object *o)
{
  return o->path[0] != '[';
}

#endif
