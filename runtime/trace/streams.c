/* SPDX-License-Identifier: MIT */
/* Begins, interrupts and ends a thread's stream.  A handler of the program has its own stream and
   frames: the state of the interrupted stream is stored between its frames and the handler's.  A
   handler may leave by a jump.  Then the first trace point with a stack pointer outside of the
   handler's stack ends its stream.  The interrupted stream continues, and says that it does not
   know its frames.  Context: hot, by the thread itself, unless a function says otherwise. */
#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/flow.h"
#include "runtime/signals/signals.h"
#include "runtime/trace/sequence.h"
#include "runtime/trace/stream.h"
#include "runtime/trace/trace.h"

/* Number of events that are skipped before the thread tries again to get a piece. */
#define PATIENCE 256

/* Nothing is recorded until an event begins a piece. */
static uint64_t
lost_mode (uint64_t mode)
{
  return mode & BBP_MODE_TRACE ? (mode & ~(uint64_t) BBP_MODE_TRACE) | BBP_MODE_LOST : mode;
}

static uint64_t
now (void)
{
  return bbp_sys_nanoseconds (CLOCK_REALTIME);
}

/* Estimated number of pieces that those events would have filled. */
static uint64_t
lost_pieces (const struct bbp_stream *stream)
{
  return stream->skipped ? 1 + stream->skipped / BBQ_TOKENS : 0;
}

/* Records the position of the stream that a handler has interrupted. */
static void
put_parent (struct bbq_piece *piece, const struct bbp_suspended *below)
{
  const struct bbq_piece *parent = below->stream.piece;
  piece->parent = below->stream.number;
  piece->parent_sequence = parent ? parent->sequence : 0;
  piece->parent_words = parent ? parent->words : 0;
  piece->parent_tokens = parent ? parent->tokens : 0;
  piece->parent_rest = parent ? bbp_bits_number (below->here.bits) : 0;
  piece->parent_pc = below->pc;
}

static void
open_piece (struct bbq_piece *piece, enum bbq_start start, uint64_t depth)
{
  struct bbp_stream *stream = &bbp_stream;
  piece->stream = 0;
  piece->words = piece->tokens = piece->marks = piece->rest = 0;
  stream->last = (struct bbp_last) { 0 };
  piece->sequence = stream->sequence++;
  piece->tid = (uint32_t) bbp_sys_gettid ();
  piece->start = start;
  piece->end = BBQ_END_NOT;
  piece->depth = (uint32_t) depth;
  piece->parent = 0;
  if (stream->below)
    put_parent (piece, stream->below);
  piece->pc = 0;
  piece->ended = piece->ended_tsc = 0;
  piece->lost = lost_pieces (stream);
  bbp_sys_thread_name (piece->name);
  piece->started = now ();
  piece->started_tsc = bbp_arch_ticks ();
  /* a writer that sees the number sees all fields */
  __atomic_store_n (&piece->stream, stream->number, __ATOMIC_RELEASE);
}

/* The start of a thread's or handler's first stream, if it has recorded nothing yet. */
static enum bbq_start
begin_stream (enum bbq_start start, uint64_t depth)
{
  bbp_stream.number = bbp_stream_number ();
  bbp_stream.sequence = 0;
  return start == BBQ_START_LOST && depth == 0 ? BBQ_START_STREAM : start;
}

/* Removes the last event, after which the bits are *BITS, from the stream. */
static struct bbp_event
pop_event (struct bbp_stream *stream, uint64_t *bits)
{
  struct bbq_piece *piece = stream->piece;
  const struct bbp_last *last = &stream->last;
  struct bbp_event event = { .there = true };
  uint64_t all = *bits == 1 ? piece->bits[--piece->words] : *bits;
  event.bit = all & 1;
  *bits = *bits == 1 ? all >> 1 | (uint64_t) 1 << 63 : all >> 1;
  event.announces = last->bits == *bits && last->words == piece->words
                    && piece->tokens == last->tokens + 1;
  if (event.announces)
    event.token = piece->token[piece->tokens = last->tokens];
  return event;
}

