/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the plugin share.  The way through it: bbprof_start () (plugin.cc) reads the
   options and registers callbacks; at the start of a unit the target is looked at (unit.cc);
   after the inter-procedural passes the filter notes what must stay untouched (filter.cc); the
   pass (pass.cc) calls bbp_instrument () for each function, which asks the filter, and that the
   user's lists (patterns.cc) with the function's names (names.cc); then liveness.cc and the
   macro set, and tells unit.cc; at the end unit.cc has the tables written.

   Everything runs on the compiler's one thread. */
#ifndef BBPROF_PLUGIN_INTERNAL_H
#define BBPROF_PLUGIN_INTERNAL_H

#include "gcc-plugin/gcc-compat.h"
#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/macros/template.h"

struct bbp_graph;
struct bbp_call_site;

/* options.cc: what the user asked for; written by bbp_options_read () and not changed
   afterwards. */
enum bbp_placement { BBP_PLACEMENT_DEFAULT, BBP_PLACEMENT_BEFORE, BBP_PLACEMENT_AFTER };

enum bbp_arcs { BBP_ARCS_STATIC, BBP_ARCS_CALL, BBP_ARCS_NONE };

enum bbp_ax { BBP_AX_NONE, BBP_AX_LEAN, BBP_AX_CALLS };

struct bbp_options {
  bool blocks; /* count basic blocks */
  /* If -pg is given: derived from the blocks; by calls of mcount; not at all. */
  enum bbp_arcs arcs;
  enum bbp_update update;       /* of the counters */
  enum bbp_placement placement; /* of the call that counts arcs */
  enum bbp_ax ax;               /* how jumps and traces are recorded */
  /* Units register at their functions' entries, not in constructors. */
  bool init_entry;
  bool a;             /* count as GCC 2.95 did: one word for each block */
  const char *macros; /* the file with the user's macro set, or null */
  int min_size;       /* of functions without a loop, in instructions */
  bool verbose;       /* say what is left out */
};

extern struct bbp_options bbp_options;

/* For people, a line for each option; in fresh memory. */
const char *bbp_options_help (void);

/* False, with one error message, if ARGS are not all known. */
bool bbp_options_read (const plugin_name_args *args);

/* unit.cc: the compilation unit. */
struct bbp_unit_state {
  const struct bbp_macros *macros; /* null: write nothing (an error has been given) */
  enum bbp_arcs arcs;              /* BBP_ARCS_NONE without -pg */
  bool before;                     /* the call to mcount goes before the prologue, to __fentry__ */
  bool templates;                  /* the user's macro set is in the place of MACROS */
  /* GCC 2.95's: 0, 1 (-a) or 2 (-ax); not 0: the tables are those of the historic layout. */
  int profile_block_flag;
  int nblocks, ncalls, ncounters; /* numbered so far */
  /* The same, of those that trace.cc copies, and of code where only comes who records. */
  int nbranches, nzones;
  bool names; /* there are records of names */
};

extern struct bbp_unit_state bbp_unit_state;

void bbp_unit_start (void);
void bbp_unit_finish (void);

/* Set what is the same in the whole unit: pic, large, historic and update. */
void bbp_unit_fill_site (struct bbp_site *site);
/* Set everything but the numbers of what it has; NAME: for people. */
void bbp_unit_describe (struct bbp_unit *unit, const char *name);

/* FN is instrumented as GRAPH says, with counters from FIRST_COUNTER on; its blocks and calls
   have their numbers. */
void bbp_unit_add_function (function *fn, const struct bbp_graph *graph, int first_counter);

/* names.cc: the names of a function. */
struct bbp_names {
  auto_vec<char *> functions; /* its own, as assembler, linker and people know it */
  const char *shown;          /* one of them, for people */
  const char *file;           /* of its definition; or null */
};

void bbp_names_find (tree decl, struct bbp_names *names);
void bbp_names_free (struct bbp_names *names);

/* patterns.cc: the lists of functions and files that the user gave. */
enum bbp_list { BBP_LIST_INCLUDE, BBP_LIST_EXCLUDE };

/* Add the items of TEXT; false, with one error message, if they are not all right. */
bool bbp_patterns_add (enum bbp_list list, const char *text);
bool bbp_patterns_given (enum bbp_list list);
/* The last pattern of LIST that matches one of NAMES, as the user wrote it, or null. */
const char *bbp_patterns_match (enum bbp_list list, const struct bbp_names *names);
/* After the last function. */
void bbp_patterns_note_unused (void);

