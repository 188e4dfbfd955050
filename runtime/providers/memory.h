/* SPDX-License-Identifier: MIT */
/* Shared by providers: reads of memory that may not be there, and memory for what they keep.
   Context: signal. */
#ifndef BBP_PROVIDER_MEMORY_H
#define BBP_PROVIDER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pages that are known to be readable, for the time of one sample. */
enum { PROVIDER_PAGES = 64 };
struct provider_pages {
  uintptr_t known[PROVIDER_PAGES]; /* each in the slot of its number; 0: none */
};

/* Copies N bytes at ADDRESS to TO.  False: not all are readable. */
bool provider_read (struct provider_pages *, const void *address, void *to, size_t n);

/* Memory for good, from one area of PROVIDER_AREA bytes. */
enum { PROVIDER_AREA = 32 << 20 };
bool provider_area_make (void); /* cold, once; false: no memory */
void *provider_keep (size_t n); /* zeros, at a multiple of 16; null: the area is full */
/* Memory as a number, which is below 2^32; and the reverse, null if it is none. */
unsigned long provider_number (const void *);
void *provider_at (unsigned long number);

#endif
