/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BBPROF_SCOPE in C++: left by an exception, in a template, in a constructor; two in one block. */
#include "bbprof.h"

#define NOIPA __attribute__ ((noipa))
NOIPA void inside () { __asm__ volatile (""); }
NOIPA void outside () { __asm__ volatile (""); }

struct thrown { };

NOIPA static void
thrower ()
{
  BBPROF_SCOPE ();
  inside ();
  throw thrown ();
}

template <typename T>
NOIPA static T
generic (T value)
{
  BBPROF_SCOPE ();
  BBPROF_SCOPE ();
  inside ();
  return value;
}

struct object {
  object () { BBPROF_SCOPE (); inside (); }
};

int
main ()
{
  outside ();
  try { thrower (); } catch (const thrown &) { outside (); }
  generic (1);
  generic (1L);
  outside ();
  object one;
  outside ();
}
