/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library: ticks come in its function NAME; with either name it is of the same size. */
#include "tick.h"

__attribute__ ((noinline)) int
NAME (int n)
{
  tick (n);
  return n + 1;
}

int
call (int n)
{
  return NAME (n) + 1;
}