/* filter.cc: what is to be done to a function. */
struct bbp_wish {
  bool call_mcount; /* FUNCTION_PROFILER */
  bool init;        /* FUNCTION_BLOCK_PROFILER, for the unit */
  bool attach;      /* the same, for the thread */
  bool blocks;      /* BLOCK_PROFILER */
  bool trace;       /* trace points */
  bool trace_calls; /* FUNCTION_BLOCK_PROFILER and FUNCTION_BLOCK_PROFILER_EXIT of mode 2 */
  bool hooks;       /* anything at its entry */
};

/* After the inter-procedural passes, while the call graph is whole. */
void bbp_filter_look_at_calls (void);
struct bbp_wish bbp_filter_function (function *fn);
/* At the end of the unit: what the user might want to know of the choice. */
void bbp_filter_finish (void);

/* instrument.cc. */
void bbp_instrument (function *fn);
/* Put what FN does at its entry into it: register the unit, call mcount, or what stands for
   that; the insn, or null if there is none. */
rtx_insn *bbp_insert_hook (function *fn, struct bbp_wish wish);
/* The insn behind which a hook of FN goes: at its entry, or behind its prologue.  The first may
   make a new block. */
rtx_insn *bbp_hook_place (function *fn, bool before);
/* The last insn of BB's head; HOOK is the last of the function's hooks, or null. */
rtx_insn *bbp_block_start (basic_block bb, rtx_insn *hook);
/* Move the stack pointer by OFFSET in an insn of its own: then the compiler itself describes the
   new frame in the CFI. */
rtx_insn *bbp_emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location);
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

/* template.cc: the user's own macro set, from the file that the option names.  False, with one
   error message, if it cannot be used. */
bool bbp_template_start (const char *file);
bool bbp_template_before_prologue (void); /* is FUNCTION_PROFILER's place */
void bbp_template_instrument (function *fn, struct bbp_wish wish);

/* historic.cc: units with tables of the historic layout. */
/* There is to be a variable .LP<LABELNO>, FUNCTION_PROFILER's. */
void bbp_historic_add_counter (int labelno);
/* Number BB, and put its label behind START; the new insn. */
rtx_insn *bbp_historic_add_block (function *fn, basic_block bb, rtx_insn *start, const char *name);
/* The insn behind which what is to be done when the function is left by BB goes; or null: it is
   not. */
rtx_insn *bbp_exit_place (basic_block bb);
void bbp_historic_finish (const char *filename); /* FILENAME: the unit's name */

/* words.cc: -a.  HOOK: what stands at FN's entry, or null; INIT: its entry registers the unit. */
void bbp_words_instrument (function *fn, rtx_insn *hook, bool init);

/* trace_calls.cc: ax=calls.  HOOK: what stands at FN's entry, or null; WHOLE: entries and ends
   are told of, too. */
void bbp_trace_calls_instrument (function *fn, rtx_insn *hook, bool whole);

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

/* calls.cc: is INSN a call, or like one?  CALL says what is known of it, but for what the rest
   of its block decides. */
bool bbp_call_find (rtx_insn *insn, struct bbp_call_site *call);
void bbp_call_insert_hook (const struct bbp_call_site *call);

/* split.cc: the insn behind which what happens on edge E goes; ONLY_ONE: its source has no
   other. */
rtx_insn *bbp_split_edge (edge e, bool only_one);
/* A new block behind LAST, in the part that LIKE is in; it is empty and leads nowhere. */
basic_block bbp_new_block (basic_block last, basic_block like);
/* Let such a block end with a jump to TARGET. */
void bbp_end_with_jump (basic_block bb, basic_block target);
/* The last block in the part of the code that BB is in. */
basic_block bbp_last_of_part (basic_block bb);

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

/* target/<cpu>.cc: what must be known of the compiler's back end, beyond what every target
   answers. */

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
/* Bytes of the widest vector registers that the function being compiled may have arguments in;
   0: it has none. */
int bbp_target_vector_bytes (void);
/* Register REGNO in assembler text. */
const char *bbp_target_vector_name (unsigned regno);
/* Put around assembler text to have it read as the macro sets write it, or empty strings. */
const char *bbp_target_syntax_begin (void);
const char *bbp_target_syntax_end (void);

#endif
