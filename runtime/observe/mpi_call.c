/* SPDX-License-Identifier: MIT */
/* Calls of MPI in the timeline.  Context: hot; takes no lock. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/rings.h"

void
bbp_mpi_call_put (unsigned call, uint64_t nanoseconds)
{
  struct bbs_head *head = bbp_timeline_memory ();
  uint64_t number;
  if (!head || !bbp_queue_claim (&head->mpi_calls, BBS_MPI_CALLS, &number))
    return;
  struct bbs_mpi_slot *slot = &head->mpi_slots[number % BBS_MPI_CALLS];
  const uint64_t now = bbp_run_time ();
  slot->call = (struct bbs_mpi_call) { .time = now > nanoseconds ? now - nanoseconds : 0,
                                       .length = nanoseconds,
                                       .tid = (uint32_t) bbp_sys_gettid (),
                                       .call = call };
  bbp_queue_publish (&head->mpi_calls, BBS_MPI_CALLS, number, &slot->ready);
}
