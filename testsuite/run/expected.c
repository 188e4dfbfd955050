/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The historic machine (__bb_init_trace_func, __bb_trace_func, __bb_trace_ret), to which points.h
   reports what a program does, with the depth put right after jumps; and a unit for the run-time
   library to register.  EXPECT in the environment: letters h (hidecall), s (showret), then words:
   +N the function with first block N opens, -N is hidden.  Written to the file expected at exit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"

enum { BLOCKS = 64, DEPTH = 10000 };

static int hidecall, showret, choosing;
static unsigned char opens[BLOCKS], hides[BLOCKS];
static unsigned long counts[BLOCKS][BLOCKS];

static __thread struct {
  uintptr_t sp;
  int source, hidden;
} stack[DEPTH];
static __thread int depth, source;

static void
count (int from, int to)
{
  __atomic_add_fetch (&counts[from][to], 1, __ATOMIC_RELAXED);
}

/* The thread's last function has ended, but in a window that is always open. */
static int
is_off (void)
{
  return choosing && !depth;
}

void
expect_call (int first, uintptr_t sp)
{
  if (is_off () && !opens[first])
    return;
  if (choosing && !depth)
    source = 0;
  depth++;
  stack[depth].sp = sp;
  stack[depth].source = source;
  stack[depth].hidden = hides[first];
  if (hidecall)
    source = 0;
}

void
expect_block (int block)
{
  if (is_off () || stack[depth].hidden)
    return;
  count (source, block);
  source = block;
}

void
expect_return (void)
{
  if (!depth)
    return;
  if (showret && !stack[depth].hidden)
    count (source, stack[depth].source);
  if (showret || hidecall)
    source = stack[depth].source;
  depth--;
}

/* Functions deeper than SP have been left by a jump. */
void
expect_landing (uintptr_t sp)
{
  while (depth && stack[depth].sp < sp)
    depth--;
}

/* A handler begins from outside. */
int
expect_interrupt (void)
{
  int before = source;
  source = 0;
  return before;
}

void
expect_resume (int before)
{
  source = before;
}

void
expect_zero (void)
{
  memset (counts, 0, sizeof counts);
}

static void
write_down (void)
{
  FILE *file = fopen ("expected", "w");
  for (int from = 0; from < BLOCKS; from++)
    for (int to = 0; to < BLOCKS; to++)
      if (counts[from][to])
        fprintf (file, "%d %d %lu\n", from, to, counts[from][to]);
  fclose (file);
}

static void __attribute__ ((constructor))
read_words (void)
{
  const char *words = getenv ("EXPECT");
  for (const char *p = words ? words : ""; *p; p++)
    {
      hidecall |= *p == 'h';
      showret |= *p == 's';
      choosing |= *p == '+';
      if (*p == '+')
        opens[atoi (p + 1)] = 1;
      if (*p == '-')
        hides[atoi (p + 1)] = 1;
    }
  atexit (write_down);
}

__asm__ (".text\n.globl code\n.type code, @object\ncode: .fill 1024, 1, 0x90\n.size code, 1024\n");

extern long __start_bbprof_counts[], __stop_bbprof_counts[];
extern const char __start_bbprof_names[], __stop_bbprof_names[];
extern void __bb_init_func (struct bb *);
static long counters[1] __attribute__ ((section (BBP_SECTION_COUNTS)));
static struct bb unit;

static void __attribute__ ((constructor (101)))
register_unit (void)
{
  unit = (struct bb) {
    .filename = "expected.c",
    .counts = counters,
    .ncounts = 1,
    .nwords = sizeof unit,
    .magic = BBP_ABI_MAGIC,
    .update = BBP_UPDATE_THREAD,
    .counts_start = __start_bbprof_counts,
    .counts_stop = __stop_bbprof_counts,
    .names_start = __start_bbprof_names,
    .names_stop = __stop_bbprof_names,
  };
  __bb_init_func (&unit);
}
