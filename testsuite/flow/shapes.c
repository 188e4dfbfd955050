// SPDX-License-Identifier: GPL-3.0-or-later
/* Every shape of control flow: switch with a table and with a tree, computed goto, asm goto,
   loops with several exits and several entries, chains of conditions, recursion, blocks that are
   only an edge, code that never runs. */
#include "places.h"

int cases (int n); /* a switch of 500 cases; its file is made by the test */

static volatile int zero, sink;

APART void
note (int n)
{
  AT (noted);
  if (n > 1000000)
    AT (noted_much);
}

APART int
few_cases (int n)
{
  AT (few);
  switch (n)
    {
    case 1:
      AT (few_1);
      return 5;
    case 10:
      AT (few_10);
      note (n);
      /* falls through */
    case 100:
      AT (few_100);
      n++;
      break;
    case 1000:
      AT (few_1000);
      break;
    default:
      AT (few_default);
      if (n < 0)
        AT (few_negative);
    }
  AT (few_end);
  return n;
}

/* Opcodes: 0 ends, 1 adds, 2 jumps back while positive, 3 calls, 4 nothing. */
APART int
interpret (const unsigned char *code)
{
  static void *const ways[] = { &&end, &&add, &&loop, &&call, &&nothing };
  const unsigned char *at = code;
  int left = 5, sum = 0;
  AT (interpret);
  goto *ways[*at++];
add:
  AT (op_add);
  sum++;
  goto *ways[*at++];
loop:
  AT (op_loop);
  if (--left > 0)
    {
      AT (op_loop_back);
      at = code;
    }
  goto *ways[*at++];
call:
  AT (op_call);
  note (sum);
  goto *ways[*at++];
nothing:
  AT (op_nothing);
  goto *ways[*at++];
end:
  AT (op_end);
  return sum;
}

/* Three ways out of an asm. */
APART int
asm_ways (int n)
{
  AT (asm_ways);
  asm goto ("cmpl $1, %0\n\tje %l[one]\n\tcmpl $2, %0\n\tje %l[two]" : : "r"(n) : "cc" : one, two);
  AT (asm_through);
  note (n);
  return 0;
one:
  AT (asm_one);
  return 1;
two:
  AT (asm_two);
  note (n);
  return 2;
}

/* Two ways into a loop. */
APART int
irreducible (int n)
{
  int turns = 0;
  AT (irreducible);
  if (n & 1)
    {
      AT (enter_low);
      goto low;
    }
high:
  AT (high);
  turns++;
  if (n > 90)
    {
      AT (leave_high);
      goto out;
    }
low:
  AT (low);
  n += 7;
  if (n < 200)
    {
      AT (go_round);
      goto high;
    }
out:
  AT (irreducible_out);
  return turns;
}

/* Edges that are critical: from a block with two ways into a block with two. */
APART int
chains (int a, int b, int c)
{
  AT (chains);
  if ((a && b) || (b && c) || (!a && c))
    AT (chain_true);
  else
    AT (chain_false);
  int n = 0;
  while (a < 20 && (b || a != 15))
    {
      AT (chain_loop);
      if (a++ == 7)
        continue;
      n += a;
      if (c && a > 11)
        break;
      AT (chain_loop_end);
    }
  AT (chain_out);
  return n;
}

APART int
nested_loops (int n)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    {
      AT (outer);
      for (int j = 0; j < n; j++)
        {
          AT (inner);
          if (j > i)
            {
              AT (inner_break);
              break;
            }
          if ((i * j) % 7 == 3)
            {
              AT (inner_found);
              found++;
              if (found > 9)
                goto enough;
              continue;
            }
          AT (inner_end);
        }
      AT (outer_end);
    }
  AT (not_enough);
enough:
  AT (enough);
  return found;
}

/* Duff's device: a switch into a loop. */
APART int
duff (int n)
{
  int turns = (n + 3) / 4, sum = 0;
  AT (duff);
  switch (n % 4)
    {
    case 0:
      do
        {
          AT (duff_0);
          sum++;
        case 3:
          AT (duff_3);
          sum++;
        case 2:
          AT (duff_2);
          sum++;
        case 1:
          AT (duff_1);
          sum++;
        }
      while (--turns > 0);
    }
  AT (duff_end);
  return sum;
}

APART long
recursive (int n)
{
  AT (recursive);
  if (n < 2)
    {
      AT (recursive_leaf);
      return n;
    }
  long left = recursive (n - 1);
  AT (recursive_between);
  long right = recursive (n - 2);
  AT (recursive_behind);
  note (n);
  return left + right;
}

/* Loops that the compiler may unroll, turn round, peel or split. */
APART int
counted (const int *from, int n)
{
  int sum = 0;
  for (int i = 0; i < 8; i++)
    {
      AT (eight);
      sum += from[i & 3];
    }
  for (int i = 0; i < n; i++)
    {
      AT (counted);
      if (i < 5)
        AT (counted_few);
      if (from[i & 3] > 2)
        {
          AT (counted_more);
          sum++;
        }
    }
  do
    {
      AT (until);
      sum -= 3;
    }
  while (sum > 0);
  AT (counted_out);
  return sum;
}

/* Plain loops without a place inside: for the vectorizer. */
APART long
vectors (int *a, int n)
{
  long sum = 0;
  AT (vectors);
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 3 + i;
  AT (vectors_between);
  for (int i = 0; i < n; i++)
    sum += a[i];
  AT (vectors_behind);
  return sum;
}

__attribute__ ((__noipa__, noreturn)) static void
leave (int n)
{
  AT (leave);
  exit (n);
}

/* A noreturn call in the middle; what follows it in the code is somebody else's block. */
APART int
checked (int n)
{
  AT (checked);
  if (n > 50)
    {
      AT (checked_leaves);
      leave (7);
    }
  if (n > 40)
    {
      AT (checked_unreachable);
      if (zero)
        __builtin_unreachable ();
    }
  AT (checked_behind);
  return n;
}

/* Unlikely code goes to the cold part of the function. */
APART void
cold_parts (int n)
{
  for (int i = 0; i < n; i++)
    {
      AT (warm);
      if (__builtin_expect (i % 37 == 36, 0))
        {
          AT (cold);
          note (i);
          if (i > 100)
            {
              AT (colder);
              note (i);
            }
          AT (cold_end);
        }
      if (__builtin_expect (zero, 0))
        {
          AT (never);
          abort ();
        }
      AT (warm_end);
    }
}

APART void
everything (void)
{
  static const unsigned char code[] = { 1, 3, 4, 1, 2, 4, 3, 0 };
  static int numbers[100] = { 1, 2, 3, 4 };
  for (int i = -3; i < 1500; i++)
    {
      AT (everything);
      sink = cases (i / 2) + cases (i % 13);
      if (i % 10 == 0)
        {
          AT (everything_tenth);
          sink = few_cases (i);
          note (i);
        }
    }
  for (int i = 0; i < 7; i++)
    {
      AT (everything_seven);
      sink = few_cases (1) + few_cases (i * 10) + interpret (code + (i & 1)) + asm_ways (i % 4)
             + irreducible (i * 11);
      sink = chains (i & 1, i & 2, i & 4) + nested_loops (i * 2) + duff (i + 1);
    }
  AT (everything_behind);
  sink = recursive (9) + counted (numbers, 23) + vectors (numbers, 100) + vectors (numbers, 3);
  cold_parts (150);
}

int
main (int count, char **words)
{
  AT (main);
  everything ();
  for (int i = 45; i < 55; i++)
    {
      AT (main_loop);
      sink = checked (i);
    }
  AT (main_never);
  return 0;
}
