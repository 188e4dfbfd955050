/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the cost in a tight loop, without and with each kind of instrumentation as compiled
   code has it.  In such a loop hardly any of the cost overlaps with other work.  In other code
   it is less, so predictions tend to be too high. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/score/cost.h"

enum { ROUNDS = 200000, TRIES = 7, WORDS = 64, SLOTS = 64 };

static uint64_t words[WORDS], counters[3];
static struct {
  uintptr_t from, to;
  uint64_t count;
} arcs[SLOTS];
static _Thread_local uint64_t known_thread = 1;

/* Makes the compiler reload values from memory. */
static inline void
barrier (void)
{
  __asm__ volatile("" : : : "memory");
}

/* The loop; WITH is executed three times in each iteration. */
#define LOOP(NAME, WITH)                  \
  static uint64_t NAME (void)             \
  {                                       \
    uint64_t sum = 0;                     \
    for (uint64_t i = 0; i < ROUNDS; i++) \
      {                                   \
        WITH (0);                         \
        sum += words[i % WORDS];          \
        WITH (1);                         \
        sum ^= i;                         \
        WITH (2);                         \
      }                                   \
    return sum;                           \
  }
enum { TIMES = 3 };

/* Looks up an arc as mcount does. */
static __attribute__ ((noinline)) void
hook (uintptr_t from, uintptr_t to)
{
  size_t slot = (from * 31 ^ to) * UINT64_C (0x9e3779b97f4a7c15) >> 58;
  if (arcs[slot].from == from && arcs[slot].to == to)
    arcs[slot].count++;
  else
    {
      arcs[slot].from = from;
      arcs[slot].to = to;
    }
}

static inline void
count_nothing (size_t n)
{
  (void) n;
  barrier ();
}

static inline void
count_block (size_t n)
{
  barrier ();
  counters[n]++;
  barrier ();
}

static inline void
count_call (size_t n)
{
  barrier ();
  hook (n, (uintptr_t) counters);
}

static inline void
ask_thread (size_t n)
{
  barrier ();
  if (known_thread == 0)
    hook (n, 0);
}

LOOP (plain_loop, count_nothing)
LOOP (block_loop, count_block)
LOOP (call_loop, count_call)
LOOP (entry_loop, ask_thread)

static double
nanoseconds (uint64_t (*loop) (void))
{
  struct timespec before, after;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &before);
  loop ();
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &after);
  return 1e9 * (double) (after.tv_sec - before.tv_sec) + (double) (after.tv_nsec - before.tv_nsec);
}

struct cost
cost_measure (void)
{
  uint64_t (*const loops[]) (void) = { plain_loop, block_loop, call_loop, entry_loop };
  enum { LOOPS = sizeof loops / sizeof *loops };
  double best[LOOPS];
  for (int i = 0; i < LOOPS; i++)
    best[i] = INFINITY;
  for (int try = 0; try < TRIES; try++)
    for (int i = 0; i < LOOPS; i++)
      best[i] = fmin (best[i], nanoseconds (loops[i]));
  for (int i = 1; i < LOOPS; i++)
    best[i] = fmax (0, (best[i] - best[0]) / (ROUNDS * TIMES));
  return (struct cost) { .counter = best[1], .call = best[2], .entry = best[3] };
}

/* Parses the number behind KIND and a colon, if TEXT begins with these; moves TEXT behind it. */
static bool
parse_kind (const char **text, const char *kind, double *value)
{
  size_t length = strlen (kind);
  if (strncmp (*text, kind, length) != 0 || (*text)[length] != ':')
    return false;
  char *end;
  double number = strtod (*text + length + 1, &end);
  if (end == *text + length + 1 || !(number >= 0) || isinf (number))
    return false;
  *value = number;
  *text = end;
  return true;
}

bool
cost_parse (struct cost *c, const char *text)
{
  for (;; text++)
    {
      if (!parse_kind (&text, "counter", &c->counter) && !parse_kind (&text, "call", &c->call)
          && !parse_kind (&text, "entry", &c->entry))
        return false;
      if (*text == '\0')
        return true;
      if (*text != ',')
        return false;
    }
}
