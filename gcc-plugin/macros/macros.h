/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between the plugin and a target's macro set.

   A macro set is plain C and includes no header of GCC, because GCC poisons the historic names
   (BLOCK_PROFILER ...) in all files that include its headers.  It knows the processor and the
   assembler.  What the compiler knows about the place of a text is passed in struct bbp_site.
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

#define BBP_MAX_REGISTERS 3

/* The place of a macro's text. */
struct bbp_site {
  enum bbp_pic pic;
  bool large;    /* code and data may be anywhere: no 32-bit displacements between them */
  bool historic; /* the tables have the historic labels, .LPBX0 and so on */
  enum bbp_update update;
  const char *mcount;   /* the function that FUNCTION_PROFILER calls */
  bool profile_counter; /* with the address of the variable .LP<labelno> (not in the large model) */
  bool red_zone;        /* the area below the stack pointer may hold values */
  bool cold;            /* it is in the function's cold part */
  bool chain_live;      /* the static chain register holds a value (entry of a nested function) */
  bool flags_live;      /* the text must not change the flags */
  bool link_live;       /* hooks, calls: nor the return address in the link register */
  bool adds_to_memory;  /* the code may add to a word in memory by one instruction */
  bool cfi;             /* the file has .cfi directives */
  /* The scratch registers that block_registers () requested, by GCC's names; and for each the
     operand in which the text must save its old value while it uses the register, or null. */
  const char *scratch[BBP_MAX_REGISTERS];
  const char *keep[BBP_MAX_REGISTERS];
  /* The register that points to the counters of the function, the first of which is FIRST_COUNTER:
     GCC's name; or null. */
  const char *pointer;
  int first_counter;
  /* At the entry: size of the widest vector registers that may hold arguments; 0: none. */
  int vector_bytes;
  /* call_profiler: number of the call site, which counts in line; -1: it does not. */
  int call_site;
  /* call_profiler, trace_point: the .cfi directives count from the stack pointer. */
  bool frame_by_stack;
};

/* The actions of a trace point (include/bbprof-abi.h). */
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

/* The actions of a point, in order. */
struct bbp_trace_point {
  struct bbp_trace_action actions[BBP_TRACE_ACTIONS];
  int nactions;
  bool outside; /* only recording threads come here, as a test of trace_test found */
  bool hot;     /* many come here */
  /* The place in the function that control has reached, for a thread that is found in the point's
     code: .LPBR<place>, or -1: the point itself. */
  int place;
  bool cold_place; /* that is in the function's cold part */
};

/* A function as the map describes it (struct bbp_map_function): its labels, and the other fields
   of the record. */
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

/* zones.c: code that only recording threads use (BBP_FUNCTION_ZONES), of the function whose record
   is written next.  Begins a zone, and ends the one before, if that is open.  PLACE: the label of
   the place that control has reached, by the map.  FLAGS: BBP_ZONE_... */
#define BBP_PLACE_BYTES 24 /* most of a label, with its zero */
void bbp_zone_begin (FILE *file, const char *place, unsigned flags);
/* From here on the branch is recorded; FULL: and its word is full.  The place is the same. */
void bbp_zone_recorded (FILE *file, bool full);
/* JUMPS: a jump follows, which belongs to the zone. */
void bbp_zone_end (FILE *file, bool jumps);
bool bbp_has_zones (void);
void bbp_write_zones (FILE *file, const struct bbp_function *function);

/* Names for users (struct bbp_name). */
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
  const char *filename; /* for users */
  int ncounters, ncall_sites;
};

/* A macro set.  Each function writes assembler text (on x86, in AT&T syntax) to FILE and keeps no
   argument. */
