/* SPDX-License-Identifier: MIT */
/* The sampler "ticker".  Context: cold, lock held. */
#include "sampling.h"

static const char *
refuses (enum bbp_clock clock, unsigned rate)
{
  (void) clock;
  (void) rate;
  return "is not there yet";
}

const struct bbp_sampler bbp_sampler_ticker = { .name = "ticker", .refuses = refuses };

int
bbp_ticker_tid (void)
{
  return 0;
}
