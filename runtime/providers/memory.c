/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "arch.h"
#include "runtime/providers/memory.h"

enum { PAGE = 4096, UNIT = 16 };

typedef uint64_t word __attribute__ ((aligned (1), may_alias));

static char *area;
static size_t used; /* atomic */

/* The kernel reads a word there, and then refuses the call for another reason. */
static bool
is_page_readable (uintptr_t page)
{
  enum { NO_SUCH_WAY = -1, SET_BYTES = 8 };
  return bbp_arch_syscall (SYS_rt_sigprocmask, NO_SUCH_WAY, (long) page, 0, SET_BYTES, 0, 0)
         == -EINVAL;
}

static bool
is_readable (struct provider_pages *pages, uintptr_t page)
{
  uintptr_t *known = &pages->known[page / PAGE % PROVIDER_PAGES];
  if (page && *known == page)
    return true;
  if (!page || !is_page_readable (page))
    return false;
  *known = page;
  return true;
}

bool
provider_read (struct provider_pages *pages, const void *address, void *to, size_t n)
{
  const uintptr_t first = (uintptr_t) address, last = first + n - 1;
  if (!n || last < first)
    return !n;
  for (uintptr_t page = first & -(uintptr_t) PAGE; page <= last; page += PAGE)
    if (!is_readable (pages, page))
      return false;
  size_t i = 0;
  for (; i + sizeof (word) <= n; i += sizeof (word))
    *(word *) ((char *) to + i) = *(const volatile word *) ((const char *) address + i);
  for (; i < n; i++)
    ((char *) to)[i] = ((const volatile char *) address)[i];
  return true;
}

bool
provider_area_make (void)
{
  void *made = mmap (NULL, PROVIDER_AREA, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED)
    return false;
  area = made;
  used = UNIT; /* no memory has the number 0 */
  return true;
}

void *
provider_keep (size_t n)
{
  const size_t whole = (n + UNIT - 1) / UNIT * UNIT;
  size_t before = __atomic_load_n (&used, __ATOMIC_RELAXED);
  do
    if (whole > PROVIDER_AREA - before)
      return NULL;
  while (!__atomic_compare_exchange_n (&used, &before, before + whole, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED));
  return area + before;
}

unsigned long
provider_number (const void *kept)
{
  return (unsigned long) ((const char *) kept - area) / UNIT;
}

void *
provider_at (unsigned long number)
{
  const size_t end = __atomic_load_n (&used, __ATOMIC_RELAXED);
  return number > 0 && number < end / UNIT ? area + number * UNIT : NULL;
}
