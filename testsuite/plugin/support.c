/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A support library for the built-in macro set, with update=single or atomic: what
   doc/reference/macros.md requires.  At exit it prints, for each unit, how often it was registered
   and the sum of all its counters. */
#include <stdio.h>

#include "bbprof-abi.h"

void __bb_init_func (struct bb *);
void __bb_fini_func (struct bb *);

static struct bb *units;
static unsigned long registered;

void
__bb_init_func (struct bb *unit)
{
  if (__atomic_exchange_n (&unit->zero_word, 1, __ATOMIC_ACQ_REL))
    return;
  __atomic_fetch_add (&registered, 1, __ATOMIC_RELAXED);
  unit->next = units;
  units = unit;
}

void
__bb_fini_func (struct bb *unit)
{
  (void) unit;
}

__attribute__ ((destructor)) static void
report (void)
{
  for (struct bb *unit = units; unit; unit = unit->next)
    {
      long sum = 0;
      for (long i = 0; i < unit->ncounts; i++)
        sum += unit->counts[i];
      printf ("registered %lu, counted %ld\n", registered, sum);
    }
}
