/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A vendor's own support library, linked instead of bbprof's: what doc/reference/macros.md
   requires, and no more.  At exit it prints, for each executed block, count, file:line and
   function, in the order of the units and their blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bbprof-abi.h"

void __bb_init_func (struct bb *);
void __bb_exit_func (void);

static struct bb *units;

void
__bb_exit_func (void)
{
  for (struct bb *unit = units; unit; unit = unit->next)
    for (long i = 0; i < unit->ncounts; i++)
      if (unit->counts[i])
        {
          const char *slash = strrchr (unit->filenames[i], '/');
          printf ("%ld %s:%ld %s\n", unit->counts[i], slash ? slash + 1 : unit->filenames[i],
                  unit->line_nums[i], unit->functions[i]);
        }
}

__attribute__ ((target ("general-regs-only"))) void
__bb_init_func (struct bb *unit)
{
  if (unit->zero_word)
    return;
  if (!units)
    atexit (__bb_exit_func);
  unit->zero_word = 1;
  unit->next = units;
  units = unit;
}
