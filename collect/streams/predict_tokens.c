/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect/streams/predict_tokens.h"

#define HASH(value, bits) ((value) *0x9e3779b97f4a7c15 >> (64 - (bits)))

/* Depths are 1 to 65535; 0: the token has none. */
enum { DEPTHS = 65535, DEPTH_SHIFT = 48, FINDER = 17, STEP = 10 };
#define ADDRESS ((1UL << DEPTH_SHIFT) - 1)

void
tokens_begin (struct tokens_model *m)
{
  m->history = 0;
  m->run = (struct run) { .right = 0 };
  m->depth = 1;
  m->known = 0;
  m->values[0] = 0;
  memset (m->next, 0, sizeof m->next);
  memset (m->finder, 0, sizeof m->finder);
}

/* Replaces the depth by its difference to the last one, plus 1. */
static uint64_t
relative (struct tokens_model *m, uint64_t token)
{
  uint64_t depth = token >> DEPTH_SHIFT;
  if (depth == 0)
    return token;
  uint64_t difference = (depth + DEPTHS - m->depth) % DEPTHS;
  m->depth = depth;
  return (token & ADDRESS) | (difference + 1) << DEPTH_SHIFT;
}

static uint64_t
absolute (struct tokens_model *m, uint64_t value)
{
  uint64_t difference = value >> DEPTH_SHIFT;
  if (difference == 0)
    return value;
  m->depth = (m->depth - 1 + difference - 1) % DEPTHS + 1;
  return (value & ADDRESS) | m->depth << DEPTH_SHIFT;
}

static uint16_t *
context (struct tokens_model *m)
{
  return &m->next[HASH (m->history, TOKENS_CONTEXTS)];
}

static void
pass (struct tokens_model *m, uint32_t number)
{
  m->history = m->history << STEP ^ number;
}

/* Gives VALUE the next number.  0: all numbers are used. */
static uint32_t
make_known (struct tokens_model *m, uint64_t value)
{
  if (m->known == TOKENS_KNOWN)
    return 0;
  m->values[++m->known] = value;
  return m->known;
}

/* Writes the number of VALUE into the list of numbers.  If VALUE has none yet, writes 0 and puts
   VALUE into the list of new ones. */
static uint32_t
write_number (struct tokens_model *m, uint64_t value, struct bytes *lists)
{
  size_t place = HASH (value, FINDER);
  while (m->finder[place] && m->values[m->finder[place]] != value)
    place = (place + 1) % (1 << FINDER);
  bytes_put_number (&lists[TOKENS_NUMBERS], m->finder[place]);
  if (!m->finder[place])
    {
      bytes_put (&lists[TOKENS_NEW], &value, sizeof value);
      uint32_t number = make_known (m, value);
      m->finder[place] = (uint16_t) number;
      return number;
    }
  return m->finder[place];
}

void
tokens_write (struct tokens_model *m, const uint64_t *tokens, size_t n, struct bytes *lists)
{
  for (size_t i = 0; i < n; i++)
    {
      uint64_t value = relative (m, tokens[i]);
      uint16_t *next = context (m);
      bool right = *next && m->values[*next] == value;
      run_write (&m->run, &lists[TOKENS_RUNS], right);
      if (!right)
        *next = (uint16_t) write_number (m, value, lists);
      pass (m, *next);
    }
}

void
tokens_end (struct tokens_model *m, struct bytes *lists)
{
  run_end (&m->run, &lists[TOKENS_RUNS]);
}

/* Reads the value that was not predicted, and its number. */
static bool
read_number (struct tokens_model *m, uint16_t *next, struct reading *lists, uint64_t *value)
{
  uint64_t number;
  if (!reading_number (&lists[TOKENS_NUMBERS], &number) || number > m->known)
    return false;
  if (number > 0)
    *value = m->values[number];
  else if (reading_take (&lists[TOKENS_NEW], value, sizeof *value))
    number = make_known (m, *value);
  else
    return false;
  *next = (uint16_t) number;
  return true;
}

bool
tokens_read (struct tokens_model *m, uint64_t *tokens, size_t n, struct reading *lists)
{
  for (size_t i = 0; i < n; i++)
    {
      uint16_t *next = context (m);
      uint64_t value = m->values[*next];
      bool right;
      if (!run_read (&m->run, &lists[TOKENS_RUNS], &right)
          || (!right && !read_number (m, next, lists, &value)))
        return false;
      tokens[i] = absolute (m, value);
      pass (m, *next);
    }
  return true;
}
