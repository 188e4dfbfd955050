/* SPDX-License-Identifier: MIT */
/* The process's side of the memory that it shares with its witness.  Context: cold, lock held,
   unless a function says otherwise. */
#include <linux/futex.h>

#include "include/bbprof-witness.h"
#include "runtime/base/sys.h"
#include "runtime/writer/witness.h"
#include "runtime/writer/writer.h"

#define PATIENCE 500000000UL    /* nanoseconds within which it must have begun */
#define POLL_INTERVAL 1000000UL /* nanoseconds */
/* Turns of the loop below, enough for at least one pass of the witness, if it exists. */
#define MOST_TURNS (1UL << 24)

static struct bbw_head *head; /* null: there is none */
static struct bbp_writer witness;

static bool
has_begun (void)
{
  static int never;
  uint64_t until = bbp_sys_nanoseconds (CLOCK_MONOTONIC) + PATIENCE;
  while (atomic_load (&head->passes) == 0)
    if (bbp_writer_is_gone (&witness) || bbp_sys_nanoseconds (CLOCK_MONOTONIC) > until)
      return false;
    else
      bbp_sys_futex_for (&never, FUTEX_WAIT_PRIVATE, 0, POLL_INTERVAL);
  return true;
}

bool
bbp_witness_start (void)
{
  void *memory;
  int fd = bbp_writer_memory ("bbprof witness", bbp_whole_pages (sizeof *head), &memory);
  if (fd < 0)
    return false;
  head = memory;
  head->magic = BBW_MAGIC;
  head->pid = (uint32_t) bbp_sys_getpid ();
  int error = bbp_writer_start (&witness, fd);
  bbp_sys_close (fd);
  if (!error && has_begun ())
    return true;
  if (!error)
    bbp_witness_end ();
  else
    bbp_witness_leave ();
  return false;
}

void
bbp_witness_leave (void)
{
  if (head)
    bbp_sys_munmap (head, bbp_whole_pages (sizeof *head));
  head = NULL;
  witness = (struct bbp_writer) { 0 };
}

void
bbp_witness_end (void)
{
  if (!head)
    return;
  atomic_store (&head->over, 1);
  bbp_writer_end (&witness);
  bbp_witness_leave ();
}

/* A slot for QUESTION; null: none is free. */
static _Atomic uint64_t *
find_slot (uint64_t question)
{
  for (unsigned i = 0; i < BBW_SLOTS; i++)
    {
      _Atomic uint64_t *slot = &head->slot[(question / BBW_STATES + i) % BBW_SLOTS];
      uint64_t free = BBW_FREE;
      if (atomic_compare_exchange_strong (slot, &free, question))
        return slot;
    }
  return NULL;
}

bool
bbp_witness_sees_filter (int tid)
{
  _Atomic uint64_t *slot = head ? find_slot ((uint64_t) tid * BBW_STATES + BBW_ASKED) : NULL;
  uint64_t answer = BBW_FILTERED;
  uint32_t seen = 0;
  for (unsigned long turn = 0; slot && turn < MOST_TURNS; turn++)
    {
      answer = atomic_load (slot);
      if (answer % BBW_STATES != BBW_ASKED)
        break;
      if (atomic_load (&head->passes) != seen)
        turn = 0;
      seen = atomic_load (&head->passes);
      bbp_arch_pause ();
    }
  if (slot)
    atomic_store (slot, BBW_FREE);
  return answer % BBW_STATES != BBW_CLEAR;
}
