/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collect/streams/bytes.h"

bool
bytes_reserve (struct bytes *b, size_t n)
{
  if (n <= b->room - b->size)
    return true;
  size_t room = b->room + b->room / 2 + n;
  unsigned char *data = realloc (b->data, room);
  if (!data)
    return false;
  b->data = data;
  b->room = room;
  return true;
}

void
bytes_free (struct bytes *b)
{
  free (b->data);
  *b = (struct bytes) { .data = NULL };
}
