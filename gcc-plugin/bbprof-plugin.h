/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the plugin share.  The way through it: plugin_init () (plugin.cc) reads the options and registers
   callbacks; at the start of a unit the target is looked at (unit.cc); after the inter-procedural passes the filter
   notes what must stay untouched (filter.cc); the pass (pass.cc) calls bbp_instrument () for each function, which asks
   the filter, liveness.cc and the macro set, and tells unit.cc; at the end unit.cc has the tables written.

   Everything runs on the compiler's one thread. */
#ifndef BBPROF_PLUGIN_INTERNAL_H
#define BBPROF_PLUGIN_INTERNAL_H

#include "gcc-compat.h"
#include "macros/macros.h"

/* options.cc: what the user asked for; written by bbp_options_read () and not changed afterwards. */
enum bbp_placement { BBP_PLACEMENT_DEFAULT, BBP_PLACEMENT_BEFORE, BBP_PLACEMENT_AFTER };

struct bbp_options {
  bool blocks;                  /* count basic blocks */
  bool arcs;                    /* count arcs, if -pg is given */
  enum bbp_placement placement; /* of the call that counts arcs */
};

extern struct bbp_options bbp_options;
extern const char bbp_options_help[];

/* False, with one error message, if ARGS are not all known. */
bool bbp_options_read (const plugin_name_args *args);

/* unit.cc: the compilation unit. */
struct bbp_unit_state {
  const struct bbp_macros *macros; /* null: write nothing (an error has been given) */
  bool arcs;                       /* -pg is on and not switched off by our option */
  bool before;                     /* the call to mcount goes before the prologue, to __fentry__ */
  int nblocks;                     /* blocks numbered so far */
};

extern struct bbp_unit_state bbp_unit_state;

void bbp_unit_start (void);
void bbp_unit_finish (void);

/* Set what is the same in the whole unit: pic and large. */
void bbp_unit_fill_site (struct bbp_site *site);

/* Block BB of function FN gets the next number; blocks come in the order of their code.  BY_CALLS, for the first one
   only: it has no counter, because its executions are the calls of mcount. */
int bbp_unit_add_block (function *fn, basic_block bb, bool by_calls);

/* filter.cc: what is to be done to a function. */
struct bbp_wish {
  bool call_mcount; /* FUNCTION_PROFILER */
  bool attach;      /* FUNCTION_BLOCK_PROFILER */
  bool blocks;      /* BLOCK_PROFILER */
};

/* After the inter-procedural passes, while the call graph is whole. */
void bbp_filter_find_resolvers (void);
struct bbp_wish bbp_filter_function (function *fn);

/* instrument.cc. */
void bbp_instrument (function *fn);

/* The last insn of BB's head; HOOK is the function's call to mcount or what stands for it, or null. */
rtx_insn *bbp_block_start (basic_block bb, rtx_insn *hook);

/* liveness.cc: where in a block the counter goes and with which registers. */
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

/* What the macro set needs to count a block, where the flags are dead ([0]) or live ([1]). */
struct bbp_need {
  int registers[2];
  bool holds[2]; /* the first register holds the pointer to the counters afterwards */
};

/* START is the last insn of BB's head, behind which the code may go at the earliest.  PREFERRED is the first of the
   scratch registers if it is free.  Needs df_analyze (). */
struct bbp_point bbp_liveness_find_point (basic_block bb, rtx_insn *start, const struct bbp_need *need,
                                          unsigned preferred);

/* The registers that may be the first of a counter right behind START, and hold the pointer then. */
HARD_REG_SET bbp_liveness_holders (basic_block bb, rtx_insn *start, const struct bbp_need *need);

/* hold.cc: the pointer to the counters stays in one register from block to block.  The register, or INVALID_REGNUM; in
   HELD the indices of the blocks that find the pointer in it.  HOOK: as for bbp_block_start ().  UNCOUNTED: the block
   without a counter, or null. */
unsigned bbp_hold_choose (function *fn, rtx_insn *hook, basic_block uncounted, const struct bbp_need *need, bitmap held);

/* target/<cpu>.cc: what must be known of the compiler's back end, beyond what every target answers. */

/* Sizes that choose the macro set. */
int bbp_target_pointer_bits (void);
int bbp_target_word_bits (void);
/* What a user would recognise as the reason why there is no macro set: "-m32". */
const char *bbp_target_variant (void);
bool bbp_target_large (void);
/* The user asked for __fentry__, before the prologue, with a compiler option. */
bool bbp_target_fentry (void);
/* The name of the function that counts arcs, before or after the prologue of FN. */
const char *bbp_target_mcount (function *fn, bool before);
/* A function whose registers all belong to somebody else, without a frame of its own making. */
bool bbp_target_untouchable (function *fn);
/* No register at all may be changed by FN's caller's leave: a call to mcount would change one. */
bool bbp_target_keeps_all_registers (function *fn);
/* May a general register be parked in vector register REGNO? */
bool bbp_target_parking_place (unsigned regno);
/* Move the stack pointer by OFFSET bytes, without changing the flags. */
rtx bbp_target_move_stack (HOST_WIDE_INT offset);
/* The area below the stack pointer that a function may use without reserving it. */
#define BBP_TARGET_RED_ZONE 128
/* Register REGNO in assembler text. */
const char *bbp_target_vector_name (unsigned regno);
/* Put around assembler text to have it read as the macro sets write it, or empty strings. */
const char *bbp_target_syntax_begin (void);
const char *bbp_target_syntax_end (void);

#endif
