/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nothing of a system is needed, so any machine's compiler will do. */
volatile int sink;
extern char __executable_start[], etext[];   /* gmon.py searches for them */

static int __attribute__ ((noinline))
leaf (int x)
{
  sink += x;
  return x * 3;
}

int __attribute__ ((noinline))
middle (int x)
{
  int sum = 0;
  for (int i = 0; i < x; i++)
    sum += leaf (i);
  return sum;
}

int __attribute__ ((noinline))
odd (int x);

int __attribute__ ((noinline))
even (int x)
{
  return x ? odd (x - 1) + leaf (x) : 1;
}

int __attribute__ ((noinline))
odd (int x)
{
  return x ? even (x - 1) + middle (x) : 0;
}

void
_start (void)
{
  for (;;)
    sink = even (sink) + middle (etext - __executable_start);
}
