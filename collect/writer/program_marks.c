/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect/writer/program_marks.h"

/* How long an unfinished marker delays those behind it.  Its thread may be stopped between the
   beginning and the end of the marker, may leave it by longjmp, or may be killed there. */
#define PATIENCE 1000000000UL /* nanoseconds */

static bool
take_one (struct program_marks *m, struct watched *w, uint64_t number)
{
  struct bbs_mark_slot *slot = &m->ring->slots[number % BBS_MARKS];
  if (atomic_load_explicit (&slot->ready, memory_order_acquire) != number + 1)
    return false;
  struct bbs_mark mark = slot->mark;
  mark.text[sizeof mark.text - 1] = '\0';
  m->lost += mark.time >= BBS_TIME_END || !watched_add_mark (w, &mark);
  return true;
}

/* Has the unfinished marker NUMBER delayed those behind it for too long? */
static bool
is_late (struct program_marks *m, uint64_t number, uint64_t now)
{
  if (m->stuck != number + 1)
    m->since = now;
  m->stuck = number + 1;
  return now - m->since >= PATIENCE;
}

void
program_marks_take (struct program_marks *m, struct watched *w, uint64_t now, bool last)
{
  const uint64_t head = atomic_load (&m->ring->head);
  uint64_t tail = atomic_load_explicit (&m->ring->tail, memory_order_relaxed);
  for (size_t left = BBS_MARKS; left > 0 && tail != head; left--, tail++)
    if (!take_one (m, w, tail))
      {
        if (!last && (tail + 1 == head || !is_late (m, tail, now)))
          break;
        m->lost++;
      }
  atomic_store_explicit (&m->ring->tail, tail, memory_order_release);
}
