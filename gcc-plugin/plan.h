/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's options, and the plan of what each function gets. */
#ifndef BBPROF_PLAN_H
#define BBPROF_PLAN_H

#include "gcc-plugin/macros/macros.h"
#include "gcc-plugin/target/gcc-compat.h"

/* options.cc: the options; set by bbp_options_read () and not changed afterwards. */
enum bbp_placement { BBP_PLACEMENT_DEFAULT, BBP_PLACEMENT_BEFORE, BBP_PLACEMENT_AFTER };

enum bbp_arcs { BBP_ARCS_STATIC, BBP_ARCS_CALL, BBP_ARCS_NONE };

enum bbp_ax { BBP_AX_NONE, BBP_AX_LEAN, BBP_AX_CALLS };

struct bbp_options {
  bool blocks;   /* count basic blocks; or MAP_ONLY: */
  bool map_only; /* no code is added, but the map of the blocks is there */
  /* With -pg, calls are derived from the blocks; counted by mcount; not counted. */
  enum bbp_arcs arcs;
  enum bbp_update update;       /* of the counters */
  enum bbp_placement placement; /* of the call that counts arcs */
  enum bbp_ax ax;               /* how jumps and traces are recorded */
  /* Units register at their functions' entries, not in constructors. */
  bool init_entry;
  bool a;             /* count as GCC 2.95 did: one counter for each block */
  const char *macros; /* the file with the user's macro set, or null */
  int min_size;       /* of functions without a loop: instructions */
  bool verbose;       /* report what is not instrumented */
};

extern struct bbp_options bbp_options;

/* A line for each option, for users; in new memory. */
const char *bbp_options_help (void);

/* False, with one error, if ARGS are not all known. */
bool bbp_options_read (const plugin_name_args *args);

/* filter.cc: the plan of a function. */
struct bbp_plan {
  bool call_mcount; /* FUNCTION_PROFILER */
  bool init;        /* FUNCTION_BLOCK_PROFILER, for the unit */
  bool attach;      /* the same, for the thread */
  bool blocks;      /* BLOCK_PROFILER */
  bool trace;       /* trace points */
  bool trace_calls; /* FUNCTION_BLOCK_PROFILER and FUNCTION_BLOCK_PROFILER_EXIT of mode 2 */
  bool hooks;       /* anything at its entry */
};

/* Call after the inter-procedural passes, while the call graph is whole. */
void bbp_filter_note_calls (void);
struct bbp_plan bbp_filter_function (function *fn);
/* Call at the end of the unit: prints notes about the selection. */
void bbp_filter_finish (void);

#endif
