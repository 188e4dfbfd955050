/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect/streams/predict_bits.h"

/* A context's state.  0: not seen yet; 1 to 4: predicts 0, 1 is the most certain; 5 to 8:
   predicts 1, 8 is the most certain. */
enum { STATES = 9, CERTAIN = 4 };
static const unsigned char after[2][STATES]
    = { { 4, 1, 1, 2, 3, 4, 5, 6, 7 }, { 5, 2, 3, 4, 5, 6, 7, 8, 8 } };
static const unsigned char degree[STATES] = { 0, 4, 3, 2, 1, 1, 2, 3, 4 };

void
bits_begin (struct bits_model *m)
{
  memset (m, 0, sizeof *m);
}

static unsigned char *
state_now (struct bits_model *m, uint64_t history)
{
  return m->states + ((history << (64 - BITS_HISTORY)) * 0x9e3779b97f4a7c15 >> (64 - BITS_TABLE));
}

static bool
likely (unsigned state)
{
  return state > 4;
}

/* The state that changes nothing: BIT follows, as is most certain. */
static unsigned
certain_of (unsigned bit)
{
  return bit ? STATES - 1 : 1;
}

/* Writes a bit that is not certain.  CERTAIN: the number of bits before it that were. */
static void
write_bit (struct bits_model *m, unsigned char *state, unsigned bit, size_t *certain,
           struct bytes *lists)
{
  unsigned d = degree[*state];
  if (d == CERTAIN)
    {
      run_write_right (&m->runs[d], &lists[d], *certain);
      *certain = 0;
    }
  run_write (&m->runs[d], &lists[d], bit == likely (*state));
  *state = after[bit][*state];
}

/* Most bits are certain, so they are counted before they go to their list. */
void
bits_write (struct bits_model *m, const uint64_t *words, size_t n, struct bytes *lists)
{
  uint64_t history = m->history;
  size_t certain = 0;
  for (size_t left = n; left > 0; words++)
    {
      uint64_t word = *words;
      size_t bits = left < 64 ? left : 64;
      left -= bits;
      for (; bits > 0; bits--, word <<= 1)
        {
          unsigned bit = word >> 63;
          unsigned char *state = state_now (m, history);
          history = history << 1 | bit;
          if (*state == certain_of (bit))
            certain++;
          else
            write_bit (m, state, bit, &certain, lists);
        }
    }
  run_write_right (&m->runs[CERTAIN], &lists[CERTAIN], certain);
  m->history = history;
}

void
bits_end (struct bits_model *m, struct bytes *lists)
{
  for (unsigned d = 0; d < BITS_DEGREES; d++)
    run_end (&m->runs[d], &lists[d]);
}

bool
bits_read (struct bits_model *m, uint64_t *words, size_t n, struct reading *lists)
{
  uint64_t history = m->history;
  for (size_t i = 0; i < n; i++)
    {
      unsigned char *state = state_now (m, history);
      unsigned d = degree[*state];
      bool right;
      if (!run_read (&m->runs[d], &lists[d], &right))
        return false;
      unsigned bit = likely (*state) == right;
      *state = after[bit][*state];
      history = history << 1 | bit;
      if (i % 64 == 63)
        words[i / 64] = history;
    }
  if (n % 64)
    words[n / 64] = history << (64 - n % 64);
  m->history = history;
  return true;
}
