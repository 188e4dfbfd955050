/* SPDX-License-Identifier: MIT */
/* What a sample holds.  Context: signal. */
#include "arch.h"
#include "sampling.h"

void
bbp_collect (void *context, unsigned ticks)
{
  for (; ticks; ticks--)
    bbp_samples_count (bbp_arch_pc (context));
}

void
bbp_collect_again (struct bbp_sampled *thread, uint32_t node, unsigned ticks)
{
  (void) thread;
  bbp_context_count (node, ticks);
}
