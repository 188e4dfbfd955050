/* SPDX-License-Identifier: MIT */
/* What mingw-w64's start-up code for -pg calls.  The library takes the place of its libgmon, which
   would write another gmon.out; it starts and ends by itself. */
#include <stddef.h>

void monstartup (size_t low, size_t high);
void _mcleanup (void);

void
monstartup (size_t low, size_t high)
{
  (void) low;
  (void) high;
}

void
_mcleanup (void)
{
}
