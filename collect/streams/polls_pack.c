/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters grow slowly, so each is written as the difference to the previous poll of the same
   thread. */
#include <stdlib.h>

#include "collect/streams/tids.h"
#include "collect/streams/watched_pack.h"

enum {
  TIMES,
  THREADS,
  TIDS,
  RUNS,
  WAITS,
  VOLUNTARY,
  INVOLUNTARY,
  CALLS,
  CPUS,
  STATES,
  REASONS,
  LISTS
};

static void
put_counts (struct bytes *lists, const struct bbs_look *poll, const struct bbs_look *before)
{
  bytes_put_number (&lists[RUNS], bytes_fold (poll->run - before->run));
  bytes_put_number (&lists[WAITS], bytes_fold (poll->wait - before->wait));
  bytes_put_number (&lists[VOLUNTARY], bytes_fold (poll->voluntary - before->voluntary));
  bytes_put_number (&lists[INVOLUNTARY], bytes_fold (poll->involuntary - before->involuntary));
}

/* LAST: by number of the thread, its previous poll, or zeros. */
static void
put_polls (struct bytes *lists, struct tids *tids, struct bbs_look *last,
           const struct bbs_look *polls, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      const struct bbs_look *poll = &polls[i];
      const size_t thread = tids_write (tids, poll->tid, &lists[TIDS]);
      bytes_put_number (&lists[TIMES], poll->time - (i ? poll[-1].time : poll->time));
      bytes_put_number (&lists[THREADS], thread);
      put_counts (lists, poll, &last[thread]);
      bytes_put_number (&lists[CALLS], bytes_fold ((uint64_t) poll->call));
      bytes_put_number (&lists[CPUS], poll->cpu);
      bytes_put_number (&lists[STATES], poll->state);
      bytes_put_number (&lists[REASONS], poll->why);
      last[thread] = *poll;
    }
}

bool
polls_pack (struct packer *p, const struct bbs_look *polls, size_t n, struct bytes *to)
{
  struct bytes lists[LISTS];
  struct tids tids;
  struct bbs_look *last = calloc (n, sizeof *last);
  bool ok = lists_begin (lists, LISTS, n * BYTES_NUMBER_MOST + 1) && last;
  ok = tids_begin (&tids, n, true) && ok && bytes_reserve (to, sizeof (struct bbs_looks));
  if (ok)
    {
      put_polls (lists, &tids, last, polls, n);
      const struct bbs_looks head
          = { .n = (uint32_t) n, .first = polls->time, .bytes = lists_bytes (lists, LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, LISTS, to);
    }
  free (last);
  tids_free (&tids);
  lists_free (lists, LISTS);
  return ok;
}

static bool
take_difference (struct reading *list, uint64_t *value)
{
  uint64_t difference;
  bool ok = reading_number (list, &difference);
  *value += ok ? bytes_unfold (difference) : 0;
  return ok;
}

static bool
take_counts (struct reading *lists, struct bbs_look *poll)
{
  return take_difference (&lists[RUNS], &poll->run) && take_difference (&lists[WAITS], &poll->wait)
         && take_difference (&lists[VOLUNTARY], &poll->voluntary)
         && take_difference (&lists[INVOLUNTARY], &poll->involuntary);
}

static bool
take_state (struct reading *lists, struct bbs_look *poll)
{
  uint64_t call, cpu, state, why;
  if (!reading_number (&lists[CALLS], &call)
      || !reading_number_most (&lists[CPUS], UINT16_MAX, &cpu)
      || !reading_number_most (&lists[STATES], UINT8_MAX, &state)
      || !reading_number_most (&lists[REASONS], BBS_WHYS - 1, &why))
    return false;
  poll->call = (int32_t) bytes_unfold (call);
  poll->cpu = (uint16_t) cpu;
  poll->state = (uint8_t) state;
  poll->why = (uint8_t) why;
  return bytes_unfold (call) == (uint64_t) poll->call;
}

static bool
take_polls (struct reading *lists, const struct bbs_looks *head, struct tids *tids,
            struct bbs_look *last, struct bbs_look *polls)
{
  uint64_t time = head->first, distance, thread;
  for (size_t i = 0; i < head->n; i++)
    {
      if (!reading_number_most (&lists[TIMES], UINT64_MAX - time, &distance)
          || !reading_number (&lists[THREADS], &thread) || !tids_read (tids, thread, &lists[TIDS])
          || !take_counts (lists, &last[thread]) || !take_state (lists, &last[thread]))
        return false;
      time += distance;
      last[thread].time = time;
      last[thread].tid = tids->tids[thread];
      polls[i] = last[thread];
    }
  return true;
}

struct bbs_look *
polls_unpack (const unsigned char *content, size_t n, size_t *count)
{
  struct bbs_looks head;
  struct bytes memory = { .data = NULL };
  struct reading lists[LISTS];
  struct tids tids = { .n = 0 };
  struct bbs_look *polls = NULL, *last = NULL;
  if (n < sizeof head)
    return NULL;
  memcpy (&head, content, sizeof head);
  *count = head.n;
  bool ok
      = head.n <= BBS_LOOKS_MOST && head.bytes <= (head.n + 1UL) * LISTS * BYTES_NUMBER_MOST
        && unpack_lists (content + sizeof head, n - sizeof head, head.bytes, &memory, lists, LISTS)
        && tids_begin (&tids, head.n, false) && (last = calloc (head.n + 1UL, sizeof *last))
        && (polls = malloc (head.n * sizeof *polls + 1))
        && take_polls (lists, &head, &tids, last, polls);
  tids_free (&tids);
  bytes_free (&memory);
  free (last);
  if (!ok)
    free (polls);
  return ok ? polls : NULL;
}

/* The locks of polls.  */

enum { DISTANCES, LOCKS, CALLERS, HOLDERS, STACKS, TYPES, AREAS, LOCK_LISTS };

/* A tid; often that of the poll, or 0. */
static uint64_t
fold_tid (uint32_t tid, uint32_t near)
{
  return tid ? 1 + bytes_fold ((uint64_t) tid - near) : 0;
}

static bool
unfold_tid (uint64_t folded, uint32_t near, uint32_t *tid)
{
  const uint64_t value = folded ? bytes_unfold (folded - 1) + near : 0;
  *tid = (uint32_t) value;
  return value <= UINT32_MAX;
}

size_t
locks_count (const struct bbs_look *polls, size_t n)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += polls[i].lock != 0;
  return count;
}

