/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user has asked for, and what of it a function gets. */
#ifndef BBPROF_PLAN_H
#define BBPROF_PLAN_H

#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/target/gcc-compat.h"

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
struct bbp_plan {
  bool call_mcount; /* FUNCTION_PROFILER */
  bool init;        /* FUNCTION_BLOCK_PROFILER, for the unit */
  bool attach;      /* the same, for the thread */
  bool blocks;      /* BLOCK_PROFILER */
  bool trace;       /* trace points */
  bool trace_calls; /* FUNCTION_BLOCK_PROFILER and FUNCTION_BLOCK_PROFILER_EXIT of mode 2 */
  bool hooks;       /* anything at its entry */
};

/* After the inter-procedural passes, while the call graph is whole. */
void bbp_filter_note_calls (void);
struct bbp_plan bbp_filter_function (function *fn);
/* At the end of the unit: what the user might want to know of the choice. */
void bbp_filter_finish (void);

#endif
