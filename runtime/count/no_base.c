/* SPDX-License-Identifier: MIT */
/* In the place of gs_base.c, for processors without a register whose base programs leave alone: all
   code counts by a thread-local word.  Context: any. */
#include "runtime/count/count.h"

void
bbp_gs_base_start (void)
{
}

bool
bbp_gs_base_set (struct bbp_thread *thread, uintptr_t base)
{
  (void) thread;
  return base == 0;
}

bool
bbp_gs_base_is_free (void)
{
  return false;
}

bool
bbp_gs_base_is_positive (void)
{
  return false;
}

void
bbp_gs_base_count_for (const struct bbp_module *module)
{
  (void) module;
}

bool
bbp_gs_base_count_fault (void *context)
{
  (void) context;
  return false;
}

void
bbp_gs_base_check (long number, long option, uintptr_t base)
{
  (void) number;
  (void) option;
  (void) base;
}
