/* SPDX-License-Identifier: MIT */
/* Zeroed memory, in pages from the system: the program's heap is not used. */
#include "runtime/os/win32/win32.h"

void *
bbp_pages_map (size_t bytes)
{
  return bytes ? VirtualAlloc (NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) : NULL;
}

void
bbp_pages_unmap (void *pages, size_t bytes)
{
  (void) bytes;
  if (pages)
    VirtualFree (pages, 0, MEM_RELEASE);
}

/* There is no live file. */
void *
bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t bytes)
{
  (void) kind;
  (void) number;
  (void) of;
  return bbp_pages_map (bytes);
}

void
bbp_slice_ready (void *slice)
{
  (void) slice;
}
