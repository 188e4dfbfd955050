/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampled stacks of a profile with source positions: functions; places of code with the
   functions that are inlined there; and one calling context tree of these.  Flame graphs and
   exports are made from it.  Built once, then only read. */
#ifndef BBPROF_SAMPLED_FRAMES_H
#define BBPROF_SAMPLED_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/contexts.h"
#include "model/model.h"

struct frames_function {
  const char *symbol; /* mangled; valid as long as the model */
  const struct object *object;
  const char *file; /* as the compiler recorded it; null: unknown */
  unsigned line;    /* where the function begins; 0: unknown */
  uint32_t number;  /* index in the symbol table; FRAMES_NO_SYMBOL: it is only inlined */
};
#define FRAMES_NO_SYMBOL UINT32_MAX

/* A function's line in a place: that of the instruction, or that of the inlined call. */
struct frames_line {
  uint32_t function;
  unsigned line; /* 0: unknown */
};

/* An instruction on some stack; of a frame that made a call, an address inside of the call. */
struct frames_place {
  uint64_t address; /* of the model */
  uint32_t symbol;  /* index in the symbol table: the function that is not inlined */
  uint32_t first;   /* its lines: the innermost function first, at last that of the symbol */
  uint32_t nlines;  /* at least 1 */
};

#define FRAMES_NO_THREAD UINT32_MAX /* samples without a thread */

struct frames {
  struct frames_function *functions;
  size_t nfunctions, room_functions;
  struct frames_line *lines;
  size_t nlines, room_lines;
  struct frames_place *places; /* by address; each once */
  size_t nplaces, room_places;
  /* Kinds: BBX_FRAME_THREAD, at each root and only there: index in the model's stacks.threads,
     or FRAMES_NO_THREAD.
     BBX_FRAME_CODE: index in PLACES.  BBX_FRAME_CUT: 0. */
  struct contexts tree;
  uint64_t ticks; /* of the whole tree */
  /* The nodes of the model's stacks, run after run: the node of TREE; UINT32_MAX: left out. */
  uint32_t *nodes;
  size_t nnodes;
};

#define FRAMES_INLINED_MOST 64 /* inlined functions of a place */

struct frames_choice {
  bool no_inlines;     /* no frames of inlined functions */
  bool counts;         /* also places of counted calls and of blocks that ran */
  const bool *threads; /* of each thread of the model's stacks: is it wanted?  null: all are */
};

/* A profile without stacks gives a tree of single frames, without threads.  False: out of memory;
   frames_free is right in both cases. */
bool frames_make (struct frames *, const struct model *, const struct frames_choice *);
void frames_free (struct frames *);

/* The place of ADDRESS, or null. */
const struct frames_place *frames_at (const struct frames *, uint64_t address);

/* The place's address of a counted call: inside of the call, whose return address is known. */
static inline uint64_t
frames_call_address (const struct model *m, const struct call *call)
{
  return call->from - (m->profile.exact_callers && call->from > 0);
}

/* A kind of nodes beside BBX_FRAME_...: a function that is inlined into the node above. */
#define FRAMES_INLINED 64

/* Fills TREE with the frames by function, whatever their lines: the addresses of nodes of code,
   and of inlined functions, are indexes of FUNCTIONS.  False: out of memory; contexts_free is right
   in both cases. */
bool frames_by_function (const struct frames *, struct contexts *tree);
/* Also says in ENTERED which node of TREE each node of the frames' tree has become. */
bool frames_by_function_of (const struct frames *, struct contexts *tree, uint32_t *entered);

/* The line of the innermost function in a place. */
static inline const struct frames_line *
frames_innermost (const struct frames *f, const struct frames_place *p)
{
  return &f->lines[p->first];
}

#endif
