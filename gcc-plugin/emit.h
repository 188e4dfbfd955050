/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What puts code into a function, from the instruction up: text in the insn stream (asm.cc), the
   place of a counter (liveness.cc) and of an edge (split.cc), and what all that instruments does
   with these (emit.cc). */
#ifndef BBPROF_EMIT_H
#define BBPROF_EMIT_H

#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/macros/template.h"
#include "gcc-plugin/target/gcc-compat.h"

/* asm.cc: assembler text in the insn stream. */

/* What a text does to the machine: the registers that it changes. */
struct bbp_effects {
  rtx clobbers[BBP_TEMPLATE_CLOBBERS + 1];
  int nclobbers;
};

void bbp_clobber (struct bbp_effects *effects, machine_mode mode, unsigned regno);
void bbp_clobber_flags (struct bbp_effects *effects);
/* Write the text to what this returns, then have it emitted behind AFTER; LOCATION is the line
   that the debug information shows for it.  Returns the new insn. */
FILE *bbp_text_begin (void);
rtx_insn *bbp_emit_text (const struct bbp_effects *effects, rtx_insn *after, location_t location);
/* The same for a text that may jump to TARGET: the last insn of its block, for the caller to see
   to. */
rtx_insn *bbp_emit_branch (const struct bbp_effects *effects, rtx_insn *after, basic_block target);
/* Just a label, .<PREFIX><N>. */
rtx_insn *bbp_emit_label (const char *prefix, int n, rtx_insn *after, location_t location);

/* liveness.cc: where a counter goes and with which registers. */
enum bbp_keep {
  BBP_KEEP_NOTHING, /* the register is free */
  BBP_KEEP_VECTOR,  /* its value goes to a free vector register */
  BBP_KEEP_STACK    /* its value goes to the stack */
};

struct bbp_point {
  rtx_insn *after; /* the code goes behind this insn */
  bool flags_live;
  int nregs;
  unsigned scratch[BBP_MAX_REGISTERS];
  enum bbp_keep keep[BBP_MAX_REGISTERS];
  unsigned vector[BBP_MAX_REGISTERS]; /* for BBP_KEEP_VECTOR */
};

/* What the macro set needs for a counter, where the flags are dead ([0]) or live ([1]). */
struct bbp_need {
  int registers[2];
  unsigned flags_register; /* the first one, where they are live; or INVALID_REGNUM: any */
  bool here;               /* not further down */
};

/* START is the insn in BB behind which the code may go at the earliest.  Needs df_analyze (). */
struct bbp_point bbp_liveness_find_point (basic_block bb, rtx_insn *start,
                                          const struct bbp_need *need);
/* Would that be right there, with registers that are free and flags that are dead? */
bool bbp_liveness_is_easy (rtx_insn *start, const struct bbp_need *need);
/* Set LIVE to what is live behind START.  Needs it as well. */
void bbp_liveness_behind (rtx_insn *start, bitmap live);

/* split.cc: the insn behind which what happens on edge E goes; ONLY_ONE: its source has no
   other. */
rtx_insn *bbp_split_edge (edge e, bool only_one);
/* A new block behind LAST, in the part that LIKE is in; it is empty and leads nowhere. */
basic_block bbp_new_block (basic_block last, basic_block like);
/* Let such a block end with a jump to TARGET. */
void bbp_end_with_jump (basic_block bb, basic_block target);
/* The last block in the part of the code that BB is in. */
basic_block bbp_last_of_part (basic_block bb);

/* emit.cc: places, and what the macro set writes there. */

/* The insn behind which a hook of FN goes: at its entry, or behind its prologue.  The first may
   make a new block. */
rtx_insn *bbp_hook_place (function *fn, bool before);
/* The note behind the prologue of FN, if that sets up a frame pointer and stands alone at the head
   of the first block; or null. */
rtx_insn *bbp_frame_end (function *fn);
/* The last insn of BB's head; HOOK is the last of the function's hooks, or null. */
rtx_insn *bbp_block_start (basic_block bb, rtx_insn *hook);
/* Move the stack pointer by OFFSET in an insn of its own: then the compiler itself describes the
   new frame in the CFI. */
rtx_insn *bbp_emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location);
/* The line that the code behind INSN in its block has, or OTHERWISE. */
location_t bbp_location_behind (rtx_insn *insn, location_t otherwise);
/* The line that BB, which begins behind START, begins with. */
location_t bbp_block_location (basic_block bb, rtx_insn *start);

/* Have WRITE write about WHAT what goes behind START, or further down in its block.  The last
   new insn. */
typedef void bbp_writer (FILE *file, const void *what, const struct bbp_site *site);
rtx_insn *bbp_insert (rtx_insn *start, const struct bbp_need *need, location_t location,
                      bbp_writer *write, const void *what);
/* Ask the macro set what a counter needs. */
struct bbp_need bbp_counter_need (void);
/* Count behind START, or further down in its block; the last new insn. */
rtx_insn *bbp_insert_counter (int counter, rtx_insn *start, const struct bbp_need *need,
                              location_t location);
/* Have it written right behind AFTER, of what changes nothing. */
rtx_insn *bbp_emit_by (bbp_writer *write, const void *what, rtx_insn *after, location_t location);
/* Have it written right behind START, as a jump that may lead to TARGET. */
rtx_insn *bbp_insert_branch (rtx_insn *start, const struct bbp_need *need, basic_block target,
                             bbp_writer *write, const void *what);

#endif
