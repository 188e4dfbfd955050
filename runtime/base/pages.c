/* SPDX-License-Identifier: MIT */
/* Memory by mmap only: the program's malloc may be profiled, in use, or not initialised.  Context:
   any. */
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

void *
bbp_pages_map (size_t bytes)
{
  long address = bbp_sys_mmap (bytes);
  return address < 0 && address > -4096 ? NULL : (void *) address;
}

/* The lowest address that the main thread's stack may ever use; 0: any.  Cold. */
static uintptr_t
stack_floor (void)
{
  enum { GUARD = 256 * BBP_PAGE_BYTES };
  struct rlimit limit;
  uintptr_t top = getauxval (AT_RANDOM); /* the kernel puts these bytes above the stack */
  if (bbp_sys_limit (RLIMIT_STACK, &limit) != 0 || limit.rlim_cur + GUARD >= top)
    return 0;
  return top - limit.rlim_cur - GUARD;
}

/* The range in which bbp_pages_map_above searches.  Writer: bbp_pages_choose_above, but for
   NEXT. */
static struct {
  uintptr_t floor, ceiling; /* pages' */
  uintptr_t next;           /* behind the last pages; writers: all threads, atomically */
} above;

void
bbp_pages_choose_above (uintptr_t floor)
{
  above.floor = bbp_whole_pages (floor);
  above.ceiling = stack_floor ();
  __atomic_store_n (&above.next, above.floor, __ATOMIC_RELAXED);
}

/* The kernel fills the address space downwards, so above the floor only a place that is named is
   free.  The step grows, because a large mapping may be in the way. */
void *
bbp_pages_map_above (size_t bytes)
{
  enum { STEPS = 64, STEPS_OF_A_SIZE = 4 };
  uintptr_t at = __atomic_load_n (&above.next, __ATOMIC_RELAXED);
  for (int i = 0; i < STEPS; i++, at += bytes << i / STEPS_OF_A_SIZE)
    {
      if (at + bytes > above.ceiling)
        at = above.floor;
      long pages = bbp_sys_mmap_near (at, bytes);
      if (pages == (long) at)
        {
          __atomic_store_n (&above.next, at + bytes, __ATOMIC_RELAXED);
          return (void *) pages;
        }
      if (pages > 0)
        bbp_sys_munmap ((void *) pages, bytes);
    }
  return NULL;
}

void
bbp_pages_unmap (void *start, size_t bytes)
{
  if (start)
    bbp_sys_munmap (start, bytes);
}
