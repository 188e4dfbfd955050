/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of a processor for which nobody has written one yet. */
#include "macros.h"

const char bbp_macros_targets[] = "none";

const struct bbp_macros *
bbp_macros_for (int pointer_bits, int word_bits)
{
  (void) pointer_bits;
  (void) word_bits;
  return NULL;
}
