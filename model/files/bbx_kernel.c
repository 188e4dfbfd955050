/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the kernel's functions, by their numbers. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/files/bbx_stacks.h"

uint64_t
bbx_kernel_number (const char *name)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (; *name; name++)
    hash = (hash ^ (unsigned char) *name) * 0x100000001b3;
  return hash >> 8;
}

static size_t
place_of (const struct bbx_kernel_function *list, size_t n, uint64_t number)
{
  return ARRAY_BEFORE (i, n, list[i].number < number);
}

const char *
bbx_kernel_name (const struct bbx_kernel_function *list, size_t n, uint64_t number)
{
  const size_t i = place_of (list, n, number);
  return i < n && list[i].number == number ? list[i].name : NULL;
}

bool
bbx_kernel_add (struct bbx_kernel_function **list, size_t *n, size_t *room, const char *name)
{
  const uint64_t number = bbx_kernel_number (name);
  if (bbx_kernel_name (*list, *n, number))
    return true;
  const struct bbx_kernel_function new = { number, strdup (name) };
  if (!new.name || !array_grow (list, *n, room, sizeof **list))
    {
      free (new.name);
      return false;
    }
  const size_t i = place_of (*list, *n, number);
  memmove (*list + i + 1, *list + i, (*n - i) * sizeof **list);
  (*list)[i] = new;
  ++*n;
  return true;
}

void
bbx_kernel_free (struct bbx_kernel_function *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    free (list[i].name);
  free (list);
}
