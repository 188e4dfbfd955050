/* SPDX-License-Identifier: MIT */
/* Memory by mmap only: the program's malloc may be profiled, in use, or not initialised.  A start
   and a dump use dozens of small pieces for moments, so these are taken from one mapping, the
   *pool*, which spares most system calls and page faults.  Context: any. */
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

enum { POOL_PAGES = 64, POOL_MOST = 4 }; /* all; for one piece */

/* Writers: all threads and handlers, atomically.  Free pages are zeroed. */
static struct {
  uintptr_t start; /* 0: not mapped yet */
  uint64_t taken;  /* a bit for each page */
} pool;

void *
bbp_pages_map_apart (size_t bytes)
{
  long address = bbp_sys_mmap (bytes);
  return address < 0 && address > -4096 ? NULL : (void *) address;
}

/* 0: no memory. */
static uintptr_t
pool_start (void)
{
  uintptr_t start = __atomic_load_n (&pool.start, __ATOMIC_RELAXED), none = 0;
  if (start)
    return start;
  start = (uintptr_t) bbp_pages_map_apart (POOL_PAGES * BBP_PAGE_BYTES);
  if (!start
      || __atomic_compare_exchange_n (&pool.start, &none, start, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    return start;
  bbp_sys_munmap ((void *) start, POOL_PAGES * BBP_PAGE_BYTES);
  return none; /* which is now what another thread mapped */
}

/* The bits of N pages at the start of the pool. */
static uint64_t
pool_bits (size_t n)
{
  return ((uint64_t) 1 << n) - 1;
}

/* Null: the pool has no room. */
static void *
take_from_pool (size_t bytes)
{
  size_t n = bbp_whole_pages (bytes) / BBP_PAGE_BYTES;
  uintptr_t start = n - 1 < POOL_MOST ? pool_start () : 0;
  if (!start)
    return NULL;
  uint64_t bits = pool_bits (n), taken = __atomic_load_n (&pool.taken, __ATOMIC_RELAXED);
  for (size_t page = 0; page <= POOL_PAGES - n;)
    if (taken & bits << page)
      page++;
    else if (__atomic_compare_exchange_n (&pool.taken, &taken, taken | bits << page, false,
                                          __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return (void *) (start + page * BBP_PAGE_BYTES);
    else
      page = 0;
  return NULL;
}

/* False: the pages are not the pool's. */
static bool
return_to_pool (void *pages, size_t bytes)
{
  uintptr_t offset = (uintptr_t) pages - __atomic_load_n (&pool.start, __ATOMIC_RELAXED);
  if (offset >= POOL_PAGES * BBP_PAGE_BYTES)
    return false;
  const size_t whole = bbp_whole_pages (bytes); /* as mmap's, a piece may be used to its end */
  for (uint64_t *word = pages; word < (uint64_t *) pages + whole / 8; word++)
    *word = 0;
  /* Pairs with the acquire in take_from_pool. */
  uint64_t bits = pool_bits (whole / BBP_PAGE_BYTES);
  __atomic_fetch_and (&pool.taken, ~(bits << offset / BBP_PAGE_BYTES), __ATOMIC_RELEASE);
  return true;
}

void *
bbp_pages_map (size_t bytes)
{
  void *pages = take_from_pool (bytes);
  return pages ? pages : bbp_pages_map_apart (bytes);
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
  if (start && !return_to_pool (start, bytes))
    bbp_sys_munmap (start, bytes);
}
