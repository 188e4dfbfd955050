/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine lets a sampling profiler do, and how well each sampler does it: facts, then
   measurements. */
#ifndef BBPROF_DOCTOR_H
#define BBPROF_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/view/style.h"

enum doctor_state { DOCTOR_PLAIN, DOCTOR_GOOD, DOCTOR_POOR }; /* just so; an ability; a limit */

struct doctor_fact {
  const char *key;   /* for programs */
  const char *label; /* for people */
  enum doctor_state state;
  char value[96];
  char note[120]; /* why, or what follows from it; may be empty */
};

enum { DOCTOR_FACTS = 32 };
struct doctor_facts {
  struct doctor_fact list[DOCTOR_FACTS];
  size_t count;
};

/* Each finds out about one side of the machine, and adds to the facts: doctor_kernel.c,
   doctor_timeline.c, doctor_process.c. */
void doctor_find_kernel (struct doctor_facts *);
void doctor_find_timeline (struct doctor_facts *);
void doctor_find_process (struct doctor_facts *);
/* bbprof's own parts: the library that is preloaded, and whether its writer has written TIMES in
   a trial. */
void doctor_find_parts (struct doctor_facts *, bool times);

/* A new fact, whose value is as printf would have it; its note is empty. */
struct doctor_fact *doctor_add (struct doctor_facts *, enum doctor_state, const char *key,
                                const char *label, const char *value, ...)
    __attribute__ ((format (printf, 5, 6)));

/* doctor_burn.c: the program that is sampled.  What it does: three functions that compute, one
   that sleeps. */
enum doctor_work { DOCTOR_FIRST, DOCTOR_SECOND, DOCTOR_THIRD, DOCTOR_SLEEP, DOCTOR_WORKS };

/* Works for SECONDS of wall time, in turns of random length, and prints what doctor_read_burnt
   reads. */
void doctor_burn (double seconds);

/* Where the code of each kind of work is, in link-time addresses, and how long it took, by the
   thread's own clocks, in nanoseconds. */
struct doctor_burnt {
  uint64_t start, end, cpu, wall;
};
/* False: TEXT is nothing that it has printed. */
bool doctor_read_burnt (struct doctor_burnt[DOCTOR_WORKS], const char *text);

/* A sampler, tried: doctor_measure.c. */
struct doctor_trial {
  const char *sampler; /* asked for */
  bool wall;           /* the clock */
  unsigned rate;       /* asked for; 0: the default one */
};
struct doctor_result {
  struct doctor_trial trial;
  char used[17]; /* the sampler that took the samples; empty: none did */
  char why[200]; /* what `bbprof record' had to say; may be empty */
  bool times;    /* when samples were taken has been written as well */
  unsigned promised;
  double achieved; /* ticks a second of the clock */
  uint64_t ticks, samples, cut;
  uint64_t counted[DOCTOR_WORKS], elsewhere; /* ticks */
  /* Shares of what was counted, by the program's own clocks. */
  double expected[DOCTOR_WORKS];
  double worst; /* difference between a share that was sampled and the true one, at most */
  double p;     /* chance of such differences, or greater ones, if there is no bias */
};

/* Runs the burning program for SECONDS under `bbprof record'.  False: not even that; the error
   says why. */
bool doctor_measure (struct doctor_result *, const struct doctor_trial *, double seconds,
                     struct error *);

/* Did the sampler that was asked for sample?  And is what it says true? */
bool doctor_works (const struct doctor_result *);
bool doctor_is_right (const struct doctor_result *);

/* Something that a user can do here, or cannot. */
struct doctor_ability {
  bool can;
  char key[32];   /* for programs */
  char what[64];  /* for people */
  char how[160];  /* if it can be done: by what */
  char mend[240]; /* if not: what makes it possible */
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

/* doctor_abilities.c: judges the facts and the chosen samplers, and tries compilers, pkg-config
   and debug symbols.  After all facts and trials. */
void doctor_find_abilities (struct doctor *);

void doctor_emit_text (FILE *, const struct doctor *, const struct style *);
void doctor_emit_json (FILE *, const struct doctor *);

#endif
