/* SPDX-License-Identifier: MIT */
/* window=N: a thread keeps the last pieces that it filled, enough for N blocks, and uses the
   oldest one again.  The writer takes what is left at the end.  Handlers' pieces are among them.
   When the thread ends, other threads without a piece take its pieces.  Context: hot, by the
   calling thread, unless a function says otherwise. */
#include "runtime/base/base.h"
#include "runtime/trace/stream.h"

/* A block takes at most two bits, and another one for each call. */
#define BITS_A_BLOCK 2

/* By piece, the next younger one of the thread: number + 1; 0: the piece is the youngest. */
static uint32_t *younger;

static __thread struct {
  uint32_t oldest, youngest; /* number + 1 */
  uint64_t bits;             /* in all of them */
} kept __attribute__ ((tls_model ("initial-exec")));

/* Cold, lock held.  False: no memory. */
bool
bbp_recent_make (uint32_t pieces)
{
  if (!younger)
    younger = bbp_pages_map (pieces * sizeof *younger);
  return younger;
}

static uint64_t
bits_of (const struct bbq_piece *piece)
{
  return (uint64_t) piece->words * 64 + piece->rest;
}

static struct bbq_piece *
take_oldest (void)
{
  uint32_t number = kept.oldest - 1;
  struct bbq_piece *piece = bbp_piece_at (number);
  kept.oldest = younger[number];
  kept.bits -= bits_of (piece);
  return piece;
}

static void
append (const struct bbq_piece *piece)
{
  uint32_t number = bbp_piece_number (piece);
  younger[number] = 0;
  if (kept.oldest)
    younger[kept.youngest - 1] = number + 1;
  else
    kept.oldest = number + 1;
  kept.youngest = number + 1;
  kept.bits += bits_of (piece);
}

static bool
is_one_too_many (void)
{
  uint64_t others = kept.bits - bits_of (bbp_piece_at (kept.oldest - 1));
  return kept.oldest != kept.youngest && others / BITS_A_BLOCK >= bbp_trace.head->window;
}

/* PIECE is complete. */
void
bbp_recent_keep (struct bbq_piece *piece)
{
  bbp_sigset old = bbp_signals_block ();
  append (piece);
  while (is_one_too_many ())
    atomic_store (&take_oldest ()->state, BBQ_FREE);
  bbp_signals_restore (old);
}

/* Takes the oldest piece of the thread, when no free piece is left; null: it has none. */
struct bbq_piece *
bbp_recent_give (void)
{
  bbp_sigset old = bbp_signals_block ();
  struct bbq_piece *piece = kept.oldest ? take_oldest () : NULL;
  bbp_signals_restore (old);
  return piece;
}

/* Cold: the thread ends. */
void
bbp_recent_end (void)
{
  while (kept.oldest)
    atomic_store (&take_oldest ()->state, BBQ_FULL);
}

/* In a forked child. */
void
bbp_recent_forked (void)
{
  kept.oldest = 0;
  kept.bits = 0;
}
