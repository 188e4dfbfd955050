/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

bool
array_grow (void *data, size_t count, size_t *room, size_t size)
{
  void **array = data;
  if (count < *room)
    return true;
  size_t more = *room ? *room * 2 : 16;
  if (more > SIZE_MAX / size)
    return false;
  void *p = realloc (*array, more * size);
  if (!p)
    return false;
  *array = p;
  *room = more;
  return true;
}

/* What is small is sorted without asking for memory. */
enum { SMALL = 1024 };

struct sorting {
  size_t size;
  int (*compare) (const void *, const void *, void *);
  void *context;
  char *spare; /* room for half of the elements */
};

/* The most frequent sizes need no call. */
static void
copy_one (char *to, const char *from, size_t size)
{
  if (size == sizeof (uint32_t))
    memcpy (to, from, sizeof (uint32_t));
  else if (size == sizeof (uint64_t))
    memcpy (to, from, sizeof (uint64_t));
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

  /* The left half moves out of the way; then the smaller of both heads goes to the front, the left one if equal. */
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
array_sort (void *data, size_t count, size_t size, int (*compare) (const void *, const void *, void *),
            void *context)
{
  char small[SMALL];
  if (count < 2)
    return true;
  bool is_small = count / 2 <= sizeof small / size;
  struct sorting s
      = { .size = size, .compare = compare, .context = context, .spare = is_small ? small : malloc (count / 2 * size) };
  if (!s.spare)
    return false;
  sort_part (&s, data, count);
  if (!is_small)
    free (s.spare);
  return true;
}
