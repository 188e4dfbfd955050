/* SPDX-License-Identifier: MIT */
/* The memory that the process shares with the writer of its trace (bbprof-pieces.h).  A thread
   claims a piece, fills it, and submits it; the writer frees it.  Without a free piece the
   thread waits for the writer (back-pressure), or with overflow=drop loses what it does
   meanwhile.  It never waits for a writer that has ended or is stuck, nor for pieces that other
   threads are filling.

   With a window nothing is submitted before the end (recent.c).  The process has the memory
   mapped, but no descriptor of it.  Context: see each function. */
#include <errno.h>
#include <linux/futex.h>
#include <string.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/trace/stream.h"
#include "runtime/trace/trace.h"
#include "runtime/writer/writer.h"

#define POLL_INTERVAL 100000000UL /* nanoseconds */

struct bbp_trace bbp_trace;

static uint32_t streams; /* number of streams so far; writers: all threads, atomically */

uint32_t
bbp_stream_number (void)
{
  return __atomic_add_fetch (&streams, 1, __ATOMIC_RELAXED);
}

bool
bbp_trace_is_wanted (void)
{
  return bbp_trace.wanted && !__atomic_load_n (&bbp_trace.dead, __ATOMIC_RELAXED);
}

void
bbp_pieces_lose (uint64_t n)
{
  if (n && bbp_trace.head)
    atomic_fetch_add (&bbp_trace.head->lost_pieces, n);
}

/* The futexes are not private, because the other side is another process. */
void
bbp_pieces_wake (_Atomic uint32_t *word, _Atomic uint32_t *waiting)
{
  atomic_fetch_add (word, 1);
  if (atomic_load (waiting))
    bbp_sys_futex ((int *) word, FUTEX_WAKE, INT32_MAX);
}

/* Waits until the writer changes WORD, which was SEEN, or for a limited time. */
long
bbp_pieces_wait (_Atomic uint32_t *word, uint32_t seen)
{
  atomic_fetch_add (&bbp_trace.head->waiting_program, 1);
  long result = bbp_sys_futex_for ((int *) word, FUTEX_WAIT, (int) seen, POLL_INTERVAL);
  atomic_fetch_sub (&bbp_trace.head->waiting_program, 1);
  return result;
}

/* Claims a piece in STATE; null: there is none.  Any. */
static struct bbq_piece *
take (uint32_t state, bool *others)
{
  for (uint32_t i = 0; i < bbp_trace.head->pieces; i++)
    {
      struct bbq_piece *piece = bbp_piece_at (i);
      uint32_t seen = atomic_load_explicit (&piece->state, memory_order_relaxed);
      *others |= seen == BBQ_FULL;
      if (seen == state && atomic_compare_exchange_strong (&piece->state, &seen, BBQ_USED))
        return piece;
    }
  return NULL;
}

/* A piece that is used for the first time may have no memory yet; where none is available,
   touching it would raise SIGBUS. */
static bool
is_usable (struct bbq_piece *piece)
{
  if (piece->started)
    return true;
  long result = bbp_sys_populate (piece, bbp_trace.head->bytes_of_piece);
  if (result != -ENOMEM && result != -EFAULT)
    return true;
  atomic_store (&piece->state, BBQ_FREE);
  return false;
}

/* Waits until the writer has freed a piece, by the count SEEN.  False: it will not. */
static bool
wait_for_writer (uint32_t seen, uint64_t until)
{
  long result = bbp_pieces_wait (&bbp_trace.head->freed, seen);
  bool gone = bbp_writer_is_gone (&bbp_trace.writer)
              || bbp_sys_nanoseconds (CLOCK_MONOTONIC) > until;
  if (gone)
    __atomic_store_n (&bbp_trace.dead, true, __ATOMIC_RELAXED);
  return !gone && result != -EPERM;
}

/* A piece of a thread that has ended, or else the oldest of the calling thread. */
static struct bbq_piece *
claim_in_window (void)
{
  bool full = false;
  struct bbq_piece *piece = take (BBQ_FULL, &full);
  return piece ? piece : bbp_recent_give ();
}

static struct bbq_piece *
claim_shared (void)
{
  uint64_t until = 0;
  for (uint32_t before = atomic_load (&bbp_trace.head->freed);;)
    {
      uint32_t freed = atomic_load (&bbp_trace.head->freed);
      bool full = false;
      struct bbq_piece *piece = take (BBQ_FREE, &full);
      if (piece)
        return is_usable (piece) ? piece : NULL;
      if (bbp_trace.head->window)
        return claim_in_window ();
      if (!full || bbp_options.overflow_drop)
        return NULL;
      if (freed != before || !until)
        until = bbp_sys_nanoseconds (CLOCK_MONOTONIC) + BBP_WRITER_PATIENCE;
      before = freed;
      if (!wait_for_writer (freed, until))
        return NULL;
    }
}

/* A forked child may soon call exec.  So its first piece is in private memory until something
   would be lost. */
static struct bbq_piece *
claim_first (void)
{
  bbp_sigset old = bbp_lock ();
  struct bbq_piece *first = NULL;
  if (!bbp_trace.head && !bbp_trace.first)
    first = bbp_trace.first = bbp_pages_map (bbp_whole_pages (sizeof *first));
  else if (!bbp_trace.head)
    bbp_trace_start ();
  bbp_unlock (old);
  return first;
}

/* Hot. */
struct bbq_piece *
bbp_piece_claim (void)
{
  struct bbq_piece *piece = bbp_trace.head ? NULL : claim_first ();
  return piece || !bbp_trace.head ? piece : claim_shared ();
}

static void
start (void)
{
  bbp_sigset old = bbp_lock ();
  if (!bbp_trace.head)
    bbp_trace_start ();
  bbp_unlock (old);
}

/* Copies a forked child's first piece, PIECE, to a shared one; null: there is none.  Its memory
   stays: where recording has ended, the thread's stream still refers to it. */
static struct bbq_piece *
share (struct bbq_piece *piece)
{
  if (!bbp_trace.head && bbp_trace_is_wanted ())
    start ();
  struct bbq_piece *shared = bbp_trace.head ? claim_shared () : NULL;
  const size_t state = sizeof piece->state;
  if (shared)
    bbp_copy_bytes ((char *) shared + state, (char *) piece + state, sizeof *piece - state);
  bbp_trace.first = NULL;
  return shared;
}

/* Hot: the calling thread is filling PIECE; returns the piece in which it continues. */
struct bbq_piece *
bbp_piece_share (struct bbq_piece *piece)
{
  return piece == bbp_trace.first ? share (piece) : piece;
}

/* Hot; the piece belongs to the calling thread, or to one that pauses. */
void
bbp_piece_submit (struct bbq_piece *piece)
{
  piece = bbp_piece_share (piece);
  if (!piece)
    return;
  if (bbp_trace.head->window)
    {
      if (!bbp_trace.sealed)
        bbp_recent_keep (piece);
      return;
    }
  atomic_store_explicit (&piece->state, BBQ_FULL, memory_order_release);
  bbp_pieces_wake (&bbp_trace.head->submitted, &bbp_trace.head->waiting_writer);
}

/* Hot. */
void
bbp_piece_give_back (struct bbq_piece *piece)
{
  if (piece != bbp_trace.first)
    atomic_store (&piece->state, BBQ_FREE);
}
