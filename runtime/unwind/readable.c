/* SPDX-License-Identifier: MIT */
/* Finds out whether memory is readable, by a system call that makes the kernel read a word at the
   address and then fails for another reason.  Context: signal. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/unwind/unwinding.h"

#define NO_SUCH_WAY (-1)

static bool
is_page_readable (uintptr_t page)
{
  return bbp_sys_sigmask (NO_SUCH_WAY, (const unsigned long *) page, NULL) == -EINVAL;
}

/* Add a page to KNOWN; if it is not adjacent to the known pages, it replaces them. */
static void
enter (struct bbp_readable *known, uintptr_t page)
{
  if (page == known->high)
    known->high = page + BBP_PAGE_BYTES;
  else if (page + BBP_PAGE_BYTES == known->low)
    known->low = page;
  else
    *known = (struct bbp_readable) { .low = page, .high = page + BBP_PAGE_BYTES };
}

bool
bbp_readable_more (struct bbp_readable *known, uintptr_t address, size_t bytes)
{
  uintptr_t last = address + bytes - 1;
  if (last < address || bytes > BBP_PAGE_BYTES)
    return false;
  uintptr_t page = address & -(uintptr_t) BBP_PAGE_BYTES;
  for (; page <= last; page += BBP_PAGE_BYTES)
    {
      if (page >= known->low && page < known->high)
        continue;
      if (page == 0 || page > UINTPTR_MAX - 2 * BBP_PAGE_BYTES || !is_page_readable (page))
        return false;
      enter (known, page);
    }
  return true;
}
