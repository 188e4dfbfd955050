/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One side of a comparison: what runs of a program counted, function by function, under names by
   which functions of another build can be found.  Made from profiles (run_set_profiles.c), or read
   from a baseline (baseline.h); then everybody only reads. */
#ifndef BBPROF_RUN_SET_H
#define BBPROF_RUN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "common/error.h"
#include "model/model.h"
#include "tools/compare/significance.h"

/* A number that each run counts. */
struct run_set_count {
  uint64_t sum;         /* over all runs */
  uint64_t least, most; /* of one */
};

/* A function is the same in another build if object, file and symbol are the same.  Its copies
   and parts (.constprop.0, .cold) are one with it, and so are static functions of one name from
   one file. */
struct run_set_function {
  const char *object; /* name of the file, without version; "": the executable */
  const char *file;   /* name of the source, of static functions; "": of the others, or not known */
  const char *symbol; /* as the linker knows it */
  struct run_set_count calls, executions;
  double *samples; /* of each run */
  size_t number;   /* place among the side's functions, from 0 */
  /* Private. */
  char *key;                          /* the three names, one behind the other */
  uint64_t now_calls, now_executions; /* of the run that is being added */
  UT_hash_handle hh;
};

/* Calls of one function by another, or itself. */
struct run_set_arc {
  struct run_set_ends {
    const struct run_set_function *caller, *callee; /* of the same side */
  } ends;
  struct run_set_count calls;
  uint64_t now_calls; /* private, as above */
  UT_hash_handle hh;
};

struct run_set {
  char *program;
  char *build_id; /* null: not known */
  size_t runs;
  bool has_calls, has_executions; /* all runs have them */
  double rate;                    /* samples a second; 0: some run has no time */
  bool incomplete;                /* nobody knows how many calls or executions were not counted */
  char *inexact;                  /* why counts may be wrong; null: they are not */
  struct run_set_function *functions; /* a hash table, in the order in which they came */
  struct run_set_arc *arcs;           /* likewise */
  struct run_set_function total;      /* without names; also what is in no function */
  /* Without names and counts: a function that this side does not have. */
  struct run_set_function none;
  size_t room; /* runs; private */
};

/* For so many RUNS at most.  False: no memory; run_set_free is right in both cases. */
bool run_set_make (struct run_set *, size_t runs);
void run_set_free (struct run_set *);

/* The function with these names, the arc between these functions; a new one if there is none
   yet; null: no memory. */
struct run_set_function *run_set_function (struct run_set *, const char *object, const char *file,
                                           const char *symbol);
struct run_set_arc *run_set_arc (struct run_set *, const struct run_set_function *caller,
                                 const struct run_set_function *callee);
/* The function that in another side is OTHER, or none. */
const struct run_set_function *run_set_find (const struct run_set *,
                                             const struct run_set_function *other);
/* The same of an arc; null: there is none. */
const struct run_set_arc *run_set_find_arc (const struct run_set *,
                                            const struct run_set_arc *other);

/* run_set_profiles.c: adds a run.  False: no memory. */
bool run_set_add_run (struct run_set *, const struct model *);

/* run_set_read.c: what WORDS says: the names of a program and of its profiles (none: gmon.out), or
   of a baseline, which may also stand in the place of the profile.  Each profile is a run, but
   for those of forked children (run_groups.h).  Warnings go to stderr, with NAME in front.
   ANY_BUILD: the program may be another build than the one that ran; else that is an error. */
bool run_set_read (struct run_set *, const char *name, bool any_build, char **words, int nwords,
                   struct error *);

/* Did the runs count differently, though nothing was changed? */
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
