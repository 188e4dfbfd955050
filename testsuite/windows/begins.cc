/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works in the constructors and destructors of objects, and in those of C, before and after all
   others. */
#define FUNCTION(name)                          \
  __attribute__ ((noipa)) static void name () { __asm__ volatile ("nop"); }
FUNCTION (by_constructor)
FUNCTION (by_destructor)
FUNCTION (by_object)
FUNCTION (at_end_of_object)

static void
times (void (*f) (), int n)
{
  for (int i = 0; i < n; i++)
    f ();
}

static struct object {
  object () { times (by_object, 10); }
  ~object () { times (at_end_of_object, 20); }
} one;

__attribute__ ((constructor (102))) void
early ()
{
  times (by_constructor, 30);
}

__attribute__ ((destructor)) void
late ()
{
  times (by_destructor, 40);
}

__attribute__ ((destructor (101))) void
last ()
{
  times (by_destructor, 50);
}

int
main ()
{
  return 0;
}
