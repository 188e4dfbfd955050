/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a target's macro set offers to the plugin.  A macro set is plain C and includes no header
   of GCC: GCC poisons the historic names (BLOCK_PROFILER ...) for everybody who does.  It knows
   the processor and the assembler; what the compiler knows about the place where the text will
   stand comes in through struct bbp_site.
   Valid C11 and C++11. */
#ifndef BBPROF_MACROS_H
#define BBPROF_MACROS_H

#include <stdbool.h>
#include <stdio.h>

#include "include/bbprof-abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the code will be linked. */
enum bbp_pic {
  BBP_PIC_NONE, /* a fixed address */
  BBP_PIC_PIE,  /* position independent, into an executable */
  BBP_PIC_FULL  /* -fPIC: into anything */
};

#define BBP_MAX_REGISTERS 2

/* The place where a macro's text will stand. */
struct bbp_site {
  enum bbp_pic pic;
  bool large;    /* code and data may be anywhere: no 32-bit displacements between them */
  bool historic; /* the tables' labels are the historic ones, .LPBX0 and so on */
  enum bbp_update update;
  const char *mcount;   /* the function that FUNCTION_PROFILER calls */
  bool profile_counter; /* with the address of the variable .LP<labelno> (not in the large model) */
  bool red_zone;        /* what is below the stack pointer may hold values (behind the prologue) */
  bool chain_live;      /* the static chain register holds a value (entry of a nested function) */
  bool flags_live;      /* the text must leave the flags alone */
  /* Scratch registers by GCC's names, as many as block_registers () asked for, and where the
     text must keep the old value of each while it uses it: null (nothing to keep), or an operand
     that may be moved to and from it. */
  const char *scratch[BBP_MAX_REGISTERS];
  const char *keep[BBP_MAX_REGISTERS];
  /* At the entry: of the widest vector registers that arguments may be in; 0: there are none. */
  int vector_bytes;
  /* call_profiler, trace_point: the .cfi directives count from the stack pointer. */
  bool frame_by_stack;
};

/* What is done at a trace point (include/bbprof-abi.h). */
enum bbp_trace_kind {
  BBP_TRACE_LAND,   /* L */
  BBP_TRACE_RETURN, /* C */
  BBP_TRACE_BIT,    /* B */
  BBP_TRACE_TOKEN,  /* T */
  BBP_TRACE_JUMP    /* J */
};

struct bbp_trace_action {
  enum bbp_trace_kind kind;
  int number; /* B: the bit; C: of the label .LPC<number>; else of the label .LPB<number> */
};

#define BBP_TRACE_ACTIONS 2

/* One after the other. */
struct bbp_trace_point {
  struct bbp_trace_action actions[BBP_TRACE_ACTIONS];
  int nactions;
  bool outside; /* only who records comes there, as a test by trace_test has found */
  /* Where in the function control is, for who finds it in the point's code: .LPBR<place>, or -1:
     it is there. */
  int place;
};

/* Where control is, as far as the map says, while it is in code where only comes who records. */
enum bbp_trace_place {
  BBP_PLACE_HEAD,   /* .LPB<number> */
  BBP_PLACE_END,    /* .LPBR<number> */
  BBP_PLACE_COUNTED /* .LPBQ<number>: behind that counter */
};

/* Such code reaches from the marker to .LPBU<zone>. */
struct bbp_trace_mark {
  enum bbp_trace_place place;
  int number;
  int zone;
  int before; /* the zone that ends here, or -1 */
};

/* A function as the map describes it (struct bbp_map_function): its labels, and what else is in
   the record. */
struct bbp_call {
  int label; /* .LPC<label> */
  unsigned kind;
};

struct bbp_successor {
  int target;
  bool counted;
};

struct bbp_block {
  int label;      /* .LPB<label> */
  unsigned shape; /* without the number of calls */
  const struct bbp_call *calls;
  int ncalls;
  const struct bbp_successor *successors;
  int nsuccessors;
};

struct bbp_function {
  int label; /* .LPF<label>: its entry */
  int first_counter;
  unsigned flags;
  const char *group; /* name of its section's COMDAT group, or null */
  const struct bbp_block *blocks;
  int nblocks, ncold;
};

/* As people know it (struct bbp_name). */
struct bbp_function_names {
  const char *assembler, *shown, *file;
};

/* A compilation unit at its end. */
struct bbp_unit {
  enum bbp_pic pic;
  bool large;
  bool historic;   /* as in struct bbp_site */
  bool cfi;        /* the file has .cfi directives */
  bool init_entry; /* there are no constructors */
  bool names;      /* there are records of names */
  enum bbp_update update;
  const char *filename; /* for people */
  int ncounters;
};

