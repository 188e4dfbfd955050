// SPDX-License-Identifier: GPL-3.0-or-later
/* Calls the functions of trace points and of the historic mode 2 with every register filled, and
   says which bytes of the registers they have changed.  The calls fill words of bits, look up
   return addresses and register units, by system calls and functions of libc.  registers-<cpu>.S
   fills and stores the registers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* See registers-<cpu>.S. */
extern const unsigned long state_bytes, state_arguments; /* place of the first two arguments */
extern const unsigned char state_mask[]; /* of each byte: the bits that the test fills */
void state_begin (unsigned char *state); /* what cannot have any value */
extern struct pass {
  void (*call) (const unsigned char *before, unsigned char *after);
  const char *name;
} passes[];

/* The unit of the historic functions, by their tables. */
static long counts[1];
static struct table {
  long zero;
  const char *file;
  long *counts;
  long n;
  void *next, *addresses;
  long words;
  void *functions, *lines, *files, *flags;
} tables[20];

extern __thread struct here {
  unsigned long block;
  struct table *table;
  unsigned long bits, mode;
} __bb;
static char choice; /* of the function that __bb_enter_func is told of */

enum { TIMES = 300, TABLES = sizeof tables / sizeof *tables, MOST = 4096 };
static unsigned char before[MOST] __attribute__ ((aligned (64)));
static unsigned char after[MOST] __attribute__ ((aligned (64)));

static void
fill (void)
{
  for (unsigned long i = 0; i < state_bytes; i++)
    before[i] = (unsigned char) rand () & state_mask[i];
  state_begin (before);
}

static int
differ (const char *name)
{
  for (unsigned long i = 0; i < state_bytes; i++)
    if (state_mask[i] && before[i] != after[i])
      {
        printf ("%s changes byte %lu of the state\n", name, i);
        return 1;
      }
  return 0;
}

/* A new unit registers itself, which calls functions of libc. */
static void
pass_new_unit (int i)
{
  unsigned long *arguments = (unsigned long *) (before + state_arguments);
  tables[i] = (struct table) { 0, "file.d", counts, 1, 0, 0, sizeof *tables, 0, 0, 0, 0 };
  arguments[0] = (unsigned long) &tables[i];
  arguments[1] = 0;
}

int
main (void)
{
  if (state_bytes > MOST || !(__bb.mode & 1))
    return 2;
  int wrong = 0;
  for (const struct pass *pass = passes; pass->call; pass++)
    for (int i = 0; i < (strstr (pass->name, "init") ? TABLES : TIMES) && !wrong; i++)
      {
        if (i % 10 == 0)
          fill ();
        if (strstr (pass->name, "init"))
          pass_new_unit (i);
        __bb.block = strstr (pass->name, "enter") ? (unsigned long) &choice : 0;
        __bb.table = tables;
        pass->call (before, after);
        wrong |= differ (pass->name);
      }
  if (!wrong && counts[0] != TIMES)
    printf ("the block was counted %ld times\n", counts[0]);
  return wrong || counts[0] != TIMES;
}