/* The thread gets another piece in the middle of an event.  The event moves to the new piece,
   because if recording ends meanwhile, control has not passed it. */
static void
carry (struct bbp_stream *stream)
{
  bbp_sigset old = bbp_signals_block ();
  if (stream->piece && !bbp_trace.sealed)
    stream->carried = pop_event (stream, &__bb.bits);
  bbp_signals_restore (old);
}

/* Only where the piece continues: the interrupted code may have been left. */
static void
put_carried (struct bbp_stream *stream)
{
  const struct bbp_event *event = &stream->carried;
  if (stream->piece->start != BBQ_START_NEXT)
    stream->carried = (struct bbp_event) { 0 };
  __bb.bits = event->there ? 2 | event->bit : 1;
  if (event->announces)
    {
      stream->last = (struct bbp_last) { .bits = 1 };
      stream->piece->token[0] = event->token;
      stream->piece->tokens = 1;
    }
  stream->carried = (struct bbp_event) { 0 };
}

/* False in a copy of the process that was made without fork: the pieces are its parent's. */
static bool
may_record (void)
{
  return bbp_trace_is_wanted () && !bbp_trace.sealed && bbp_profiled_memory () && __bb_thread
         && !bbp_thread_is_stopped (__bb_thread);
}

/* Claims another piece.  If none is free before the present one is complete, completes that with
   END first. */
static struct bbq_piece *
claim (enum bbq_end end)
{
  if (bbp_stream.skipped && ++bbp_stream.skipped % PATIENCE)
    return NULL;
  struct bbq_piece *piece = bbp_piece_claim ();
  if (!piece && bbp_stream.piece)
    {
      bbp_stream_finish (end);
      piece = bbp_piece_claim ();
    }
  if (!piece && !bbp_stream.skipped)
    bbp_stream.skipped = 1;
  return piece;
}

/* Likewise, but waits for a free piece.  While the thread sleeps it keeps the present piece.  So a
   dump that reads counts and ends the recording meanwhile finds the position of both. */
static struct bbq_piece *
wait_for_piece (enum bbq_end end)
{
  struct bbp_thread *thread = __bb_thread;
  bbp_pause_sleep_begins (thread, bbp_point_caller);
  struct bbq_piece *piece = claim (end);
  bbp_pause_sleep_ends (thread);
  return piece;
}

static void
use_piece (struct bbq_piece *piece, enum bbq_start start, uint64_t depth)
{
  struct bbp_stream *stream = &bbp_stream;
  if (!stream->number)
    start = begin_stream (start, depth);
  open_piece (piece, start, depth);
  bbp_pieces_lose (piece->lost);
  stream->skipped = 0;
  stream->words = BBP_WORDS_A_MARK;
  stream->tokens = BBP_TOKENS_A_MARK;
  stream->piece = piece;
  put_carried (stream);
  if (!stream->below)
    __bb_thread->piece = piece;
  __bb.mode = (__bb.mode & ~(uint64_t) BBP_MODE_LOST) | BBP_MODE_TRACE;
}

/* A thread that ends the recording finds the old piece or the new one, because at the change
   this thread cannot be made to pause. */
bool
bbp_stream_begin (enum bbq_start start, uint64_t depth)
{
  enum bbq_end end = start == BBQ_START_NEXT || start == BBQ_START_EVENT ? BBQ_END_NEXT
                                                                         : BBQ_END_PC;
  if (start == BBQ_START_NEXT)
    carry (&bbp_stream);
  struct bbq_piece *piece = may_record () ? wait_for_piece (end) : NULL;
  bbp_sigset old = bbp_signals_block ();
  bool may = may_record ();
  if (!bbp_trace.sealed)
    bbp_stream_finish (end);
  if (may && piece)
    use_piece (piece, start, depth);
  else
    {
      bbp_stream.carried = (struct bbp_event) { 0 };
      __bb.mode = may ? lost_mode (__bb.mode)
                      : __bb.mode & ~(uint64_t) (BBP_MODE_TRACE | BBP_MODE_LOST);
    }
  if (!may && piece)
    bbp_piece_give_back (piece);
  bbp_signals_restore (old);
  return may && piece;
}

