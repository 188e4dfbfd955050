/* SPDX-License-Identifier: MIT */
/* The choice of the sampler that matches the user's request, or comes nearest to it. */
#ifndef BBPROF_POLICY_H
#define BBPROF_POLICY_H

#include "runtime/sample/sample.h"

#pragma GCC visibility push(hidden)

struct bbp_wish {
  const char *sampler; /* a name, or "auto" */
  enum bbp_clock clock;
  unsigned rate;        /* ticks a second */
  unsigned kernel_rate; /* the resolution of a timer of CPU time */
  bool only;            /* no other sampler than the named one, and no other clock */
};

struct bbp_choice {
  const struct bbp_sampler *sampler; /* the one that runs; null: none */
  enum bbp_clock clock;
  unsigned rate; /* the rate that it promises */
  /* The first choice, if it cannot run; null: the first choice runs. */
  const struct bbp_sampler *refused;
  const char *why; /* the reason */
  bool unknown;    /* there is no sampler of that name */
};

/* Starts the best of SAMPLERS that does not refuse.  PREPARE is called right before a sampler's
   start; false: try another one.  Cold, lock held. */
struct bbp_choice bbp_policy_start (const struct bbp_wish *,
                                    const struct bbp_sampler *const samplers[BBP_SAMPLERS],
                                    bool (*prepare) (const struct bbp_sampler *));

/* A message about CHOICE for the user, in one line, "SUBJECT: TEXT"; false: everything is as
   requested. */
struct bbp_news {
  char subject[64], text[160];
};
bool bbp_policy_news (const struct bbp_wish *, const struct bbp_choice *, struct bbp_news *);

/* sampler.c: changes to the sampler, clock and rate that bbp_options say now.  ONLY: no other
   sampler than the named one, and no other clock.  NEWS is empty if everything is as requested.
   False: not possible, for the reason in NEWS; nothing changed.  Cold, lock held. */
bool bbp_sampler_change (bool only, struct bbp_news *);

#pragma GCC visibility pop

#endif
