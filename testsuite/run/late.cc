// SPDX-License-Identifier: GPL-3.0-or-later
// Calls before main and after it: constructors, exit handlers, destructors.  Each function is
// called as often as its name says.
#include <cstdlib>

#define NOINLINE extern "C" __attribute__ ((noinline))

NOINLINE void three () { __asm__ volatile (""); }
NOINLINE void five () { __asm__ volatile (""); }
NOINLINE void seven () { __asm__ volatile (""); }
NOINLINE void eleven () { __asm__ volatile (""); }

template <void (*f) (), int n> static void
times ()
{
  for (int i = 0; i < n; i++)
    f ();
}

struct object
{
  object () { times<three, 3> (); }
  ~object () { times<five, 5> (); }
};
static object global;

static void __attribute__ ((destructor)) destructor () { times<eleven, 11> (); }

int
main ()
{
  atexit (times<seven, 7>);
  return 0;
}
