/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library with one function, NAME. */
#include "clocks.h"

__attribute__ ((noipa)) void
NAME (long rounds)
{
  spin (rounds);
}