static void
put_rest (struct bbq_piece *piece, uint64_t bits)
{
  piece->rest = bbp_bits_number (bits);
  piece->bits[piece->words] = bits & ~(1UL << piece->rest);
}

/* Removes a token that was stored, but not announced by a bit, because the thread left by a jump
   just there, or ends. */
void
bbp_stream_take_back (struct bbp_stream *stream, uint64_t bits)
{
  struct bbq_piece *piece = stream->piece;
  const struct bbp_last *last = &stream->last;
  if (piece->tokens == last->tokens + 1 && bits == last->bits && piece->words == last->words)
    piece->tokens = last->tokens;
}

/* The bits of STREAM; the thread says that they are BITS. */
static uint64_t
bits_of (const struct bbp_stream *stream, uint64_t bits)
{
  return stream->stopped ? stream->stopped : bits;
}

/* From now on nothing is recorded of the thread with HERE. */
static void
note_stop (struct bbp_stream *stream, const struct bbp_here *here)
{
  if ((here->mode & BBP_MODE_TRACE) && !stream->stopped)
    stream->stopped = here->bits;
}

/* The place where recording ends. */
struct place {
  uint64_t pc;        /* in its function; 0: unknown; BBQ_UNCOUNTED */
  bool ahead;         /* control has not reached the last event yet */
  enum bbp_word word; /* of the last bit, if AHEAD */
};
static const struct place nowhere;

/* The place of a thread that was interrupted at PC, perhaps in the code of a trace point.  Lock
   held. */
static struct place
place_at (uintptr_t pc)
{
  if (!pc)
    return nowhere;
  uintptr_t home = bbp_flow_home (pc), uncounted = bbp_flow_uncounted (home);
  struct place place = { .pc = uncounted ? uncounted | BBQ_UNCOUNTED : home };
  place.ahead = bbp_flow_is_ahead (pc, &place.word);
  return place;
}

/* A shift register with one bit. */
#define MOST_BITS_OF_ONE 3

/* Removes the last event; returns the bits without it. */
static uint64_t
without_last (struct bbp_stream *stream, uint64_t bits, enum bbp_word word)
{
  struct bbq_piece *piece = stream->piece;
  if (word == BBP_WORD_FULL || (word == BBP_WORD_FULL_OR_PUT && bits > MOST_BITS_OF_ONE))
    {
      piece->bits[piece->words++] = bits;
      bits = 1;
    }
  if (bits != 1 || piece->words > 0)
    pop_event (stream, &bits);
  return bits;
}

/* Completes STREAM's piece, with BITS as the last ones.  Context: also another thread, while
   this one pauses, perhaps inside a trace point.  Afterwards the thread still finds its piece,
   and what it adds there is ignored. */
static void
finish (struct bbp_stream *stream, uint64_t bits, enum bbq_end end, struct place place)
{
  struct bbq_piece *piece = stream->piece;
  if (!piece || piece->end != BBQ_END_NOT)
    return;
  bits = bits_of (stream, bits);
  bbp_stream_take_back (stream, bits);
  if (place.ahead && !stream->carried.there)
    bits = without_last (stream, bits, place.word);
  put_rest (piece, bits);
  piece->end_words = piece->words;
  piece->end_tokens = piece->tokens;
  piece->end_bits = piece->bits[piece->words];
  piece->pc = place.pc;
  /* a writer that sees the end sees the rest */
  __atomic_store_n (&piece->end, end, __ATOMIC_RELEASE);
  piece->ended = now ();
  piece->ended_tsc = bbp_arch_ticks ();
  bbp_piece_submit (piece);
}

static void
finish_own (enum bbq_end end, struct place place)
{
  if (__bb_thread && !bbp_stream.below)
    __bb_thread->piece = NULL;
  finish (&bbp_stream, __bb.bits, end, place);
  bbp_stream.piece = NULL;
  bbp_stream.stopped = 0;
  __bb.bits = 1;
}

