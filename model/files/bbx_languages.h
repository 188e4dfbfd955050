/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The languages of a sidecar's stacks, and their functions. */
#ifndef BBPROF_BBX_LANGUAGES_H
#define BBPROF_BBX_LANGUAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/bbprof-file.h"

struct bbx_spoken {
  uint32_t number;   /* as in the frames; in a sum of its own */
  uint32_t language; /* from 1 */
  uint32_t line;     /* the first one; 0: unknown */
  char *name, *file; /* file is in the same memory; "": unknown */
};

struct bbx_languages {
  struct bbx_language *list; /* each name is terminated, and padded with zeros */
  size_t n, room;
  struct bbx_spoken *functions; /* after bbx_languages_finish by number, each once */
  size_t nfunctions, room_functions;
};

/* Add the content of a chunk; as in bbx_stacks.h. */
const char *bbx_languages_add (struct bbx_languages *, const char *content, size_t size);
const char *bbx_languages_add_function (struct bbx_languages *, const char *content, size_t size);

/* After the last chunk.  False: out of memory. */
bool bbx_languages_finish (struct bbx_languages *);

/* The function with this number, or null; its language is in the list. */
const struct bbx_spoken *bbx_languages_find (const struct bbx_languages *, uint32_t number);

void bbx_languages_free (struct bbx_languages *);

/* Milliseconds from a sample to its frames; 0: there are no late ones. */
static inline double
bbx_language_mean_delay (const struct bbx_language *l)
{
  return l->late > 0 ? (double) l->delays / (double) l->late / 1e6 : 0;
}

static inline uint32_t
bbx_language_number (uint64_t address)
{
  return (uint32_t) (address >> 32);
}

static inline uint32_t
bbx_language_line (uint64_t address)
{
  return (uint32_t) address;
}

#endif
