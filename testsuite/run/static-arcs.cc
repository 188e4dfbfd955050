// SPDX-License-Identifier: GPL-3.0-or-later
// Calls whose callees stand in the machine code: straight, as tail calls, through the linkage table
// to a library and back, through thunks of virtual functions; and those that do not.  The numbers
// are what static-arcs.test expects.
#include <cstdio>
#include <cstdlib>

#include "static-arcs.h"

#define NOIPA __attribute__ ((noipa))

static volatile int sink;

NOIPA static void leaf () { sink = 1; }
NOIPA static void jumper (int n) { sink = n; if (n & 1) return leaf (); library_leaf (); }
NOIPA void from_library () { leaf (); }
NOIPA static int
compare (const void *a, const void *b)
{
  return *(const char *) a - *(const char *) b;
}

struct Left { virtual void left (); long a; };
struct Right { virtual void right (); long b; };
struct Top { virtual void top (); long c; };
struct Both : Left, Right, virtual Top {
  void left () override;
  void right () override;
  void top () override;
};
NOIPA void Left::left () { sink = 2; }
NOIPA void Right::right () { sink = 3; }
NOIPA void Top::top () { sink = 4; }
NOIPA void Both::left () { sink = 5; }
NOIPA void Both::right () { sink = 6; }
NOIPA void Both::top () { sink = 7; }

NOIPA static void
call_virtual (Left *l, Right *r, Top *t)
{
  l->left ();
  r->right ();
  t->top ();
  sink = 8;
}

NOIPA static void
change (void (*f) (), void (*g) (), int n)
{
  for (int i = 0; i < n; i++)
    (i % 3 ? f : g) ();
}

int
main ()
{
  char letters[] = "ba";
  Both both;
  for (int i = 0; i < 10; i++)
    jumper (i);
  for (int i = 0; i < 4; i++)
    library_calls_back (from_library);
  for (int i = 0; i < 3; i++)
    library_calls ();
  for (int i = 0; i < 6; i++)
    call_virtual (&both, &both, &both);
  change (leaf, library_leaf, 9);
  qsort (letters, 2, 1, compare);
  puts (letters);
}
