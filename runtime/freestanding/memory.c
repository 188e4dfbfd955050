/* SPDX-License-Identifier: MIT */
/* Allocates from the memory that the caller lends; all of it is freed at once. */
#include "runtime/base/base.h"
#include "runtime/freestanding/freestanding.h"

static struct {
  char *next;
  size_t left, wanted;
} memory;

void
bbp_memory_begin (void *bytes, size_t size)
{
  memory.next = bytes;
  memory.left = size;
  memory.wanted = 0;
}

size_t
bbp_memory_wanted (void)
{
  return memory.wanted;
}

/* Filled with zeros, as from the kernel. */
void *
bbp_pages_map (size_t size)
{
  char *bytes = memory.next;
  size = (size + sizeof (long) - 1) & -sizeof (long);
  memory.wanted += size;
  if (size > memory.left)
    return NULL;
  memory.next += size;
  memory.left -= size;
  for (size_t i = 0; i < size; i++)
    bytes[i] = 0;
  return bytes;
}

void
bbp_pages_unmap (void *pages, size_t bytes)
{
  (void) pages;
  (void) bytes;
}
