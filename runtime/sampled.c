/* SPDX-License-Identifier: MIT */
/* The threads that are sampled.  Context: cold. */
#include "sampling.h"

__thread struct bbp_sampled *bbp_sampled;
struct bbp_sampled *bbp_sampled_all;

struct bbp_sampled *
bbp_sampled_begin (int tid)
{
  (void) tid;
  return NULL;
}

void
bbp_sampled_end (struct bbp_sampled *thread)
{
  (void) thread;
}

void
bbp_sampled_scan (void)
{
}
