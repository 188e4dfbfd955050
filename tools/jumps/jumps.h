/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps, ready to be printed: edges inside functions, with exact counts; loops; jumps between
   functions, if the program counted them.  Chosen and sorted. */
#ifndef BBPROF_JUMPS_H
#define BBPROF_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "model/blocks/blocks.h"
#include "model/blocks/loops.h"
#include "model/model.h"
#include "tools/jumps/iterations.h"
#include "tools/view/block_row.h"
#include "tools/view/style.h"

enum jumps_sort {
  JUMPS_BY_COUNT,    /* most first */
  JUMPS_BY_FUNCTION, /* in the order of addresses */
  /* The most certain branches first, and the loops with most iterations per entry; then by
     count. */
  JUMPS_BY_RATIO,
};

enum jump_kind {
  JUMP_FAR,  /* to another address */
  JUMP_NEXT, /* falls through to the next block */
  JUMP_OUT,  /* out of the function: a conditional return or tail call */
  JUMP_CALL, /* between functions: to the first block of one, */
  JUMP_BACK, /* or to another block: return from a call, exception, longjmp */
};

struct jump {
  const struct block *from, *to; /* null: outside the function, or outside what was recorded */
  enum jump_kind kind;
  uint64_t count;
  uint64_t decided; /* executions of the branch, on all edges; 0: not a branch */
};

struct jumps_loop {
  const struct loop *loop;
  const struct block *head;
  uint64_t entered, iterations;
  const struct iteration_counts *per_entry; /* null: no trace has it */
};

struct jump_list {
  struct jump *jumps;
  size_t count, room; /* number of all */
  size_t shown;       /* number that is shown, from the first one */
};

struct jumps {
  const char *program;
  const struct model *model;
  struct blocks blocks;
  struct loops loops;
  struct iteration_counts *iterations; /* of each loop; null: no trace was read */
  struct jump_list inside, between;
  struct jumps_loop *rows; /* loops that ran */
  size_t nrows, shown_rows;
  struct block_row *described; /* of each block; filled in for blocks that are shown */
};

/* Selects what is shown. */
struct jumps_choice {
  const char *function; /* name or pattern; null: all */
  const char *object;   /* pattern of the object's name or path; null: all */
  enum jumps_sort sort;
  size_t most; /* of each list */
};

/* Reads the blocks of the model and finds their loops. Call jumps_free in both cases. */
bool jumps_open (struct jumps *, const struct model *, struct error *);
/* Adds the iterations that a trace recorded. */
bool jumps_add_trace (struct jumps *, struct trace *, struct error *);
/* Collects, chooses and sorts. */
bool jumps_collect (struct jumps *, const struct jumps_choice *, struct error *);
void jumps_free (struct jumps *);

/* Function, line and address of a block that is not null. */
static inline const struct block_row *
jumps_row (const struct jumps *j, const struct block *b)
{
  return &j->described[b - j->blocks.blocks];
}

/* Variants of counting jumps between functions, named as in BBPROF_OPTIONS: bit N of the model's
   jumps_variants is the Nth. */
enum { JUMPS_VARIANTS = 4 };
const char *jumps_variant (unsigned n);

void jumps_emit_text (FILE *, const struct jumps *, const struct style *);
void jumps_emit_json (FILE *, const struct jumps *);

/* In percent; negative: not a branch. */
static inline double
jump_ratio (const struct jump *j)
{
  return j->decided ? 100 * (double) j->count / (double) j->decided : -1;
}

static inline double
loop_mean (const struct jumps_loop *l)
{
  return l->entered ? (double) l->iterations / (double) l->entered : 0;
}

#endif
