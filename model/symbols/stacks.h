/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled stacks of all profiles: threads, functions outside of the objects, and,
   for reports by function, the stacks as one calling context tree.

   System calls, and code in no object, are functions, too: the model has addresses for them
   behind all objects. */
#ifndef BBPROF_STACKS_H
#define BBPROF_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/contexts.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "model/languages/frames_choice.h"
#include "model/languages/spoken_functions.h"
#include "model/symbols/objects.h"

struct symtab;

/* A thread of one run. */
struct stacks_thread {
  struct bbx_thread fixed; /* as in the file */
  size_t run;              /* of the model */
};

/* A function in no object. */
struct stacks_function {
  uint64_t address; /* of the model; up to the next one */
  char *name;
};

struct stacks {
  struct stacks_thread *threads; /* of all runs */
  size_t nthreads, room_threads;
  struct stacks_function *functions; /* by address */
  size_t nfunctions, room_functions;
  struct languages languages;
  struct bbx_kernel kernel; /* of all runs */
};

/* The steps of reading the model, each once.  XS are the sidecars of the N runs.  False: out of
   memory. */

/* Moves X's addresses to the model's, but for those of languages (languages_enter). */
void stacks_move (struct bbx_stacks *x, const struct gmon_moves *);
/* Before objects_finish: marks the objects of the stacks. */
bool stacks_find_objects (struct stacks *, const struct bbx_stacks *const *xs, size_t n,
                          struct objects *);
/* While symbols are loaded. */
bool stacks_add_symbols (const struct stacks *, const struct objects *, struct symtab *);
/* At the end. */
bool stacks_add_threads (struct stacks *, const struct bbx_stacks *const *xs, size_t n);

/* Enters the stacks of XS into the empty TREE, below the threads of all runs.  Kinds:
   BBX_FRAME_CODE, any function, also the kernel's: index in the symbol table.  BBX_FRAME_THREAD:
   index in the list of threads.  BBX_FRAME_CUT, also for code of no function: 0. */
bool stacks_tree (struct contexts *tree, const struct bbx_stacks *const *xs, size_t n,
                  const struct symtab *);

/* For each of X's nodes, by index, the index of its symbol in the table; in new memory.  Null:
   out of memory. */
#define STACKS_NO_SYMBOL UINT32_MAX
uint32_t *stacks_find_symbols (const struct bbx_stacks *x, const struct symtab *);

/* The place of the thread NUMBER among X's. */
uint32_t stacks_find_thread (const struct bbx_stacks *x, uint64_t number);

void stacks_free (struct stacks *);

#endif
