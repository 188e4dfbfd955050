/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "collect/streams/tids.h"
#include "collect/streams/watched_pack.h"

enum { TIMES, LENGTHS, CALLS, THREADS, TIDS, LISTS };

static void
put_calls (struct bytes *lists, struct tids *tids, const struct bbs_mpi_call *calls, size_t n)
{
  uint64_t before = calls->time;
  for (size_t i = 0; i < n; i++)
    {
      bytes_put_number (&lists[TIMES], calls[i].time - before);
      bytes_put_number (&lists[LENGTHS], calls[i].length);
      bytes_put_number (&lists[CALLS], calls[i].call);
      bytes_put_number (&lists[THREADS], tids_write (tids, calls[i].tid, &lists[TIDS]));
      before = calls[i].time;
    }
}

bool
mpi_calls_pack (struct packer *p, const struct bbs_mpi_call *calls, size_t n, struct bytes *to)
{
  struct bytes lists[LISTS];
  struct tids tids;
  bool ok = lists_begin (lists, LISTS, n * BYTES_NUMBER_MOST + 1);
  ok = tids_begin (&tids, n, true) && ok && bytes_reserve (to, sizeof (struct bbs_mpi_calls));
  if (ok)
    {
      put_calls (lists, &tids, calls, n);
      const struct bbs_mpi_calls head
          = { .n = (uint32_t) n, .first = calls->time, .bytes = lists_bytes (lists, LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, LISTS, to);
    }
  tids_free (&tids);
  lists_free (lists, LISTS);
  return ok;
}

static bool
take_calls (struct reading *lists, const struct bbs_mpi_calls *head, struct tids *tids,
            struct bbs_mpi_call *calls)
{
  uint64_t time = head->first, distance, call, thread;
  for (size_t i = 0; i < head->n; i++)
    {
      if (!reading_number_most (&lists[TIMES], UINT64_MAX - time, &distance))
        return false;
      time += distance;
      struct bbs_mpi_call *c = &calls[i];
      if (time >= BBS_TIME_END
          || !reading_number_most (&lists[LENGTHS], BBS_TIME_END - time, &c->length)
          || !reading_number_most (&lists[CALLS], UINT32_MAX, &call)
          || !reading_number (&lists[THREADS], &thread) || !tids_read (tids, thread, &lists[TIDS]))
        return false;
      c->time = time;
      c->call = (uint32_t) call;
      c->tid = tids->tids[thread];
    }
  return true;
}

struct bbs_mpi_call *
mpi_calls_unpack (const unsigned char *content, size_t n, size_t *count)
{
  struct bbs_mpi_calls head;
  struct bytes memory = { .data = NULL };
  struct reading lists[LISTS];
  struct tids tids = { .n = 0 };
  struct bbs_mpi_call *calls = NULL;
  if (n < sizeof head)
    return NULL;
  memcpy (&head, content, sizeof head);
  *count = head.n;
  bool ok
      = head.n <= BBS_CHUNK_MOST && head.bytes <= (head.n + 1UL) * LISTS * BYTES_NUMBER_MOST
        && unpack_lists (content + sizeof head, n - sizeof head, head.bytes, &memory, lists, LISTS)
        && tids_begin (&tids, head.n, false) && (calls = malloc (head.n * sizeof *calls + 1))
        && take_calls (lists, &head, &tids, calls);
  tids_free (&tids);
  bytes_free (&memory);
  if (!ok)
    free (calls);
  return ok ? calls : NULL;
}
