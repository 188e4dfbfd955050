/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One chain of calls, main to leaf, again and again, without calls of other objects in between: a
   function whose frame has no fixed size, one with a large frame, one with many saved registers,
   one that is called through a pointer, and a leaf.  So wherever the program is interrupted, the
   functions before the current one are known.  `chain ROUNDS'. */
#include <stdlib.h>

#define APART __attribute__ ((noipa))

static volatile unsigned sink;

APART static unsigned
leaf (unsigned x)
{
  return x * 3 + 1;
}

APART static unsigned
many (unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f, unsigned g,
      unsigned h, unsigned i)
{
  unsigned x = leaf (a), y = leaf (b), z = leaf (c);
  return leaf (x + y * d) + leaf (z + e * f) + leaf (g + h + i) + x + y + z + a + b + c + d;
}

static unsigned (*volatile pointer) (unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                     unsigned, unsigned, unsigned)
    = many;

APART static unsigned
large (unsigned x)
{
  volatile unsigned room[3000];
  room[x % 3000] = x;
  return pointer (x, 1, 2, 3, 4, 5, 6, 7, room[x % 3000]) + x;
}

APART static unsigned
dynamic (unsigned x)
{
  volatile unsigned char *room = __builtin_alloca (16 + x % 200);
  room[x % 16] = (unsigned char) x;
  return large (x) + room[x % 16];
}

APART static unsigned
outer (unsigned x)
{
  return dynamic (x) + 1;
}

int
main (int count, char **words)
{
  const unsigned long rounds = count > 1 ? strtoul (words[1], NULL, 10) : 1;
  for (unsigned long i = 0; i < rounds; i++)
    sink = outer ((unsigned) i);
  return 5;
}
