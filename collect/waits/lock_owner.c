/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts are glibc's for 64-bit processors.  An owner counts only if the other fields agree.
   Whether a thread with that tid lives is checked by the reader of the file. */
#include "config.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/uio.h>

#include "collect/waits/lock_owner.h"

/* pthread_mutex_t.  KIND: the type, 0 to 3, and flags below KIND_END. */
struct mutex {
  uint32_t lock, count, owner, users, kind;
};
enum { KIND_ROBUST = 0x10, KIND_PI = 0x20, KIND_END = 0x400 };

/* pthread_rwlock_t. */
struct rwlock {
  uint32_t readers, writers, phase_futex, writers_futex, pads[2], writer;
};
/* A thread waits on PHASE_FUTEX with a value below this, on READERS with one from it on. */
enum { PHASE_VALUES = 4 };

static bool
read_memory (pid_t pid, uint64_t address, void *to, size_t size)
{
  const struct iovec here = { to, size }, there = { (void *) (uintptr_t) address, size };
  return process_vm_readv (pid, &here, 1, &there, 1, 0) == (ssize_t) size;
}

/* The owner in a futex word of the kernel's robust and priority-inheritance protocols. */
static uint32_t
owner_in_word (pid_t pid, uint64_t address)
{
  uint32_t word;
  return read_memory (pid, address, &word, sizeof word) ? word & FUTEX_TID_MASK : 0;
}

static uint32_t
owner_of_mutex (pid_t pid, uint64_t address)
{
  struct mutex m;
  if (!read_memory (pid, address, &m, sizeof m) || m.kind >= KIND_END || m.lock == 0)
    return 0;
  return m.kind & (KIND_ROBUST | KIND_PI) ? m.lock & FUTEX_TID_MASK : m.owner;
}

static uint32_t
writer_of_rwlock (pid_t pid, uint64_t address)
{
  struct rwlock l;
  return read_memory (pid, address, &l, sizeof l) ? l.writer : 0;
}

static uint64_t
address_of_rwlock (const struct lock_call *call)
{
  return call->address
         - (call->address % 8 != 0        ? offsetof (struct rwlock, writers_futex)
            : call->value >= PHASE_VALUES ? offsetof (struct rwlock, readers)
                                          : offsetof (struct rwlock, phase_futex));
}

static void
find_in_glibc (pid_t pid, const struct lock_call *call, struct bbs_look *look)
{
  look->type = BBS_LOCK_LIBC;
  switch (call->why)
    {
    case BBS_WHY_LOCK: look->holder = owner_of_mutex (pid, look->lock); break;
    case BBS_WHY_THREAD: look->holder = owner_in_word (pid, look->lock); break;
    /* Waiters use two adjacent words in turn. */
    case BBS_WHY_CONDITION: look->lock &= ~UINT64_C (7); break;
    case BBS_WHY_RWLOCK:
      look->lock = address_of_rwlock (call);
      look->holder = writer_of_rwlock (pid, look->lock);
      break;
    default: break;
    }
}

static bool
is_pi (unsigned long operation)
{
  operation &= (unsigned long) FUTEX_CMD_MASK;
  return operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2;
}

void
lock_find (struct areas *areas, const struct lock_call *call, struct bbs_look *look)
{
  look->lock = call->address;
  look->type = BBS_LOCK_FUTEX;
  if (call->glibc)
    find_in_glibc (areas->pid, call, look);
  else if (is_pi (call->operation))
    {
      look->type = BBS_LOCK_PI;
      look->holder = owner_in_word (areas->pid, look->lock);
    }
  const struct area *area = areas_find (areas, look->lock);
  look->area = area && area->stack ? BBS_AREA_STACK : area ? area->kind : BBS_AREA_NOT_KNOWN;
  look->stack = area ? area->stack : 0;
}
