/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of `bbprof annotate': source and machine code of some functions, with counts and
   time of each line, block and instruction. */
#ifndef BBPROF_ANNOTATE_H
#define BBPROF_ANNOTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/blocks/blocks.h"
#include "model/model.h"
#include "model/symbols/srcline.h"
#include "tools/annotate/annotate_find.h"
#include "tools/code/disassemble.h"

#define ANNOTATE_NONE SIZE_MAX

/* A number of executions; unknown in code without counters. */
struct annotated_count {
  uint64_t executions;
  bool known;
  struct open_count open; /* bounds of the count */
};

/* Of a function of a language: a line of it; only the address is known, which is the model's. */
struct annotated_instruction {
  struct instruction code;
  size_t block, origin; /* indexes of annotation.blocks, .origins */
  /* Of a branch: the block that it leads to when taken, directly or through code out of line; 0:
     none. */
  uint64_t way;
  struct annotated_count count;
  double samples;
  bool shown; /* after annotate_most */
};

enum annotated_kind {
  ANNOTATED_BLOCK, /* a basic block */
  ANNOTATED_ENTRY, /* code in front of the first block: the profiler's hook */
  ANNOTATED_PLAIN, /* a whole function without counters */
  ANNOTATED_LINES, /* a whole function of a language */
  /* Behind the last block: the profiler's code, and copies of blocks in which a thread records
     (ax).  Not disassembled. */
  ANNOTATED_OUTLINE,
};

struct annotated_block {
  enum annotated_kind kind;
  uint64_t start, end;       /* alignment between blocks is in no block */
  const struct block *block; /* its counts; only for ANNOTATED_BLOCK, else null */
  size_t first, ninstructions;
  double samples;
  bool cleanup; /* clean-up: executed only while an exception is handled */
  bool copied;  /* some executions were in its copy out of line, where their samples are */
};

/* A frame of an origin. */
struct annotated_level {
  size_t line;   /* index of annotation.lines, or ANNOTATE_NONE */
  uint64_t copy; /* equal where this frame and those around it are */
};

/* The source line of code, with the functions that it is inlined into. */
struct annotated_origin {
  /* Innermost function first; no two origins are equal. */
  struct srcline *frames;
  size_t nframes;                 /* 0: not known */
  struct annotated_level *levels; /* of each frame */
  /* index of the innermost frame that is shown: the code is shown at its line */
  size_t depth;
  size_t line; /* index of annotation.lines, or ANNOTATE_NONE */
};

struct annotated_line {
  const char *file;
  unsigned line;
  struct annotated_count count;
  bool ordinary; /* some of its code is not clean-up */
  double samples;
  size_t first, ninstructions; /* range of annotation.by_line */
  bool shown;                  /* after annotate_most */
};

/* A contiguous part of a function's code: all of it, or a part with its own symbol (.cold,
   .part.0). */
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
  /* the file that is shown, from line LOW to HIGH; null: no debug information */
  const char *file;
  unsigned low, high;
  bool every_line; /* as in struct found */
  bool lines_only; /* functions of a language: there are no instructions to show */
  struct annotated_piece *pieces;
  size_t npieces;
  struct annotated_block *blocks; /* sorted by piece, then by address */
  size_t nblocks, room_blocks;
  struct annotated_instruction *instructions; /* sorted by block */
  size_t ninstructions, room_instructions;
  struct annotated_origin *origins;
  size_t norigins, room_origins;
  struct annotated_line *lines; /* lines of FILE first, then by file and number */
  size_t nlines, room_lines;
  size_t *by_line; /* indexes of the instructions, sorted by line; those without a line last */
  double samples;  /* of all that is shown */
  size_t most;     /* after annotate_most: so many lines or instructions; SIZE_MAX: all */
};

/* Annotates the functions in FOUND. Call annotate_free in both cases. */
bool annotate (struct annotation *, const struct model *, const struct blocks *,
               const struct found *, struct error *);
void annotate_free (struct annotation *);

/* Chooses the MOST lines, and the MOST instructions, that have most samples, else executions.
   SIZE_MAX: all.  False: no memory. */
bool annotate_most (struct annotation *, size_t most);

/* Steps of annotate, each in its own file.  False: no memory. */
/* Finds the origin of each instruction and makes the lines. */
bool annotate_origins (struct annotation *, const struct found *);
void annotate_instruction_counts (struct annotation *);
bool annotate_cleanup (struct annotation *);     /* marks clean-up blocks */
bool annotate_line_counts (struct annotation *); /* after the two above */
/* Of instructions; then the sums of blocks, lines, pieces. */
void annotate_samples (struct annotation *);

/* The index of the last frame at which an origin's code is shown; the first is its depth. */
static inline size_t
annotate_last_depth (const struct annotation *a, const struct annotated_origin *origin)
{
  return a->every_line ? origin->nframes - 1 : origin->depth;
}

/* Are edge counts known? */
static inline bool
annotate_has_edges (const struct annotation *a)
{
  return a->model->edges.count > 0;
}

/* Is time known in seconds? */
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

/* The count of a block. */
static inline struct annotated_count
annotate_block_count (const struct annotated_block *b)
{
  return (struct annotated_count) { b->block ? b->block->count : 0, b->block != NULL,
                                    b->block ? b->block->open : (struct open_count) { 0 } };
}

#endif