/* A macro set.  Each function writes assembler text (AT&T syntax) to FILE; none keeps what it is
   given. */
struct bbp_macros {
  /* FUNCTION_PROFILER: call SITE->mcount.  Changes what profiler_clobbers says and nothing else. */
  void (*function_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* FUNCTION_BLOCK_PROFILER, for the unit: register it, if that has not been done. */
  void (*function_init_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* FUNCTION_BLOCK_PROFILER, for the thread: make it known, at the entry of a function that may
     be the first one that a thread runs. */
  void (*function_block_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* BLOCK_PROFILER: add 1 to counter BLOCKNO.  Changes the scratch registers that are not kept and,
     unless they are live, the flags. */
  void (*block_profiler) (FILE *file, int blockno, const struct bbp_site *site);
  /* How many scratch registers block_profiler wants at SITE (flags_live, pic and large are set),
     0 to BBP_MAX_REGISTERS. */
  int (*block_registers) (const struct bbp_site *site);
  /* The register that must be the first one where the flags are live: GCC's name. */
  const char *flags_register;
  /* Before an indirect call: tell the run-time library that it goes to what is in register
     call_target.  Changes the flags. */
  void (*call_profiler) (FILE *file, const struct bbp_site *site);
  const char *call_target; /* GCC's name */
  /* The trace points.  At the entry of the function .LPF<function>, whose first block is
     .LPB<block>: E.  Changes what profiler_clobbers says. */
  void (*trace_enter) (FILE *file, int function, int block, const struct bbp_site *site);
  /* At the head of block .LPB<block>: H.  Changes source_registers () scratch registers, and no
     flags. */
  void (*trace_source) (FILE *file, int block, const struct bbp_site *site);
  int (*source_registers) (const struct bbp_site *site);
  /* All others.  Change trace_registers () scratch registers, and the flags unless they are
     live. */
  void (*trace_point) (FILE *file, const struct bbp_trace_point *point,
                       const struct bbp_site *site);
  /* Whoever records any of these actions goes on at .LPBT<branch>, others behind the label
     .LPBR<branch>.  The flags are not live. */
  void (*trace_test) (FILE *file, const struct bbp_trace_point *point, int branch,
                      const struct bbp_site *site);
  void (*trace_mark) (FILE *file, const struct bbp_trace_mark *mark);
  int (*trace_registers) (const struct bbp_site *site);
  /* The macros of mode 2, which only call (ax=calls), in the small code models:
     FUNCTION_BLOCK_PROFILER, at the entry, BLOCK_PROFILER, and FUNCTION_BLOCK_PROFILER_EXIT,
     before a return.  They change nothing; the stack pointer has been moved down for the first
     two (BBP_CALLS_..._ROOM). */
  void (*calls_init) (FILE *file, int blockno, const struct bbp_site *site);
  void (*calls_block) (FILE *file, int blockno, const struct bbp_site *site);
  void (*calls_exit) (FILE *file, int unused, const struct bbp_site *site);
  /* FUNCTION_PROFILER goes before the prologue unless the user asks otherwise. */
  bool profile_before_prologue;
  /* The registers, besides the flags, that the function macros change: GCC's names, null at the
     end. */
  const char *const *profiler_clobbers;
  /* Per unit, for bbp_write_tables (). */
  void (*counter_word) (FILE *file, const struct bbp_unit *unit);
  void (*constructors) (FILE *file, const struct bbp_unit *unit);
  /* What function_init_profiler refers to. */
  void (*entry_code) (FILE *file, const struct bbp_unit *unit);
};

/* The macro set for pointers and words of POINTER_BITS and WORD_BITS bits, or null if there is
   none. */
const struct bbp_macros *bbp_macros_for (int pointer_bits, int word_bits);

/* The targets that the macro set serves, for the message when bbp_macros_for () returns null. */
extern const char bbp_macros_targets[];

/* tables.c: write the map's record of FUNCTION; then, at the end of UNIT, LPBX0 to LPBX2, the
   counter word and the constructor. */
void bbp_write_function (FILE *file, const struct bbp_function *function);
/* The record of its names, and its byte of choice, .LPBS<label>. */
void bbp_write_names (FILE *file, const struct bbp_function *function,
                      const struct bbp_function_names *names);
void bbp_write_tables (FILE *file, const struct bbp_macros *macros, const struct bbp_unit *unit);
/* TEXT as a string of the assembler. */
void bbp_write_string (FILE *file, const char *text);

#ifdef __cplusplus
}
#endif

#endif
