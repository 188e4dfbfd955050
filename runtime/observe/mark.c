/* SPDX-License-Identifier: MIT */
/* Markers that the program sets in its timeline.  All threads put them into one ring, beside
   those of the samples, in memory that the writer shares.  Without room a marker is counted as
   lost: no thread waits.  Context: any. */
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/rings.h"

BBP_PUBLIC void bbprof_mark (const char *);

/* The memory, if there is a timeline; null: none, or no longer.  A child that was created
   without fork has the memory, too, but is not the observed process. */
static struct bbs_head *
timeline (void)
{
  if (!bbp_options.timeline || !bbp_own_process ())
    return NULL;
  bbp_rings_tick ();
  return __atomic_load_n (&bbp_rings.state, __ATOMIC_ACQUIRE) == BBP_RINGS_OPEN ? bbp_rings.head
                                                                                : NULL;
}

/* The number of a slot that only the caller has now; false: all are full. */
static bool
claim (struct bbs_marks *marks, uint64_t *number)
{
  *number = atomic_load (&marks->head);
  do
    if ((int64_t) (*number - atomic_load (&marks->tail)) >= BBS_MARKS)
      return false;
  while (!atomic_compare_exchange_weak (&marks->head, number, *number + 1));
  return true;
}

/* The number of bytes of TEXT that are kept: never part of a UTF-8 character. */
static size_t
kept (const char *text)
{
  enum { MOST = sizeof ((struct bbs_mark *) NULL)->text - 1 };
  size_t n = 0;
  while (n < MOST && text[n])
    n++;
  if (n == MOST)
    while (n > 0 && (text[n] & 0xc0) == 0x80)
      n--;
  return n;
}

static void
fill (struct bbs_mark *mark, const char *text)
{
  size_t n = kept (text);
  mark->time = bbp_run_time ();
  mark->tid = (uint32_t) bbp_sys_gettid ();
  mark->unused = 0;
  bbp_copy_bytes (mark->text, text, n);
  for (; n < sizeof mark->text; n++)
    mark->text[n] = '\0';
}

void
bbprof_mark (const char *text)
{
  struct bbs_head *head = timeline ();
  uint64_t number;
  if (!head)
    return;
  if (!claim (&head->marks, &number))
    {
      atomic_fetch_add (&head->marks.lost, 1);
      return;
    }
  struct bbs_mark_slot *slot = &head->marks.slots[number % BBS_MARKS];
  fill (&slot->mark, text);
  atomic_store_explicit (&slot->ready, number + 1, memory_order_release);
  if (number + 1 - atomic_load (&head->marks.tail) == BBS_MARKS / 2)
    bbp_rings_wake_writer ();
}
