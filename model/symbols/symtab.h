/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all objects in the profile, by address.  Symbols are selected by the rules of
   GNU gprof 2.40 (see doc/), because one symbol more or less moves time between lines of the
   report. */
#ifndef BBPROF_SYMTAB_H
#define BBPROF_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/languages/frames_choice.h"
#include "model/symbols/objects.h"
#include "model/symbols/order_map.h"

struct profile;
struct stacks;

#define NO_SOURCE UINT32_MAX

struct symbol {
  uint64_t address;
  /* Last byte: the next symbol's address - 1; of a function among lines, the next function's.  Of
     the last symbol: the end of .text - 1, which may be below its address; then it is never
     found. */
  uint64_t end;
  const char *name; /* as in the symbol table; valid as long as the objects and the table */
  const struct object *object; /* null: the end of the table */
  /* In symtab.sources.  NO_SOURCE: file, function and line are not all known, or were not looked
     up. */
  uint32_t source;
  unsigned line;
  /* Of a function of a language: its file, "" if unknown; LINE is its first one, or 0.  Null: it is
     native code. */
  const char *file;
  bool is_function; /* by its ELF type */
  bool is_static;
  /* Code of which only the place is known, which gives its name: [libz.so+0x1234]. */
  bool is_nameless;
  /* Part of the profiler itself (mcount and others): not shown, gives no time to callers. */
  bool is_helper;
  /* GNU gprof has no such function: its data is shown at the symbol before it. */
  bool is_folded;
  bool is_mapped; /* represents an object file of the map, and has its name */
  /* A stretch of one line, with the name of the line's function, inlined or not. */
  bool is_line;
};

struct symtab {
  struct symbol *symbols; /* by address, one per address */
  size_t count;
  /* Distinct names of source files, in the order in which GNU gprof finds them. */
  const char **sources;
  size_t nsources;
  /* Private. */
  size_t room, room_sources;
  char **texts; /* that contain names */
  size_t ntexts, room_texts;
  struct source_name *source_names; /* a hash table: sources by name */
};

/* The selection of symbols.  All zero is gprof's choice: copies and parts of functions (.isra.N,
   .part.N, .cold) belong to the symbol before them. */
struct symtab_choice {
  /* Adds those that gprof folds, if this profile has data of them; or null. */
  const struct profile *executed;
  bool parts;                  /* every function, and every named part of one; no labels */
  bool lines;                  /* each stretch of one line */
  bool no_static;              /* no local symbols */
  bool only_functions;         /* no local symbols but functions */
  bool sources;                /* the file and the line of each symbol */
  bool needs_table;            /* refuses a program without a symbol table, as GNU gprof does */
  bool any_build;              /* the program may be another build than the one that ran */
  const char *file;            /* symbols from this text; null: from the objects */
  const struct stacks *stacks; /* with functions in no object; or null */
  enum frames_shown frames;    /* of the stacks */
  /* Of the program's functions in the map only the first of each object file; or null. */
  const struct order_map *map;
};

/* Made by symtab_load (symtab_load.h). */
void symtab_free (struct symtab *);

/* The symbol that contains ADDRESS, or null. */
const struct symbol *symtab_find (const struct symtab *, uint64_t address);

/* Adds a symbol while the table is loaded.  False: out of memory. */
bool symtab_add (struct symtab *, const struct symbol *);
bool symtab_is_helper_name (const char *name);
/* Takes over TEXT, and frees it on errors.  Null: an error. */
bool symtab_keep (struct symtab *, char *text);

#endif
