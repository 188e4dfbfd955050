/* SPDX-License-Identifier: MIT */
/* Memory by mmap only: the program's malloc may be profiled, in use, or not initialised.  Context:
   any. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

void *
bbp_pages_map (size_t bytes)
{
  long address = bbp_sys_mmap (bytes);
  return address < 0 && address > -4096 ? NULL : (void *) address;
}

void
bbp_pages_unmap (void *start, size_t bytes)
{
  if (start)
    bbp_sys_munmap (start, bytes);
}
