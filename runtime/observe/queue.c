/* SPDX-License-Identifier: MIT */
/* What threads put into the memory that the writer shares, beside samples: markers, calls of MPI.
   Without room an item is counted as lost: no thread waits.  Context: any. */
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/rings.h"

/* A child that was created without fork has the memory, too, but is not the observed process. */
struct bbs_head *
bbp_timeline_memory (void)
{
  if (!bbp_options.timeline || !bbp_own_process ())
    return NULL;
  bbp_rings_tick ();
  return __atomic_load_n (&bbp_rings.state, __ATOMIC_ACQUIRE) == BBP_RINGS_OPEN ? bbp_rings.head
                                                                                : NULL;
}

bool
bbp_queue_claim (struct bbs_queue *q, uint64_t slots, uint64_t *number)
{
  *number = atomic_load (&q->head);
  do
    if ((int64_t) (*number - atomic_load (&q->tail)) >= (int64_t) slots)
      {
        atomic_fetch_add (&q->lost, 1);
        return false;
      }
  while (!atomic_compare_exchange_weak (&q->head, number, *number + 1));
  return true;
}

void
bbp_queue_publish (struct bbs_queue *q, uint64_t slots, uint64_t number, _Atomic uint64_t *ready)
{
  atomic_store_explicit (ready, number + 1, memory_order_release);
  if (number + 1 - atomic_load (&q->tail) == slots / 2)
    bbp_rings_wake_writer ();
}