void
bbp_stream_finish (enum bbq_end end)
{
  finish_own (end, nowhere);
}

void
bbp_stream_share (void)
{
  bbp_stream.piece = bbp_piece_share (bbp_stream.piece);
  if (!bbp_stream.below)
    __bb_thread->piece = bbp_stream.piece;
  if (!bbp_stream.piece)
    __bb.mode = lost_mode (__bb.mode);
}

/* Called before a handler of the program runs.  Without room for the interrupted state it records
   into the same stream.  The source of jumps is kept by jump_counts.c. */
void
bbp_stream_suspend (const void *context)
{
  struct bbp_frames *frames = &bbp_frames;
  const size_t words = sizeof (struct bbp_suspended) / sizeof *frames->top;
  if (!(__bb.mode & (BBP_MODE_TRACE | BBP_MODE_LOST)) || !bbp_frames_have_room (words + 1))
    return;
  struct bbp_suspended *suspended = (struct bbp_suspended *) frames->top;
  suspended->stream = bbp_stream;
  suspended->here = __bb;
  suspended->frames = *frames;
  suspended->high = (uintptr_t) context;
  suspended->low = bbp_arch_other_stack (context);
  suspended->pc = bbp_program_pc (context);
  frames->top = frames->bottom = frames->top + words;
  bbp_stream = (struct bbp_stream) { .below = suspended };
  __bb.bits = 1;
  __bb.mark = 0;
  __bb.mode = (__bb.mode & ~(uint64_t) BBP_MODE_TRACE) | BBP_MODE_LOST | BBP_MODE_HANDLER;
}

/* Likewise; PC itself if it cannot be looked up now. */
static struct place
place_found (uintptr_t pc)
{
  bbp_sigset old;
  if (!pc || !bbp_lock_try (&old))
    return (struct place) { .pc = pc };
  struct place place = place_at (pc);
  bbp_unlock (old);
  return place;
}

/* Continues the interrupted stream, after the innermost handler has ended.  LEFT: control continues
   at another place.  Signals are blocked: another handler would store its own interrupted state
   where BELOW is, or leave this function in the middle by a jump. */
static void
resume (bool left)
{
  bbp_sigset old = bbp_signals_block ();
  const struct bbp_suspended *below = bbp_stream.below;
  bool closed = !__bb.mode;
  uint64_t source = __bb.source;
  bbp_stream_finish (BBQ_END_STREAM);
  bbp_frames = below->frames;
  __bb = below->here;
  __bb.source = source;
  bbp_stream = below->stream;
  if (left)
    {
      finish_own (BBQ_END_PC, place_found (below->pc));
      __bb.mode = lost_mode (__bb.mode);
    }
  if (closed)
    {
      note_stop (&bbp_stream, &__bb);
      __bb.mode = 0;
    }
  bbp_signals_restore (old);
}

/* Called when the handler that interrupted CONTEXT returns; handlers that interrupted it have been
   left by jumps. */
void
bbp_stream_resume (const void *context)
{
  const struct bbp_suspended *below = bbp_stream.below;
  while (below && below->high != (uintptr_t) context)
    below = below->stream.below;
  if (!below)
    return;
  while (bbp_stream.below != below)
    resume (true);
  resume (false);
}

/* Called when a trace point is reached with stack pointer SP; as far as is known, in a handler. */
void
bbp_stream_leave_handlers (uintptr_t sp)
{
  while (bbp_stream.below && (sp < bbp_stream.below->low || sp > bbp_stream.below->high))
    resume (true);
}

/* Cold, lock held: ends STREAM, and those that it has interrupted, of a thread with BITS at
   PLACE.  Context: also another thread. */
static void
end (struct bbp_stream *stream, uint64_t bits, enum bbq_end how, struct place place)
{
  finish (stream, bits, how, place);
  bbp_pieces_lose (lost_pieces (stream));
  for (struct bbp_suspended *below = stream->below; below; below = below->stream.below)
    finish (&below->stream, below->here.bits, BBQ_END_PC, place_at (below->pc));
}

