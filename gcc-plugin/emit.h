/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by all code that instruments a function, from the instruction up: text in the insn stream
   (asm.cc), the place of a counter (liveness.cc) and of an edge (split.cc), and helpers that use
   these (emit.cc). */
#ifndef BBPROF_EMIT_H
#define BBPROF_EMIT_H

#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/macros/template.h"
#include "gcc-plugin/target/gcc-compat.h"

/* asm.cc: assembler text in the insn stream. */

/* The effects of a text: the registers that it changes. */
struct bbp_effects {
  rtx clobbers[BBP_TEMPLATE_CLOBBERS + 1];
  int nclobbers;
};

void bbp_clobber (struct bbp_effects *effects, machine_mode mode, unsigned regno);
void bbp_clobber_flags (struct bbp_effects *effects);
/* Write the text to the stream that bbp_text_begin () returns, then emit it behind AFTER.
   LOCATION is its line in the debug information.  Returns the new insn. */
FILE *bbp_text_begin (void);
rtx_insn *bbp_emit_text (const struct bbp_effects *effects, rtx_insn *after, location_t location);
/* Likewise, a text that may jump to TARGET.  The caller must make it the last insn of its block. */
rtx_insn *bbp_emit_branch (const struct bbp_effects *effects, rtx_insn *after, basic_block target);
/* Emits only a label, .<PREFIX><N>. */
rtx_insn *bbp_emit_label (const char *prefix, int n, rtx_insn *after, location_t location);
/* Emits an instruction that does nothing. */
rtx_insn *bbp_emit_pad (rtx_insn *after, location_t location);

/* liveness.cc: chooses the position of a counter and its registers. */
enum bbp_keep {
  BBP_KEEP_NOTHING, /* the register is free */
  BBP_KEEP_VECTOR,  /* its value is parked in a free vector register */
  BBP_KEEP_STACK    /* its value is parked on the stack */
};

struct bbp_point {
  rtx_insn *after; /* the code goes behind this insn */
  bool flags_live;
  int nregs;
  unsigned scratch[BBP_MAX_REGISTERS];
  enum bbp_keep keep[BBP_MAX_REGISTERS];
  unsigned vector[BBP_MAX_REGISTERS]; /* for BBP_KEEP_VECTOR */
};

/* The registers that the macro set needs for a counter, where the flags are dead ([0]) or live
   ([1]). */
struct bbp_need {
  int registers[2];
  unsigned flags_register; /* must be the first one where the flags are live; INVALID_REGNUM: any */
  bool here;               /* not further down */
  bool pointer;            /* a register that points to the counters is of use */
};

/* START is the insn in BB behind which the code may go at the earliest.  Needs df_analyze (). */
struct bbp_point bbp_liveness_find_point (basic_block bb, rtx_insn *start,
                                          const struct bbp_need *need);
/* Is the counter possible right behind START, with free registers and dead flags? */
bool bbp_liveness_is_easy (rtx_insn *start, const struct bbp_need *need);
/* A register that calls change, not in USED, in which a pointer can be held where counters have
   NEED; or INVALID_REGNUM. */
unsigned bbp_liveness_unused (const_bitmap used, const struct bbp_need *need);
/* Is register REGNO free behind AFTER?  Needs df_analyze (). */
bool bbp_liveness_is_free (rtx_insn *after, unsigned regno);
/* Sets LIVE to what is live behind START.  Needs df_analyze (). */
void bbp_liveness_behind (rtx_insn *start, bitmap live);

/* split.cc: the insn behind which code for edge E goes.  ONLY_ONE: E is its source's only edge. */
rtx_insn *bbp_split_edge (edge e, bool only_one);
/* A new, empty block behind LAST, in the section of LIKE, without successors. */
basic_block bbp_new_block (basic_block last, basic_block like);
/* Ends such a block with a jump to TARGET. */
void bbp_end_with_jump (basic_block bb, basic_block target);
/* The last block in the section of BB. */
basic_block bbp_last_of_part (basic_block bb);

/* emit.cc: places, and the macro set's text at them. */

/* The insn behind which a hook of FN goes: at its entry (BEFORE), which may make a new block, or
   behind its prologue. */
rtx_insn *bbp_hook_place (function *fn, bool before);
/* The note behind the prologue of FN, if the prologue sets up a frame pointer and stands alone at
   the head of the first block; or null. */
rtx_insn *bbp_frame_end (function *fn);
/* The last insn of BB's head.  HOOK: the last of the function's hooks, or null. */
rtx_insn *bbp_block_start (basic_block bb, rtx_insn *hook);
/* Moves the stack pointer by OFFSET in a separate insn, so that the compiler describes the new
   frame in the CFI. */
rtx_insn *bbp_emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location);
/* The line of the code behind INSN in its block, or OTHERWISE. */
location_t bbp_location_behind (rtx_insn *insn, location_t otherwise);
/* The line with which BB begins; its code begins behind START. */
location_t bbp_block_location (basic_block bb, rtx_insn *start);

/* Has WRITE write a text about WHAT, behind START or further down in its block.  Returns the last
   new insn. */
typedef void bbp_writer (FILE *file, const void *what, const struct bbp_site *site);
rtx_insn *bbp_insert (rtx_insn *start, const struct bbp_need *need, location_t location,
                      bbp_writer *write, const void *what);
/* Asks the macro set what a counter needs. */
struct bbp_need bbp_counter_need (void);
/* A counter of the unit.  In register POINTER, unless that is INVALID_REGNUM, is the address that
   bbp_insert_pointer () puts there for the function with FIRST. */
struct bbp_counter {
  int number, first;
  unsigned pointer;
};

/* Inserts a counter behind START or further down in its block.  Returns the last new insn. */
rtx_insn *bbp_insert_counter (const struct bbp_counter *counter, rtx_insn *start,
                              const struct bbp_need *need, location_t location);
/* Makes register POINTER point to the counters of the function with FIRST, behind AFTER. */
void bbp_insert_pointer (int first, unsigned pointer, rtx_insn *after);
/* Has WRITE write a text that changes nothing, right behind AFTER. */
rtx_insn *bbp_emit_by (bbp_writer *write, const void *what, rtx_insn *after, location_t location);
/* Has WRITE write a text right behind START as a jump that may lead to TARGET. */
rtx_insn *bbp_insert_branch (rtx_insn *start, const struct bbp_need *need, basic_block target,
                             bbp_writer *write, const void *what);

#endif