static void
put_locks (struct bytes *lists, const struct bbs_look *polls, size_t n)
{
  const struct bbs_look none = { .lock = 0 }, *before = &none;
  size_t next = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct bbs_look *poll = &polls[i];
      if (!poll->lock)
        continue;
      bytes_put_number (&lists[DISTANCES], i - next);
      bytes_put_number (&lists[LOCKS], bytes_fold (poll->lock - before->lock));
      bytes_put_number (&lists[CALLERS], bytes_fold (poll->caller - before->caller));
      bytes_put_number (&lists[HOLDERS], fold_tid (poll->holder, poll->tid));
      bytes_put_number (&lists[STACKS], fold_tid (poll->stack, poll->tid));
      bytes_put_number (&lists[TYPES], poll->type);
      bytes_put_number (&lists[AREAS], poll->area);
      before = poll;
      next = i + 1;
    }
}

bool
locks_pack (struct packer *p, const struct bbs_look *polls, size_t n, struct bytes *to)
{
  struct bytes lists[LOCK_LISTS];
  const size_t count = locks_count (polls, n);
  bool ok = lists_begin (lists, LOCK_LISTS, count * BYTES_NUMBER_MOST + 1)
            && bytes_reserve (to, sizeof (struct bbs_locks));
  if (ok)
    {
      put_locks (lists, polls, n);
      const struct bbs_locks head
          = { .n = (uint32_t) count, .bytes = lists_bytes (lists, LOCK_LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, LOCK_LISTS, to);
    }
  lists_free (lists, LOCK_LISTS);
  return ok;
}

static bool
take_lock (struct reading *lists, const struct bbs_look *before, struct bbs_look *poll)
{
  uint64_t holder, stack, type, area;
  poll->lock = before->lock;
  poll->caller = before->caller;
  if (!take_difference (&lists[LOCKS], &poll->lock)
      || !take_difference (&lists[CALLERS], &poll->caller)
      || !reading_number (&lists[HOLDERS], &holder)
      || !unfold_tid (holder, poll->tid, &poll->holder) || !reading_number (&lists[STACKS], &stack)
      || !unfold_tid (stack, poll->tid, &poll->stack)
      || !reading_number_most (&lists[TYPES], BBS_LOCKS - 1, &type)
      || !reading_number_most (&lists[AREAS], BBS_AREAS - 1, &area))
    return false;
  poll->type = (uint8_t) type;
  poll->area = (uint8_t) area;
  return true;
}

static bool
take_locks (struct reading *lists, size_t count, struct bbs_look *polls, size_t n)
{
  const struct bbs_look none = { .lock = 0 }, *before = &none;
  size_t next = 0;
  for (size_t i = 0; i < count; i++)
    {
      uint64_t distance;
      if (next >= n || !reading_number_most (&lists[DISTANCES], n - next - 1, &distance)
          || !take_lock (lists, before, &polls[next + distance]))
        return false;
      before = &polls[next + distance];
      next += distance + 1;
    }
  return true;
}

bool
locks_unpack (const unsigned char *content, size_t bytes, struct bbs_look *polls, size_t n)
{
  struct bbs_locks head;
  struct bytes memory = { .data = NULL };
  struct reading lists[LOCK_LISTS];
  if (bytes < sizeof head)
    return false;
  memcpy (&head, content, sizeof head);
  const bool ok = head.n <= n && head.bytes <= (head.n + 1UL) * LOCK_LISTS * BYTES_NUMBER_MOST
                  && unpack_lists (content + sizeof head, bytes - sizeof head, head.bytes, &memory,
                                   lists, LOCK_LISTS)
                  && take_locks (lists, head.n, polls, n);
  bytes_free (&memory);
  return ok;
}