/* Code that the thread runs afterwards begins another stream: destructors of other keys, or the
   end of the process. */
void
bbp_stream_end (void)
{
  __bb.mode = lost_mode (__bb.mode);
  end (&bbp_stream, __bb.bits, BBQ_END_STREAM, nowhere);
  bbp_stream = (struct bbp_stream) { 0 };
  if (__bb_thread)
    __bb_thread->piece = NULL;
  bbp_recent_end ();
  bbp_sequence_end_of_thread ();
}

/* Called when THREAD, the calling one, gets the block of an ended thread, which perhaps ended in
   the middle of a piece.  Cold, lock held. */
void
bbp_stream_inherit (struct bbp_thread *thread)
{
  if (thread->piece && !bbp_stream.piece && thread->piece != bbp_trace.first)
    bbp_piece_submit (thread->piece);
  thread->piece = bbp_stream.below ? NULL : bbp_stream.piece;
}

/* Ends the recording of THREAD, which pauses or is the calling one. */
static void
seal (const struct bbp_thread *thread, struct bbp_here *here, struct bbp_stream *stream)
{
  __atomic_store_n (&here->mode, 0, __ATOMIC_RELEASE);
  end (stream, here->bits, BBQ_END_PC, place_at (bbp_pause_pc (thread)));
}

/* Makes the bits that are in no piece yet visible to the writer. */
static void
show (const struct bbp_thread *thread, struct bbp_here *here, struct bbp_stream *stream)
{
  (void) thread;
  if (stream->piece)
    put_rest (stream->piece, bits_of (stream, here->bits));
}

/* Leaves out threads that could end unnoticed, because other threads must not read their words: the
   writer finds their pieces. */
static void
for_all (void (*action) (const struct bbp_thread *, struct bbp_here *, struct bbp_stream *))
{
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      uintptr_t tp = thread == __bb_thread ? bbp_arch_thread_pointer () : thread->thread_pointer;
      uintptr_t apart = tp - bbp_arch_thread_pointer ();
      if (tp)
        action (thread, (struct bbp_here *) ((uintptr_t) &__bb + apart),
                (struct bbp_stream *) ((uintptr_t) &bbp_stream + apart));
    }
}

void
bbp_streams_seal (void)
{
  for_all (seal);
}

/* Called after THREAD, which pauses or is the calling one, was stopped or started. */
static void
stop (const struct bbp_thread *thread, struct bbp_here *here, struct bbp_stream *stream)
{
  uint64_t mode = here->mode & ~(uint64_t) (BBP_MODE_TRACE | BBP_MODE_LOST);
  if (bbp_thread_is_stopped (thread))
    {
      for (struct bbp_suspended *below = stream->below; below; below = below->stream.below)
        {
          note_stop (&below->stream, &below->here);
          below->here.mode = lost_mode (below->here.mode);
        }
      note_stop (stream, here);
      __atomic_store_n (&here->mode, mode, __ATOMIC_RELEASE);
    }
  else if (mode == here->mode)
    __atomic_store_n (&here->mode, mode | BBP_MODE_LOST, __ATOMIC_RELEASE);
}

void
bbp_streams_stop (void)
{
  if (bbp_trace_is_wanted ())
    for_all (stop);
}

/* Around fork, because fork handlers may run in the child before the library's. */
void
bbp_stream_pause (bool pause)
{
  static __thread uint64_t mode __attribute__ ((tls_model ("initial-exec")));
  if (pause)
    mode = __bb.mode;
  __bb.mode = pause ? 0 : mode;
}

void
bbp_streams_show (void)
{
  for_all (show);
}

/* In a forked child: the parent's stream is not the child's, but the frames are. */
void
bbp_stream_forked (void)
{
  for (struct bbp_suspended *below = bbp_stream.below; below; below = below->stream.below)
    {
      below->stream.piece = NULL;
      below->stream.number = 0;
      below->here.mode = lost_mode (below->here.mode);
    }
  bbp_stream.piece = NULL;
  bbp_stream.number = 0;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    thread->piece = NULL;
  __bb.mode = lost_mode (__bb.mode);
}