struct bbp_macros {
  /* FUNCTION_PROFILER: calls SITE->mcount.  Changes only what profiler_clobbers names. */
  void (*function_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* FUNCTION_BLOCK_PROFILER, for the unit: registers it, once. */
  void (*function_init_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* FUNCTION_BLOCK_PROFILER, for the thread: makes it known, at the entry of a function that may
     be the first one that a thread runs. */
  void (*function_block_profiler) (FILE *file, int labelno, const struct bbp_site *site);
  /* BLOCK_PROFILER: adds 1 to counter BLOCKNO.  Changes the scratch registers that are not kept
     and, unless they are live, the flags. */
  void (*block_profiler) (FILE *file, int blockno, const struct bbp_site *site);
  /* The number of scratch registers that block_profiler needs at SITE (flags_live, pic and large
     are set), 0 to BBP_MAX_REGISTERS. */
  int (*block_registers) (const struct bbp_site *site);
  /* Makes register SITE->pointer point to the counters of a function; block_profiler uses it.
     Changes no flags. */
  void (*counter_pointer) (FILE *file, const struct bbp_site *site);
  /* Would block_profiler use such a register at SITE?  Null: never. */
  bool (*takes_pointer) (const struct bbp_site *site);
  /* The register that must be the first one where the flags are live: GCC's name; null: any. */
  const char *flags_register;
  /* Before an indirect call: passes its callee, which is in register call_target, to the run-time
     library.  Changes the flags; in line, also the registers call_scratch. */
  void (*call_profiler) (FILE *file, const struct bbp_site *site);
  const char *call_target; /* GCC's name */
  /* Can call_profiler count in line at SITE?  Null: never. */
  bool (*calls_in_line) (const struct bbp_site *site);
  const char *const *call_scratch; /* GCC's names, ends with null */
  /* The trace points.  E: at the entry of the function .LPF<function>; .LPB<block> is its first
     block. Changes only what profiler_clobbers names. */
  void (*trace_enter) (FILE *file, int function, int block, const struct bbp_site *site);
  /* At the head of block .LPB<block>: H.  Changes source_registers () scratch registers, and no
     flags. */
  void (*trace_source) (FILE *file, int block, const struct bbp_site *site);
  int (*source_registers) (const struct bbp_site *site);
  /* All others.  Change trace_registers () scratch registers, and the flags unless they are
     live. */
  void (*trace_point) (FILE *file, const struct bbp_trace_point *point,
                       const struct bbp_site *site);
  /* A thread that records any of these actions continues at .LPBT<branch>, others behind the
     label .LPBR<branch>.  The flags are not live. */
  void (*trace_test) (FILE *file, const struct bbp_trace_point *point, int branch,
                      const struct bbp_site *site);
  int (*trace_registers) (const struct bbp_site *site);
  /* The same for points that are outside. */
  int (*outside_registers) (const struct bbp_site *site);
  /* The macros of mode 2, which only call (ax=calls), in the small code models:
     FUNCTION_BLOCK_PROFILER, at the entry, BLOCK_PROFILER, and FUNCTION_BLOCK_PROFILER_EXIT,
     before a return.  The first one changes only what profiler_clobbers names, the second one
     nothing, the last one only calls_link.  The stack pointer was moved down for the first two
     (BBP_CALLS_..._ROOM). */
  void (*calls_init) (FILE *file, int blockno, const struct bbp_site *site);
  void (*calls_block) (FILE *file, int blockno, const struct bbp_site *site);
  void (*calls_exit) (FILE *file, int unused, const struct bbp_site *site);
  const char *calls_link; /* GCC's name; or null */
  /* FUNCTION_PROFILER goes before the prologue, unless the user chooses otherwise. */
  bool profile_before_prologue;
  /* There are only counters, of units that a constructor registers: no other tables, and no user's
     macro set. */
  bool only_counts;
  /* An instruction must follow each call in its function: the system takes a return address for
     the end of the function, or the function behind, if that follows.  The compiler sees to it
     unless there is other text. */
  bool pads_calls;
  /* The functions' records have BBP_FUNCTION_WIDE. */
  bool wide_distances;
  /* The registers, besides the flags, that the function macros change: GCC's names, ends with
     null. */
  const char *const *profiler_clobbers;
  /* Per unit, for bbp_write_tables (). */
  void (*counter_word) (FILE *file, const struct bbp_unit *unit);
  void (*constructors) (FILE *file, const struct bbp_unit *unit);
  /* The code that function_init_profiler refers to. */
  void (*entry_code) (FILE *file, const struct bbp_unit *unit);
};

/* The macro set for pointers of POINTER_BITS and words of WORD_BITS bits, or null. */
const struct bbp_macros *bbp_macros_for (int pointer_bits, int word_bits);

/* The targets of the macro set, for the message when bbp_macros_for () returns null. */
extern const char bbp_macros_targets[];

/* elf_sections.c or pe_sections.c: the format of the object.  Begins a section for data of the
   unit, or of FUNCTION alone (map, names, choice).  After its end the one before continues, or,
   where the assembler cannot do that, none: all of it comes behind the code. */
enum bbp_section {
  BBP_IN_TABLE,
  BBP_IN_STRINGS,
  BBP_IN_COUNTS,
  BBP_IN_MAP,
  BBP_IN_NAMES,
  BBP_IN_CHOICE
};
void bbp_section_begin (FILE *file, enum bbp_section section, const struct bbp_function *function);
void bbp_section_end (FILE *file);
/* Writes the addresses of the begin and the end of SECTION, a name. */
void bbp_write_bounds (FILE *file, const char *section);

/* tables.c: write the map's record of FUNCTION; then, at the end of UNIT, LPBX0 to LPBX2, the
   counter word and the constructor. */
void bbp_write_function (FILE *file, const struct bbp_function *function);
/* Writes the record of FUNCTION's names, and its selection byte, .LPBS<label>. */
void bbp_write_names (FILE *file, const struct bbp_function *function,
                      const struct bbp_function_names *names);
/* In a unit of which only the map is written: the place to which that refers for its counters. */
void bbp_write_no_counters (FILE *file);
void bbp_write_tables (FILE *file, const struct bbp_macros *macros, const struct bbp_unit *unit);
/* Writes TEXT as a string of the assembler. */
void bbp_write_string (FILE *file, const char *text);

#ifdef __cplusplus
}
#endif

#endif
