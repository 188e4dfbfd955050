/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source and machine code of some functions, with what is known of each line, block and
   instruction: the model of `bbprof annotate'. */
#ifndef BBPROF_ANNOTATE_H
#define BBPROF_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/blocks.h"
#include "model/model.h"
#include "model/symbols/srcline.h"
#include "tools/annotate/annotate_find.h"
#include "tools/view/disassemble.h"

#define ANNOTATE_NONE SIZE_MAX

/* How often something ran; not known where nothing counts. */
struct annotated_count {
  uint64_t executions;
  bool known;
  struct open_count open; /* by how much they may be wrong */
};

struct annotated_instruction {
  struct instruction code;
  size_t block, origin; /* of annotation.blocks, .origins */
  /* A branch: the block that it leads to when taken, by way of code out of line or not; 0: to
     none. */
  uint64_t way;
  struct annotated_count count;
  double samples;
};

enum annotated_kind {
  ANNOTATED_BLOCK, /* a basic block */
  ANNOTATED_ENTRY, /* what is in front of the first one: a hook of the profiler's */
  ANNOTATED_PLAIN, /* code without counters, as long as the function */
  /* Behind the last block: the profiler's own code, and copies of blocks in which a thread
     records (ax); not disassembled. */
  ANNOTATED_OUTLINE,
};

struct annotated_block {
  enum annotated_kind kind;
  uint64_t start, end;       /* what is between blocks, to align them, is in none */
  const struct block *block; /* its counts; null but for ANNOTATED_BLOCK */
  size_t first, ninstructions;
  double samples;
  bool cleanup; /* executed only when an exception passes by */
  bool copied;  /* some executions were in a copy of it out of line, whose samples are there */
};

/* Where code is from. */
struct annotated_origin {
  /* The innermost function first, then those that it is inlined into; each string once. */
  struct srcline *frames;
  size_t nframes; /* 0: not known */
  size_t depth;   /* the frame whose line has the code: the innermost one that is shown */
  size_t line;    /* of annotation.lines, or ANNOTATE_NONE */
};

struct annotated_line {
  const char *file;
  unsigned line;
  struct annotated_count count;
  bool ordinary; /* some of its code is no clean-up */
  double samples;
  size_t first, ninstructions; /* of annotation.by_line */
};

/* A function's code in one piece: all of it, or a part with a name of its own (.cold, .part.0). */
struct annotated_piece {
  const struct symbol *symbol;
  char *name; /* demangled */
  uint64_t end;
  size_t first_block, nblocks;
  struct annotated_count entries;
  double samples;
};

struct annotation {
  const struct model *model;
  const struct blocks *all; /* of the whole program */
  const char *file;         /* that is shown, from line LOW to HIGH; null: no debug information */
  unsigned low, high;
  struct annotated_piece *pieces;
  size_t npieces;
  struct annotated_block *blocks; /* piece by piece, by address */
  size_t nblocks, room_blocks;
  struct annotated_instruction *instructions; /* block by block */
  size_t ninstructions, room_instructions;
  struct annotated_origin *origins;
  size_t norigins, room_origins;
  struct annotated_line *lines; /* by file, those of FILE first, and number */
  size_t nlines, room_lines;
  size_t *by_line; /* the instructions line by line; those of no line at the end */
  double samples;  /* in all that is shown */
};

/* Of the functions that FOUND says.  annotate_free is right in both cases. */
bool annotate (struct annotation *, const struct model *, const struct blocks *,
               const struct found *, struct error *);
void annotate_free (struct annotation *);

/* Steps of annotate, each in a file of its own.  False: no memory. */
/* Where each instruction is from; the lines. */
bool annotate_origins (struct annotation *, const struct found *);
void annotate_instruction_counts (struct annotation *);
bool annotate_cleanup (struct annotation *);     /* the blocks */
bool annotate_line_counts (struct annotation *); /* after the two above */
/* Of instructions, and in sum of blocks, lines, pieces. */
void annotate_samples (struct annotation *);

/* The order of places by the lines that they are shown at, and the inlined copies of these. */
int annotate_compare_visits (const struct annotated_origin *, const struct annotated_origin *);

/* Are counts of edges known? */
static inline bool
annotate_has_edges (const struct annotation *a)
{
  return a->model->edges.count > 0;
}

/* Is time known, in seconds? */
static inline bool
annotate_has_time (const struct annotation *a)
{
  const struct profile *p = &a->model->profile;
  return p->nhistograms > 0 && p->letter == 's' && p->rate > 0 && a->all->total_samples > 0;
}

static inline double
annotate_seconds (const struct annotation *a, double samples)
{
  return samples / a->model->profile.rate;
}

/* The executions of a block. */
static inline struct annotated_count
annotate_block_count (const struct annotated_block *b)
{
  return (struct annotated_count) { b->block ? b->block->count : 0, b->block != NULL,
                                    b->block ? b->block->open : (struct open_count) { 0 } };
}

#endif
