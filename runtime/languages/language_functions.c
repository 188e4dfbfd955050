/* SPDX-License-Identifier: MIT */
/* All functions of languages that have been sampled: a table of words, open addressing, never
   rehashed.  A function's number is the number of its slot, from 1.  Context: cold, lock held,
   unless a function says otherwise. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/languages/languages.h"

enum { SLOTS = 1 << 17, MOST = SLOTS / 4 * 3, LANGUAGE_SHIFT = 56, NUMBER_SHIFT = 32 };
#define UNKNOWN ((1UL << LANGUAGE_SHIFT) - 1) /* stands for functions that are not in the table */

static uint64_t *slots; /* the language's number, and the function's; 0: free; atomic */
static uint32_t used;   /* atomic */

/* The number of the slot of WORD, which is entered if it is new; 0: the table is full.  Signal. */
static uint32_t
number_of (uint64_t word)
{
  for (uint32_t i = (uint32_t) (word * 0x9e3779b97f4a7c15 >> 40) % SLOTS;; i = (i + 1) % SLOTS)
    {
      uint64_t seen = __atomic_load_n (&slots[i], __ATOMIC_RELAXED);
      if (!seen && __atomic_load_n (&used, __ATOMIC_RELAXED) >= MOST)
        return 0;
      if (!seen
          && __atomic_compare_exchange_n (&slots[i], &seen, word, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
        {
          __atomic_fetch_add (&used, 1, __ATOMIC_RELAXED);
          return i + 1;
        }
      if (seen == word)
        return i + 1;
    }
}

static uint64_t
word_of (const struct bbp_language *language, unsigned long function)
{
  return (uint64_t) (language - bbp_languages + 1) << LANGUAGE_SHIFT | function;
}

bool
bbp_functions_start (const struct bbp_language *language)
{
  if (!slots)
    slots = bbp_pages_map (SLOTS * sizeof *slots);
  return slots
         && number_of (word_of (language, UNKNOWN)); /* has a slot even if the table is full */
}

/* Signal. */
uintptr_t
bbp_function_key (struct bbp_language *language, unsigned long function, unsigned position)
{
  bool possible = function < UNKNOWN;
  uint32_t number = possible ? number_of (word_of (language, function)) : 0;
  if (number)
    return (uintptr_t) number << NUMBER_SHIFT | position;
  __atomic_fetch_add (possible ? &language->facts.unlisted : &language->facts.unknown, 1,
                      __ATOMIC_RELAXED);
  return (uintptr_t) number_of (word_of (language, UNKNOWN)) << NUMBER_SHIFT;
}

/* The facts of the function in slot NUMBER, which may be that of no function.  False: the
   interpreter does not know it. */
static bool
describe (uint32_t number, unsigned position, struct bbprof_function *function)
{
  uint64_t word = slots[number - 1];
  unsigned long own = word & UNKNOWN;
  *function = (struct bbprof_function) { .name = own == BBP_FUNCTION_COLLECTS
                                                     ? BBX_FUNCTION_COLLECTS
                                                     : BBX_FUNCTION_UNKNOWN };
  if (own == BBP_FUNCTION_COLLECTS || own == UNKNOWN)
    return true;
  struct bbprof_function found = { 0 };
  if (!bbp_languages[(word >> LANGUAGE_SHIFT) - 1].provider->describe (own, position, &found)
      || !found.name || !*found.name)
    return false;
  *function = found;
  return true;
}

uint64_t
bbp_function_address (uintptr_t key)
{
  uint32_t number = (uint32_t) (key >> NUMBER_SHIFT);
  struct bbprof_function function;
  if (!slots || !number || number > SLOTS || !slots[number - 1])
    return BBX_LANGUAGE_ADDRESS (number, 0);
  describe (number, (unsigned) key, &function);
  return BBX_LANGUAGE_ADDRESS (number, function.line);
}

/* False: the interpreter does not know it. */
static bool
write_function (struct bbp_out *out, uint32_t number)
{
  struct bbprof_function function;
  bool known = describe (number, 0, &function);
  const char *file = function.file ? function.file : "";
  const struct bbx_function head = { .number = number,
                                     .language = (uint32_t) (slots[number - 1] >> LANGUAGE_SHIFT),
                                     .line = function.first_line };
  const struct bbp_part parts[BBP_PARTS] = { { &head, sizeof head },
                                             { function.name, bbp_string_bytes (function.name) },
                                             { file, bbp_string_bytes (file) } };
  bbp_bbx_chunk (out, BBX_TYPE_FUNCTION, parts);
  return known;
}

uint64_t
bbp_functions_write (struct bbp_out *out, const struct bbp_language *language)
{
  uint64_t unknown = 0;
  for (uint32_t i = 0; i < SLOTS; i++)
    if (slots[i] >> LANGUAGE_SHIFT == (uint64_t) (language - bbp_languages + 1))
      unknown += !write_function (out, i + 1);
  return unknown;
}
