/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all objects that the profile is about, by address.  The rules which symbols
   count are those of GNU gprof 2.40 (documented in doc/), because a symbol more or less moves
   time from one line of the report to another. */
#ifndef BBPROF_SYMTAB_H
#define BBPROF_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/symbols/objects.h"
#include "model/symbols/order_map.h"

struct profile;
struct stacks;

#define NO_SOURCE UINT32_MAX

struct symbol {
  uint64_t address;
  /* Last byte: the next symbol's address - 1; of a function among lines, the next function's.
     Of the last symbol: the end of .text - 1, which may well be below its address; it is never
     found then. */
  uint64_t end;
  const char *name; /* as the linker knows it; lives as long as the objects and the table */
  const struct object *object; /* null: the end of the table */
  /* Of symtab.sources; NO_SOURCE: file, function and line are not all known, or were not asked
     for. */
  uint32_t source;
  unsigned line;
  bool is_function; /* its ELF type says so */
  bool is_static;
  /* Code of which only the place is known, by which it is named: [libz.so+0x1234]. */
  bool is_nameless;
  /* Part of the profiler itself (mcount and friends): not shown, gives no time to callers. */
  bool is_helper;
  /* GNU gprof has no such function: what belongs to it is shown at the symbol before it. */
  bool is_folded;
  bool is_mapped; /* stands for an object file of the map, whose name it has */
  /* A stretch of one line; its name is that of the function, inlined or not, that the line is
     of. */
  bool is_line;
};

struct symtab {
  struct symbol *symbols; /* by address, one per address */
  size_t count;
  /* Distinct names of source files, in the order in which GNU gprof discovers them. */
  const char **sources;
  size_t nsources;
  /* Private. */
  size_t room, room_sources;
  char **texts; /* that hold names */
  size_t ntexts, room_texts;
  struct source_name *source_names; /* a hash table: sources by name */
};

/* Which symbols are wanted.  All zero is gprof's choice: copies and parts of functions (.isra.N,
   .part.N, .cold) belong to whatever is before them. */
struct symtab_choice {
  /* Those that gprof folds are there, too, if this profile has something in them; or null. */
  const struct profile *executed;
  bool parts;          /* every function, and every part of one that has a name; no labels */
  bool lines;          /* each stretch of one line */
  bool no_static;      /* no local symbols */
  bool only_functions; /* no local symbols but functions */
  bool sources;        /* the file and the line of each symbol */
  bool needs_table;    /* a program without a table of symbols is refused, as GNU gprof does */
  bool any_build;      /* the program may be another build than the one that ran */
  const char *file;    /* symbols from this text; null: from the objects */
  const struct stacks *stacks; /* with functions that are in no object; or null */
  /* Of the program's functions in the map only the first of each object file; or null. */
  const struct order_map *map;
};

/* Made by symtab_load (symtab_load.h). */
void symtab_free (struct symtab *);

/* The symbol whose range has ADDRESS, or null. */
const struct symbol *symtab_find (const struct symtab *, uint64_t address);

/* For those who add symbols while the table is loaded; false if memory is short. */
bool symtab_add (struct symtab *, const struct symbol *);
bool symtab_is_helper_name (const char *name);
/* Takes TEXT over, freeing it on errors; null: an error. */
bool symtab_keep (struct symtab *, char *text);

#endif
