// SPDX-License-Identifier: GPL-3.0-or-later
// For inlined.test: ticks in functions that are inlined into each other, and below a recursion.
#include "sample/tick.h"

namespace shop
{
struct counter
{
  int n;
  [[gnu::always_inline]] inline void innermost (int ticks) { tick (ticks); n++; }
  [[gnu::always_inline]] inline void
  middle (int ticks)
  {
    innermost (ticks);
    tick (3);
    innermost (ticks);
  }
};

[[gnu::noipa]] void
outer (counter &c)
{
  c.middle (10);
  tick (5);
}

[[gnu::noipa]] int
deep (counter &c, int n)
{
  if (n == 0)
    {
      outer (c);
      return 1;
    }
  tick (1);
  return deep (c, n - 1) + 1;
}

[[gnu::noipa]] void caught (counter &c) { outer (c); c.n++; }
}

int
main ()
{
  shop::counter c = { 0 };
  shop::caught (c);
  return shop::deep (c, 7) != 8;
}
