/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build ids: which build of a program or library a file is. */
#ifndef BBPROF_BUILD_ID_H
#define BBPROF_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct build_id {
  unsigned char bytes[64];
  size_t size; /* 0: the linker wrote none */
};

/* Cuts a longer id, as the run-time library does. */
static inline void
build_id_set (struct build_id *id, const void *bytes, size_t size)
{
  id->size = size < sizeof id->bytes ? size : sizeof id->bytes;
  memcpy (id->bytes, bytes, id->size);
}

static inline bool
build_id_equal (const struct build_id *a, const struct build_id *b)
{
  return a->size == b->size && memcmp (a->bytes, b->bytes, a->size) == 0;
}

enum { BUILD_ID_SHORT = 12 }; /* digits of an id in a message to users, which tell builds apart */

/* In hexadecimal, as readelf prints it. */
#define BUILD_ID_TEXT (2 * sizeof ((struct build_id *) 0)->bytes + 1)
static inline const char *
build_id_text (const struct build_id *id, char text[BUILD_ID_TEXT])
{
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < id->size; i++)
    {
      text[2 * i] = digits[id->bytes[i] >> 4];
      text[2 * i + 1] = digits[id->bytes[i] & 15];
    }
  text[2 * id->size] = '\0';
  return text;
}

#endif
