/* SPDX-License-Identifier: MIT */
/* Which sampler does what the user wishes, or comes nearest to it. */
#ifndef BBPROF_POLICY_H
#define BBPROF_POLICY_H

#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

struct bbp_wish {
  const char *sampler; /* a name, or "auto" */
  enum bbp_clock clock;
  unsigned rate;        /* ticks a second */
  unsigned kernel_rate; /* that a timer of CPU time resolves */
  bool only;            /* no other sampler than the one that is named, nor another clock */
};

struct bbp_choice {
  const struct bbp_sampler *sampler; /* that runs; null: none does */
  enum bbp_clock clock;
  unsigned rate; /* that it promises */
  /* The first that was to be, and cannot; null: that is the one that runs. */
  const struct bbp_sampler *refused;
  const char *why; /* it cannot */
  bool unknown;    /* there is no sampler of that name */
};

/* Start the best of SAMPLERS that does not refuse.  PREPARE: right before a sampler's start; false:
   another one, then.  Cold, lock held. */
struct bbp_choice bbp_policy_start (const struct bbp_wish *,
                                    const struct bbp_sampler *const samplers[BBP_SAMPLERS],
                                    bool (*prepare) (const struct bbp_sampler *));

/* What the user should know of CHOICE, in one line, "SUBJECT: TEXT"; false: all is as wished. */
struct bbp_news {
  char subject[64], text[160];
};
bool bbp_policy_news (const struct bbp_wish *, const struct bbp_choice *, struct bbp_news *);

/* sampler.c: as bbp_options say from here on, which the sampler that runs was not chosen by;
   ONLY: no other one than is named, nor another clock.  NEWS: empty: all is as wished.  False:
   it cannot be had, which NEWS says, and all stays as it was.  Cold, lock held. */
bool bbp_sampler_change (bool only, struct bbp_news *);

#pragma GCC visibility pop

#endif
