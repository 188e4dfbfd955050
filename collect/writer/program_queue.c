/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect/writer/program_queue.h"

/* How long an unfinished item delays those behind it.  Its thread may be stopped between the
   beginning and the end of it, may leave it by longjmp, or may be killed there. */
#define PATIENCE 1000000000UL /* nanoseconds */

/* Adds the item NUMBER to W; false: it is not finished. */
typedef bool take_item (struct program_queue *, struct bbs_head *, struct watched *w,
                        uint64_t number);

static bool
is_ready (const _Atomic uint64_t *ready, uint64_t number)
{
  return atomic_load_explicit (ready, memory_order_acquire) == number + 1;
}

static bool
take_mark (struct program_queue *q, struct bbs_head *head, struct watched *w, uint64_t number)
{
  struct bbs_mark_slot *slot = &head->marks.slots[number % BBS_MARKS];
  if (!is_ready (&slot->ready, number))
    return false;
  struct bbs_mark mark = slot->mark;
  mark.text[sizeof mark.text - 1] = '\0';
  q->lost += mark.time >= BBS_TIME_END || !watched_add_mark (w, &mark);
  return true;
}

static bool
take_call (struct program_queue *q, struct bbs_head *head, struct watched *w, uint64_t number)
{
  struct bbs_mpi_slot *slot = &head->mpi_slots[number % BBS_MPI_CALLS];
  if (!is_ready (&slot->ready, number))
    return false;
  const struct bbs_mpi_call call = slot->call;
  q->lost += call.time >= BBS_TIME_END || call.length >= BBS_TIME_END - call.time
             || !watched_add_mpi_call (w, &call);
  return true;
}

/* Has the unfinished item NUMBER delayed those behind it for too long? */
static bool
is_late (struct program_queue *q, uint64_t number, uint64_t now)
{
  if (q->stuck != number + 1)
    q->since = now;
  q->stuck = number + 1;
  return now - q->since >= PATIENCE;
}

static void
take_all (struct program_queue *q, take_item *take, struct bbs_head *memory, struct watched *w,
          uint64_t now, bool last)
{
  const uint64_t head = atomic_load (&q->queue->head);
  uint64_t tail = atomic_load_explicit (&q->queue->tail, memory_order_relaxed);
  for (uint64_t left = q->slots; left > 0 && tail != head; left--, tail++)
    if (!take (q, memory, w, tail))
      {
        if (!last && (tail + 1 == head || !is_late (q, tail, now)))
          break;
        q->lost++;
      }
  atomic_store_explicit (&q->queue->tail, tail, memory_order_release);
}

void
program_marks_take (struct program_queue *q, struct bbs_head *head, struct watched *w, uint64_t now,
                    bool last)
{
  take_all (q, take_mark, head, w, now, last);
}

void
program_calls_take (struct program_queue *q, struct bbs_head *head, struct watched *w, uint64_t now,
                    bool last)
{
  take_all (q, take_call, head, w, now, last);
}
