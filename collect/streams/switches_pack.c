/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts the thread of a switch: the thread that leaves a processor is the one that got it last,
   and often the next one that gets it.  A predicted thread is written as 0, so most of the data are
   times. */
#include <stdlib.h>

#include "collect/streams/tids.h"
#include "collect/streams/watched_pack.h"

enum { TIMES, CPU_KINDS, THREADS, TIDS, LISTS };
enum { KIND_BITS = 3, KINDS = 1 << KIND_BITS };
/* The last thread is known for each of these, by the lowest bits of the processor's number. */
enum { CPUS = 256 };

/* Writer and reader keep the same prediction. */
struct prediction {
  uint64_t last[CPUS]; /* 1 + number of the thread of the last switch there; 0: none yet */
};

/* Writes 0 into THREADS for the predicted thread, else 1 + its number. */
static void
put_thread (struct bytes *lists, struct tids *tids, struct prediction *f,
            const struct bbs_switch *s)
{
  uint64_t *predicted = &f->last[s->cpu % CPUS],
           thread = 1 + tids_write (tids, s->tid, &lists[TIDS]);
  bytes_put_number (&lists[THREADS], thread == *predicted ? 0 : thread);
  *predicted = thread;
}

static void
put_switches (struct bytes *lists, struct tids *tids, const struct bbs_switch *switches, size_t n)
{
  struct prediction f = { { 0 } };
  uint64_t before = switches->time;
  for (size_t i = 0; i < n; i++)
    {
      const struct bbs_switch *s = &switches[i];
      bytes_put_number (&lists[TIMES], s->time - before);
      bytes_put_number (&lists[CPU_KINDS], (uint64_t) s->cpu * KINDS + s->kind);
      if (s->kind == BBS_GAP)
        bytes_put_number (&lists[THREADS], s->tid);
      else
        put_thread (lists, tids, &f, s);
      before = s->time;
    }
}

bool
switches_pack (struct packer *p, const struct bbs_switch *switches, size_t n, struct bytes *to)
{
  struct bytes lists[LISTS];
  struct tids tids;
  bool ok = lists_begin (lists, LISTS, n * BYTES_NUMBER_MOST + 1);
  ok = tids_begin (&tids, n, true) && ok && bytes_reserve (to, sizeof (struct bbs_switches));
  if (ok)
    {
      put_switches (lists, &tids, switches, n);
      const struct bbs_switches head
          = { .n = (uint32_t) n, .first = switches->time, .bytes = lists_bytes (lists, LISTS) };
      bytes_put (to, &head, sizeof head);
      ok = pack_lists (p, lists, LISTS, to);
    }
  tids_free (&tids);
  lists_free (lists, LISTS);
  return ok;
}

static bool
take_thread (struct reading *lists, struct tids *tids, struct prediction *f, struct bbs_switch *s)
{
  uint64_t *predicted = &f->last[s->cpu % CPUS], thread;
  if (!reading_number (&lists[THREADS], &thread) || (thread == 0 && *predicted == 0))
    return false;
  if (thread == 0)
    thread = *predicted;
  if (!tids_read (tids, thread - 1, &lists[TIDS]))
    return false;
  *predicted = thread;
  s->tid = tids->tids[thread - 1];
  return true;
}

static bool
take_lost (struct reading *lists, struct bbs_switch *s)
{
  uint64_t lost;
  bool ok = reading_number_most (&lists[THREADS], UINT32_MAX, &lost);
  s->tid = (uint32_t) lost;
  return ok;
}

static bool
take_switches (struct reading *lists, const struct bbs_switches *head, struct tids *tids,
               struct bbs_switch *switches)
{
  struct prediction f = { { 0 } };
  uint64_t time = head->first, distance, cpu_kind;
  for (size_t i = 0; i < head->n; i++)
    {
      if (!reading_number_most (&lists[TIMES], UINT64_MAX - time, &distance)
          || !reading_number_most (&lists[CPU_KINDS], UINT16_MAX * KINDS + KINDS - 1, &cpu_kind)
          || cpu_kind % KINDS >= BBS_SWITCH_KINDS)
        return false;
      time += distance;
      struct bbs_switch *s = &switches[i];
      *s = (struct bbs_switch) { .time = time,
                                 .cpu = (uint16_t) (cpu_kind / KINDS),
                                 .kind = (uint16_t) (cpu_kind % KINDS) };
      if (s->kind == BBS_GAP ? !take_lost (lists, s) : !take_thread (lists, tids, &f, s))
        return false;
    }
  return true;
}

struct bbs_switch *
switches_unpack (const unsigned char *content, size_t n, size_t *count)
{
  struct bbs_switches head;
  struct bytes memory = { .data = NULL };
  struct reading lists[LISTS];
  struct tids tids = { .n = 0 };
  struct bbs_switch *switches = NULL;
  if (n < sizeof head)
    return NULL;
  memcpy (&head, content, sizeof head);
  *count = head.n;
  bool ok
      = head.n <= BBS_CHUNK_MOST && head.bytes <= (head.n + 1UL) * LISTS * BYTES_NUMBER_MOST
        && unpack_lists (content + sizeof head, n - sizeof head, head.bytes, &memory, lists, LISTS)
        && tids_begin (&tids, head.n, false) && (switches = malloc (head.n * sizeof *switches + 1))
        && take_switches (lists, &head, &tids, switches);
  tids_free (&tids);
  bytes_free (&memory);
  if (!ok)
    free (switches);
  return ok ? switches : NULL;
}
