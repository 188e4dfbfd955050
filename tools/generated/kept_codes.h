/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generated code in which samples were taken.  Of all the code that the process described, only
   that is kept which ever covered an address of the stacks, so memory depends on the samples. */
#ifndef BBPROF_KEPT_CODES_H
#define BBPROF_KEPT_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/generated/code.h"
#include "collect/streams/chunks.h"

struct kept_code {
  uint64_t start, size,
      time; /* as in struct generated_code; the time counts from the run's start */
  uint64_t from;
  char *name;                   /* of moved code null, until its origin is known */
  struct generated_line *lines; /* each file is in FILES */
  size_t nlines;
  char *files;
  const struct kept_code *origin; /* of moved code; null: not known, or it did not move */
  unsigned char *bytes;           /* SIZE instructions' bytes; null: not known */
  bool several;                   /* the file has different bytes for it */
  uint64_t place;                 /* its link-time address in the image */
  uint64_t used; /* so many bytes has the image: all, or those up to the last sample */
};

/* CODE covered the address ADDRESS since TIME; both are indexes. */
struct covering {
  uint32_t address, code;
  uint64_t time;
};

struct kept_codes {
  uint64_t *addresses; /* of the stacks, ascending, each once */
  size_t naddresses, room_addresses;
  struct kept_code *codes;
  size_t n, room;
  struct covering *coverings; /* by address, then time */
  size_t ncoverings, room_coverings;
};

/* Adds an address of a stack.  False: out of memory. */
bool kept_codes_want (struct kept_codes *, uint64_t address);

/* After the last address: reads the code from the file of times, up to its end or damage.  False:
   out of memory. */
bool kept_codes_read (struct kept_codes *, const char *times_name);

/* The code at ADDRESS at TIME: the last one that was there by then, else the first one; null: none.
   *SEVERAL: at another time there was other code. */
struct kept_code *kept_codes_at (const struct kept_codes *, uint64_t address, uint64_t time,
                                 bool *several);
/* The bytes of CODE up to the last address of the stacks in it. */
uint64_t kept_codes_sampled (const struct kept_codes *, const struct kept_code *);
void kept_codes_free (struct kept_codes *);

#endif
