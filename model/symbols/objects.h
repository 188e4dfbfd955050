/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The objects of the profiled process: the executable, shared libraries, the vdso.  Each has a
   place of its own among the model's addresses, the same for all profiles that are read,
   whatever base each run gave it. */
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
  /* absolute, the executable's as the user said; or a name in brackets like [vdso]: no file. */
  char *path;
  struct build_id build_id;
  uint64_t base;       /* address in the model - link-time address; 0 for the executable */
  uint64_t start, end; /* link-time addresses of all of it, end exclusive */
  uint64_t text_start, text_end; /* none if the one is not below the other */
  bool has_data;                 /* the profile holds something of it; the executable: always */
  /* Its file; image.bfd is null until it is needed, and if there is no such file any more. */
  struct image image;
  /* Of the file with the symbols that the first lacks; null: there is none. */
  char *debug_path;
  struct image debug;           /* likewise: it */
  struct srcline_tables *lines; /* private to srcline.c */
  bool moved;                   /* some run had it at another base */
  /* Start of the earliest run that had it, nanoseconds since 1970; 0: not known. */
  uint64_t since;
  size_t run; /* private: the last run that had it */
};

struct objects {
  struct object *all; /* the executable first; after objects_finish by address */
  size_t count, room;
  size_t runs; /* private */
};

/* Starts with the executable, the file PATH.  It may have no symbols: see objects_finish.
   objects_free is right in both cases. */
bool objects_open_program (struct objects *, const char *path, struct error *);
void objects_free (struct objects *);

/* Is the program the build that ran, as far as build ids tell?  If not, ERR or a line among the
   warnings has both ids and names PROFILE, which is borrowed: with ANY_BUILD that is a warning,
   else false. */
bool objects_check_build (const struct objects *, const struct bbx *, const char *profile,
                          bool any_build, struct warnings *, struct error *err);

/* Adds those of one run.  MOVES: from that run's addresses to the model's; the caller frees
   moves->moves.  False: memory is short. */
bool objects_add_run (struct objects *, const struct bbx *, struct gmon_moves *moves,
                      struct error *);

/* Something of the model's own that is in no file, with a name in brackets, whose functions the
   model knows.  False: no memory. */
bool objects_add_place (struct objects *, const char *name, uint64_t base, uint64_t size);

/* After the last one: by address.  False: no memory. */
bool objects_sort (struct objects *);

/* After objects_sort: something of the object at that address is shown, whatever the profile
   has.  It, or null. */
const struct object *objects_note (struct objects *, uint64_t address);

/* After the last run: finds out which objects the profile is about, and opens their files, and
   the files with symbols of those that are stripped.  Files that cannot be used are warned of. */
bool objects_finish (struct objects *, const struct profile *, struct warnings *);

/* The object at an address of the model, or null.  After objects_sort. */
const struct object *objects_find (const struct objects *, uint64_t address);

/* Does the profile hold something of another object than the executable? */
bool objects_are_many (const struct objects *);

/* The file's name without folders; [vdso] and the like as they are. */
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
