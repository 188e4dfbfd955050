/* SPDX-License-Identifier: MIT */
/* libbbprof-historic.a: __bb is a plain variable, as code of the 1990s in mode 2 may have it in
   its instructions (movq $3, __bb(%rip)).  Only one thread can use it: the first one that
   executes such a block.  Blocks of other threads are not counted, but they store in the same
   variable.  So each value is checked for whether it can be the first thread's.  The thread's
   own __bb, which the rest of the library uses, has another name in this archive (Makefile.am).
   Context: hot, unless a function says otherwise. */
#define __bb bbp_here
#include "arch.h"
#include "runtime/trace/trace.h"
#undef __bb

struct plain {
  unsigned long blockno;
  struct bb *blocks;
};
extern BBP_PUBLIC struct plain __bb;
struct plain __bb;

/* Thread pointer of the first thread, in the process PID: another thread may have forked a
   child.  Writer: the thread that comes first. */
static uintptr_t owner;
static int owner_pid;

static bool
is_owner (void)
{
  return __atomic_load_n (&owner, __ATOMIC_RELAXED) == bbp_arch_thread_pointer ()
         && __atomic_load_n (&owner_pid, __ATOMIC_RELAXED) == bbp.pid;
}

static bool
become_owner (void)
{
  uintptr_t none = 0;
  if (__atomic_load_n (&owner_pid, __ATOMIC_RELAXED) != bbp.pid)
    {
      __atomic_store_n (&owner, 0, __ATOMIC_RELAXED);
      __atomic_store_n (&owner_pid, bbp.pid, __ATOMIC_RELAXED);
    }
  return __atomic_compare_exchange_n (&owner, &none, bbp_arch_thread_pointer (), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void
take (void)
{
  bbp_here.blockno = __atomic_load_n (&__bb.blockno, __ATOMIC_RELAXED);
  bbp_here.blocks = __atomic_load_n (&__bb.blocks, __ATOMIC_RELAXED);
}

bool
bbp_named_take (void)
{
  bool taken = is_owner () || become_owner ();
  if (taken)
    {
      take ();
      taken = bbp_here.blocks && bbp_here.blockno < (unsigned long) bbp_here.blocks->ncounts;
    }
  if (!taken)
    __atomic_fetch_add (&bbp.refused, 1, __ATOMIC_RELAXED);
  return taken;
}

void
bbp_named_keep (void)
{
  if (is_owner ())
    take ();
}

void
bbp_named_put_back (void)
{
  if (!is_owner ())
    return;
  __atomic_store_n (&__bb.blockno, bbp_here.blockno, __ATOMIC_RELAXED);
  __atomic_store_n (&__bb.blocks, bbp_here.blocks, __ATOMIC_RELAXED);
}
