/* SPDX-License-Identifier: MIT */
/* The port's support library: keeps a list of the units, and at the end of the program writes
   port.out: each executed block with its executions, line and function; in mode 2 also how often
   functions were entered and left, and the greatest depth.

   The texts may be at any place.  So the functions that they call use nothing else, and the library
   is compiled without vector registers (Makefile). */
#include <bbprof-abi.h>
#include <stdio.h>
#include <string.h>

#include "port.h"

/* The two words that the code of mode 2 stores before each call. */
struct bb_place {
  unsigned long blockno;
  struct bb *blocks;
};

extern __thread struct bb_place __bb;
void __bb_init_func (struct bb *unit);
void __bb_init_trace_func (struct bb *unit, unsigned long blockno);
void __bb_trace_func (void);
void __bb_trace_ret (void);
void __bb_exit_func (void);

static struct bb *units;
static unsigned long entered, left, deepest;

static void
port_register (struct bb *unit)
{
  if (unit->zero_word)
    return;
  unit->zero_word = 1;
  unit->next = units;
  units = unit;
}

__attribute__ ((used)) static void
port_enter (struct bb *unit)
{
  port_register (unit);
  entered++;
  if (entered - left > deepest)
    deepest = entered - left;
}

__attribute__ ((used)) static void
port_count (void)
{
  __bb.blocks->counts[__bb.blockno]++;
}

__attribute__ ((used)) static void
port_leave (void)
{
  left++;
}

BLOCK_PROFILER_CODE

static const char *
base_name (const char *path)
{
  const char *slash = path ? strrchr (path, '/') : NULL;
  return slash ? slash + 1 : path ? path : "?";
}

__attribute__ ((destructor)) void
__bb_exit_func (void)
{
  struct bb *unit;
  long i;
  FILE *out = units ? fopen ("port.out", "w") : NULL;
  if (!out)
    return;
  for (unit = units; unit; unit = unit->next)
    for (i = 0; i < unit->ncounts; i++)
      if (unit->counts[i])
        fprintf (out, "%ld %s:%ld %s\n", unit->counts[i], base_name (unit->filenames[i]),
                 unit->line_nums[i], unit->functions[i]);
  if (entered)
    fprintf (out, "entered %lu, left %lu, deepest %lu\n", entered, left, deepest);
  fclose (out);
}
