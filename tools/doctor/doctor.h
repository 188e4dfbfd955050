/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Abilities of this machine for a sampling profiler, and the accuracy of each sampler: facts,
   then measurements. */
#ifndef BBPROF_DOCTOR_H
#define BBPROF_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/view/style.h"

enum doctor_state { DOCTOR_PLAIN, DOCTOR_GOOD, DOCTOR_POOR }; /* information; works; limited */

struct doctor_fact {
  const char *key;   /* key in JSON */
  const char *label; /* label on the page */
  enum doctor_state state;
  char value[96];
  char note[120]; /* reason, or consequence; may be empty */
};

enum { DOCTOR_FACTS = 32 };
struct doctor_facts {
  struct doctor_fact list[DOCTOR_FACTS];
  size_t count;
};

/* Each adds the facts of one subject: doctor_kernel.c, doctor_timeline.c, doctor_process.c. */
void doctor_find_kernel (struct doctor_facts *);
void doctor_find_timeline (struct doctor_facts *);
void doctor_find_process (struct doctor_facts *);
/* bbprof's own parts: the library that is preloaded; TIMES: whether its writer wrote sample
   times in a trial. */
void doctor_find_parts (struct doctor_facts *, bool times);

/* Adds a fact with a value in printf's format and an empty note. */
struct doctor_fact *doctor_add (struct doctor_facts *, enum doctor_state, const char *key,
                                const char *label, const char *value, ...)
    __attribute__ ((format (printf, 5, 6)));

/* doctor_burn.c: the program that is sampled.  It does four kinds of work: three functions
   compute, one sleeps. */
enum doctor_work { DOCTOR_FIRST, DOCTOR_SECOND, DOCTOR_THIRD, DOCTOR_SLEEP, DOCTOR_WORKS };

/* Works for SECONDS of wall time in turns of random length, then prints what doctor_read_burnt
   reads. */
void doctor_burn (double seconds);

/* Of each kind of work: link-time addresses of its code, and its time by the thread's own
   clocks, in nanoseconds. */
struct doctor_burnt {
  uint64_t start, end, cpu, wall;
};
/* False: TEXT is not the program's output. */
bool doctor_read_burnt (struct doctor_burnt[DOCTOR_WORKS], const char *text);

/* doctor_measure.c: a trial of a sampler. */
struct doctor_trial {
  const char *sampler; /* requested */
  bool wall;           /* the clock */
  unsigned rate;       /* requested rate; 0: the default */
};
struct doctor_result {
  struct doctor_trial trial;
  char used[17]; /* the sampler that took the samples; empty: none */
  char why[200]; /* message of `bbprof record'; may be empty */
  bool times;    /* the writer wrote the times of samples too */
  unsigned promised;
  double achieved; /* ticks per second of the sampler's clock */
  uint64_t ticks, samples, cut;
  uint64_t counted[DOCTOR_WORKS], elsewhere; /* ticks */
  /* Shares of what was counted, by the program's own clocks. */
  double expected[DOCTOR_WORKS];
  double worst; /* largest difference between a sampled share and the true one */
  double p;     /* probability of such differences or larger ones without a bias */
};

/* Runs the test program for SECONDS under `bbprof record'.  False: it could not be run; the
   error says why. */
bool doctor_measure (struct doctor_result *, const struct doctor_trial *, double seconds,
                     struct error *);

/* Did the requested sampler take the samples?  Are its shares right? */
bool doctor_works (const struct doctor_result *);
bool doctor_is_right (const struct doctor_result *);

/* Something that a user can or cannot do here. */
struct doctor_ability {
  bool can;
  char key[32];   /* key in JSON */
  char what[64];  /* label on the page */
  char how[160];  /* if possible: by which means */
  char mend[240]; /* if not: how to make it possible */
};

enum { DOCTOR_ABILITIES = 20 };

struct doctor {
  struct doctor_facts facts;
  struct doctor_ability abilities[DOCTOR_ABILITIES];
  size_t nabilities;
  struct doctor_result chosen[2]; /* by `auto': CPU time, wall time */
  struct doctor_result results[8];
  size_t nresults;
};

/* doctor_abilities.c: derives the abilities from the facts and the chosen samplers, and tries
   compilers, pkg-config and debug symbols.  Called after all facts and trials. */
void doctor_find_abilities (struct doctor *);

void doctor_emit_text (FILE *, const struct doctor *, const struct style *);
void doctor_emit_json (FILE *, const struct doctor *);

#endif
