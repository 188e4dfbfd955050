/* SPDX-License-Identifier: MIT */
/* System calls that go on although a tick has interrupted them.  Context: signal. */
#include "sampling.h"

void
bbp_restart (struct bbp_sampled *thread, void *context)
{
  (void) thread;
  (void) context;
}
