/* SPDX-License-Identifier: MIT */
/* Markers that the program sets in its timeline.  Context: any. */
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/observe/rings.h"

BBP_PUBLIC void bbprof_mark (const char *);

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
  struct bbs_head *head = bbp_timeline_memory ();
  uint64_t number;
  if (!head || !bbp_queue_claim (&head->marks.queue, BBS_MARKS, &number))
    return;
  struct bbs_mark_slot *slot = &head->marks.slots[number % BBS_MARKS];
  fill (&slot->mark, text);
  bbp_queue_publish (&head->marks.queue, BBS_MARKS, number, &slot->ready);
}
