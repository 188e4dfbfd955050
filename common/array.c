/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/array.h"

/* From this size on, an array gets large pages where there are some: it is read in any order, and
   misses of the processor's table of pages took a tenth of the time of large reports. */
#define LARGE ((size_t) 4 << 20)

/* Before the memory is used for the first time. */
static void *
with_large_pages (void *data, size_t bytes)
{
  const uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE), first = (uintptr_t) data;
  if (data && bytes >= LARGE)
    madvise ((void *) (first & -page), bytes + first % page, MADV_HUGEPAGE);
  return data;
}

void *
array_new (size_t count, size_t size)
{
  return with_large_pages (malloc (count * size), count * size);
}

void *
array_zeros (size_t count, size_t size)
{
  return with_large_pages (calloc (count, size), count * size);
}

bool
array_grow (void *data, size_t count, size_t *room, size_t size)
{
  void **array = data;
  if (count < *room)
    return true;
  size_t more = *room ? *room * 2 : 16;
  if (more > SIZE_MAX / size)
    return false;
  void *p = with_large_pages (realloc (*array, more * size), more * size);
  if (!p)
    return false;
  *array = p;
  *room = more;
  return true;
}

/* Elements up to this size are sorted without allocating memory. */
enum { SMALL = 1024 };

struct sorting {
  size_t size;
  int (*compare) (const void *, const void *, void *);
  void *context;
  char *spare; /* room for half of the elements */
};

/* Copies one element; frequent sizes without a call. */
static void
copy_one (char *to, const char *from, size_t size)
{
  if (size == sizeof (uint32_t))
    memcpy (to, from, sizeof (uint32_t));
  else if (size == sizeof (uint64_t))
    memcpy (to, from, sizeof (uint64_t));
  else if (size == 3 * sizeof (uint64_t))
    memcpy (to, from, 3 * sizeof (uint64_t));
  else if (size == 4 * sizeof (uint64_t))
    memcpy (to, from, 4 * sizeof (uint64_t));
  else
    memcpy (to, from, size);
}

static void
sort_part (const struct sorting *s, char *data, size_t count)
{
  if (count < 2)
    return;
  size_t half = count / 2;
  size_t size = s->size;
  char *right = data + half * size;
  char *end = data + count * size;
  sort_part (s, data, half);
  sort_part (s, right, count - half);

  /* Moves the left half away, then takes the smaller of both heads, the left one if they are
     equal. */
  memcpy (s->spare, data, half * size);
  char *left = s->spare;
  char *left_end = left + half * size;
  char *to = data;
  while (left < left_end && right < end)
    {
      bool take_left = s->compare (left, right, s->context) <= 0;
      copy_one (to, take_left ? left : right, size);
      *(take_left ? &left : &right) += size;
      to += size;
    }
  memcpy (to, left, (size_t) (left_end - left));
}

bool
array_sort (void *data, size_t count, size_t size,
            int (*compare) (const void *, const void *, void *), void *context)
{
  char small[SMALL];
  if (count < 2)
    return true;
  bool is_small = count / 2 <= sizeof small / size;
  struct sorting s = { .size = size,
                       .compare = compare,
                       .context = context,
                       .spare = is_small ? small : malloc (count / 2 * size) };
  if (!s.spare)
    return false;
  sort_part (&s, data, count);
  if (!is_small)
    free (s.spare);
  return true;
}

static uint64_t
number_at (const char *p)
{
  uint64_t n;
  memcpy (&n, p, sizeof n);
  return n;
}

/* A pass for each digit; the heads of so many stretches fit the cache. */
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct numbers {
  size_t count, size, offset;
};

/* Copies the elements in the order of the digit at SHIFT.  SIZE: n->size, so that frequent sizes
   are constants. */
static inline __attribute__ ((always_inline)) void
sort_sized (const struct numbers *n, const char *from, char *to, int shift, size_t size)
{
  size_t place[DIGITS + 1] = { 0 };
  for (size_t i = 0; i < n->count; i++)
    place[(number_at (from + i * size + n->offset) >> shift) % DIGITS + 1]++;
  for (int d = 1; d < DIGITS; d++)
    place[d] += place[d - 1];
  for (size_t i = 0; i < n->count; i++)
    {
      const char *one = from + i * size;
      memcpy (to + place[(number_at (one + n->offset) >> shift) % DIGITS]++ * size, one, size);
    }
}

static void
sort_by_digit (const struct numbers *n, const char *from, char *to, int shift)
{
  switch (n->size)
    {
    case 2 * sizeof (uint64_t): sort_sized (n, from, to, shift, 2 * sizeof (uint64_t)); break;
    case 3 * sizeof (uint64_t): sort_sized (n, from, to, shift, 3 * sizeof (uint64_t)); break;
    case 4 * sizeof (uint64_t): sort_sized (n, from, to, shift, 4 * sizeof (uint64_t)); break;
    default: sort_sized (n, from, to, shift, n->size);
    }
}

static int
compare_numbers (const void *a, const void *b, void *context)
{
  const size_t *offset = context;
  uint64_t x = number_at ((const char *) a + *offset), y = number_at ((const char *) b + *offset);
  return x < y ? -1 : x > y;
}

bool
array_sort_by_number (void *data, size_t count, size_t size, size_t offset)
{
  if (count < DIGITS)
    return array_sort (data, count, size, compare_numbers, &offset);
  struct numbers n = { .count = count, .size = size, .offset = offset };
  const char *numbers = (const char *) data + offset;
  uint64_t differ = 0; /* bits in which the numbers differ */
  bool in_order = true;
  for (size_t i = 1; i < count; i++)
    {
      uint64_t before = number_at (numbers + (i - 1) * size), this = number_at (numbers + i * size);
      differ |= before ^ this;
      in_order &= before <= this;
    }
  char *spare = in_order ? NULL : array_new (count, size);
  if (!spare)
    return in_order;
  char *from = data, *to = spare;
  for (int shift = 0; shift < 64 && differ >> shift != 0; shift += DIGIT_BITS)
    {
      shift += __builtin_ctzll (differ >> shift);
      sort_by_digit (&n, from, to, shift);
      char *sorted = to;
      to = from;
      from = sorted;
    }
  if (from != data)
    memcpy (data, from, count * size);
  free (spare);
  return true;
}
