/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of one or more runs of a program, by function: one half of a comparison.  Functions
   have names under which another build's functions are found.  Made from profiles
   (run_set_profiles.c) or read from a baseline (baseline.h); constant afterwards. */
#ifndef BBPROF_RUN_SET_H
#define BBPROF_RUN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "common/error.h"
#include "model/model.h"
#include "tools/compare/significance.h"

/* A number that each run counted. */
struct run_set_count {
  uint64_t sum;         /* over all runs */
  uint64_t least, most; /* of a single run */
};

/* Functions of two builds are the same if object, file and symbol are equal.  A function
   includes its compiler's copies and parts (.constprop.0, .cold).  Static functions of one name
   from one file are one function. */
struct run_set_function {
  const char *object; /* file name without version; "": the executable */
  const char *file;   /* source file of a static function; "": not static, or unknown */
  const char *symbol; /* the linker's name */
  struct run_set_count calls, executions;
  double *samples; /* of each run */
  size_t number;   /* index among the functions, from 0 */
  /* Private. */
  char *key;                          /* the three names, one behind the other */
  uint64_t now_calls, now_executions; /* of the run that is being added */
  UT_hash_handle hh;
};

/* Calls from one function to another, or to itself. */
struct run_set_arc {
  struct run_set_ends {
    const struct run_set_function *caller, *callee; /* in the same run set */
  } ends;
  struct run_set_count calls;
  uint64_t now_calls; /* private: of the run that is being added */
  UT_hash_handle hh;
};

struct run_set {
  char *program;
  char *build_id; /* null: unknown */
  size_t runs;
  bool has_calls, has_executions;     /* all runs have them */
  double rate;                        /* samples per second; 0: a run has no time */
  bool incomplete;                    /* an unknown number of calls or executions was not counted */
  char *inexact;                      /* why counts may be wrong; null: they are exact */
  struct run_set_function *functions; /* a hash table, in order of insertion */
  struct run_set_arc *arcs;           /* a hash table, in order of insertion */
  struct run_set_function total;      /* without names; includes what is in no function */
  /* The empty entry of a function that this run set does not have: no names, no counts. */
  struct run_set_function none;
  size_t room; /* private: capacity in runs */
};

/* Makes an empty set for up to RUNS runs.  False: no memory; call run_set_free in both
   cases. */
bool run_set_make (struct run_set *, size_t runs);
void run_set_free (struct run_set *);

/* Finds or adds the function with these names, the arc between these functions; null: no memory. */
struct run_set_function *run_set_function (struct run_set *, const char *object, const char *file,
                                           const char *symbol);
struct run_set_arc *run_set_arc (struct run_set *, const struct run_set_function *caller,
                                 const struct run_set_function *callee);
/* The function with the names of OTHER (of another run set), or `none'. */
const struct run_set_function *run_set_find (const struct run_set *,
                                             const struct run_set_function *other);
/* The function with these names, or `none'; null: no memory. */
const struct run_set_function *run_set_find_names (const struct run_set *, const char *object,
                                                   const char *file, const char *symbol);
/* run_set_profiles.c: the same for the function that SYMBOL is, or is a copy or part of. */
const struct run_set_function *run_set_find_symbol (const struct run_set *, const struct symbol *);
/* The same for an arc; null: none. */
const struct run_set_arc *run_set_find_arc (const struct run_set *,
                                            const struct run_set_arc *other);

/* run_set_profiles.c: adds a run.  False: no memory. */
bool run_set_add_run (struct run_set *, const struct model *);

/* run_set_read.c: reads WORDS: a program and its profiles (default: gmon.out), or a baseline,
   which may also stand in place of the profile.  Each profile is a run; those of forked children
   belong to their parent's run (run_groups.h).  Prints warnings to stderr, with NAME as prefix.
   ANY_BUILD: accepts another build of the program than the profiled one; else that is an error. */
bool run_set_read (struct run_set *, const char *name, bool any_build, char **words, int nwords,
                   struct error *);

/* Did the runs count different numbers? */
static inline bool
run_set_count_varies (const struct run_set_count *c)
{
  return c->least != c->most;
}

static inline struct sampled
run_set_sampled (const struct run_set *s, const struct run_set_function *f)
{
  return (struct sampled) { .samples = f->samples, .runs = s->runs, .rate = s->rate };
}

#endif
