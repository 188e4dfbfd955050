/* SPDX-License-Identifier: MIT */
/* Records what the calling thread does, as bits and tokens (bbprof-abi.h), in the pieces of its
   stream.  Context: hot, called by points.c, after frames.c; assembler does the most frequent
   part itself (arch/.../tracepoints.S).

   While BBP_MODE_LOST is set, the next entry, landing or return begins a piece.  The piece
   continues the previous one; or, if BBP_MODE_TRACE is not set, so that nothing was recorded
   meanwhile, it says so.  Thus most pieces can be decoded alone.  A piece that is full before
   such an event is followed by one that cannot.

   A token is stored before the bit that announces it, in the same piece.  So there is always
   room for one token and one word of bits. */
#include "arch.h"
#include "runtime/base/sys.h"
#include "runtime/trace/stream.h"
#include "runtime/trace/trace.h"

/* From this fill level on the next event begins another piece. */
#define ENOUGH_WORDS (BBQ_BITS - BBQ_BITS / 8)
#define ENOUGH_TOKENS (BBQ_TOKENS - BBQ_TOKENS / 8)
#define DEPTH_SHIFT 48

/* Offsets that the assembler uses. */
_Static_assert(offsetof (struct bbp_here, bits) == 16 && offsetof (struct bbp_here, mode) == 24
                   && offsetof (struct bbp_here, mark) == 40,
               "HERE_...");
_Static_assert(offsetof (struct bbp_frames, top) == 0 && offsetof (struct bbp_frames, bottom) == 8
                   && offsetof (struct bbp_frames, limit) == 16
                   && offsetof (struct bbp_frames, forgotten) == 32,
               "FRAMES_...");
_Static_assert(offsetof (struct bbp_stream, piece) == 0 && offsetof (struct bbp_stream, words) == 8
                   && offsetof (struct bbp_stream, tokens) == 12
                   && offsetof (struct bbp_stream, last) == 32
                   && offsetof (struct bbp_stream, stopped) == 72
                   && offsetof (struct bbp_last, words) == 8
                   && offsetof (struct bbp_last, tokens) == 12,
               "STREAM_...");
_Static_assert(offsetof (struct bbq_piece, words) == 112
                   && offsetof (struct bbq_piece, tokens) == 116
                   && offsetof (struct bbq_piece, bits) == 136
                   && offsetof (struct bbq_piece, token) == 8336,
               "PIECE_...");

static void
put_mark (struct bbq_piece *piece)
{
  uint32_t marks = piece->marks;
  if (marks >= BBQ_MARKS)
    return;
  piece->mark[marks] = (struct bbq_mark) { piece->words, piece->tokens, bbp_arch_ticks () };
  __atomic_store_n (&piece->marks, marks + 1, __ATOMIC_RELEASE);
}

void
bbp_trace_look (void)
{
  struct bbq_piece *piece = bbp_stream.piece;
  if (piece->words >= BBQ_BITS || piece->tokens >= BBQ_TOKENS)
    {
      bbp_stream_begin (BBQ_START_NEXT, bbp_frames_depth ());
      return;
    }
  put_mark (piece);
  bbp_stream.words = (piece->words / BBP_WORDS_A_MARK + 1) * BBP_WORDS_A_MARK;
  bbp_stream.tokens = (piece->tokens / BBP_TOKENS_A_MARK + 1) * BBP_TOKENS_A_MARK;
  if (piece->words >= ENOUGH_WORDS || piece->tokens >= ENOUGH_TOKENS)
    __bb.mode |= BBP_MODE_LOST;
  bbp_stream_share ();
}

static void
look_if_due (const struct bbq_piece *piece)
{
  if (piece->words >= bbp_stream.words || piece->tokens >= bbp_stream.tokens)
    bbp_trace_look ();
}

/* Stores WORD, which is full; then its bits are no longer those of the thread. */
static void
put_word (struct bbq_piece *piece, uint64_t word)
{
  uint32_t words = piece->words;
  piece->bits[words] = word;
  __atomic_store_n (&piece->words, words + 1, __ATOMIC_RELEASE);
  __bb.bits = 1;
}

/* Likewise, for a stopped thread: the word is dropped unless it was full when the thread was
   stopped. */
static void
drop_word (struct bbq_piece *piece)
{
  bool was_full = bbp_stream.stopped == __bb.bits;
  if (was_full)
    {
      put_word (piece, __bb.bits);
      bbp_stream.stopped = 1;
    }
  __bb.bits = 1;
}

static void
put_bit (bool bit)
{
  struct bbq_piece *piece = bbp_stream.piece;
  if (__bb.bits >> 63)
    put_word (piece, __bb.bits << 1 | bit);
  else
    bbp_arch_push_bit (&__bb.bits, bit);
  look_if_due (piece);
}

static void
put_token (uintptr_t address, uint64_t depth)
{
  struct bbq_piece *piece = bbp_stream.piece;
  bbp_stream_take_back (&bbp_stream, __bb.bits);
  uint32_t tokens = piece->tokens;
  /* first, so that the position is that of no token until the token is stored */
  __atomic_store_n (&bbp_stream.last.tokens, tokens, __ATOMIC_RELAXED);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  bbp_stream.last.words = piece->words;
  bbp_stream.last.bits = __bb.bits;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  piece->token[tokens] = address | depth << DEPTH_SHIFT;
  __atomic_store_n (&piece->tokens, tokens + 1, __ATOMIC_RELEASE);
  put_bit (true);
}

/* Distance from the stack pointer at a function's entry within which its later ones usually lie.
   Further away it may be another stack on which the program continues, as coroutines do.  Then
   the function that continues must be recorded. */
#define NEAR 8192

/* True if the trace knows the frame of the function that continues with SP. */
static bool
is_known (uintptr_t sp)
{
  return sp <= __bb.mark && bbp_frames.top > bbp_frames.bottom && bbp_frames.top[-1] - sp < NEAR;
}

/* False: nothing is recorded.  DEPTH: before the event. */
static bool
is_recorded (uintptr_t sp, uint64_t depth)
{
  if (!(__bb.mode & BBP_MODE_LOST))
    return __bb.mode & BBP_MODE_TRACE;
  if (!bbp_stream_begin (__bb.mode & BBP_MODE_TRACE ? BBQ_START_EVENT : BBQ_START_LOST, depth))
    return false;
  __bb.mark = sp;
  return true;
}

/* The executable's code, if it has trace points.  It is always mapped, so the assembler checks
   return addresses by reading the code there.  Writer: lock; once, the bytes last; read in the
   other order. */
extern struct bbp_trace_code {
  uintptr_t bytes, low;
} bbp_trace_code BBP_HIDDEN;
struct bbp_trace_code bbp_trace_code;

void
bbp_trace_know_code (uintptr_t low, uintptr_t bytes)
{
  __atomic_store_n (&bbp_trace_code.low, low, __ATOMIC_RELAXED);
  __atomic_store_n (&bbp_trace_code.bytes, bytes, __ATOMIC_RELEASE);
}

/* Cache of other return addresses; KNOWN_POINT: a trace point is there.  Writers: all threads;
   each word is right, or that of another address.  Two addresses can share a place and its
   neighbour; the last one used is in the place, where the assembler looks. */
#define KNOWN 1024
#define KNOWN_POINT ((uintptr_t) 1 << 63)
extern uintptr_t bbp_trace_known[KNOWN] BBP_HIDDEN; /* the assembler reads this first */
uintptr_t bbp_trace_known[KNOWN];

static bool
is_point (uintptr_t address)
{
  unsigned char code[BBP_ARCH_POINT_BYTES];
  return bbp_sys_read_own (code, (const void *) address, sizeof code) == sizeof code
         && bbp_arch_is_point (code);
}

/* True if code with trace points called the function that was entered with stack pointer SP.  Code
   without trace points may catch an exception or a longjmp, and so remove frames that the trace
   knows.  Then returns to the frames above must be recorded. */
static bool
is_called_from_point (uintptr_t sp)
{
  uintptr_t address = *(const uintptr_t *) sp;
  size_t place = address / 2 % KNOWN;
  uintptr_t before = __atomic_load_n (&bbp_trace_known[place], __ATOMIC_RELAXED), seen;
  if ((before & ~KNOWN_POINT) == address)
    return before & KNOWN_POINT;
  seen = __atomic_load_n (&bbp_trace_known[place ^ 1], __ATOMIC_RELAXED);
  if ((seen & ~KNOWN_POINT) != address)
    seen = address | (is_point (address) ? KNOWN_POINT : 0);
  __atomic_store_n (&bbp_trace_known[place], seen, __ATOMIC_RELAXED);
  __atomic_store_n (&bbp_trace_known[place ^ 1], before, __ATOMIC_RELAXED);
  return seen & KNOWN_POINT;
}

void
bbp_trace_forget_code (void)
{
  for (size_t i = 0; i < KNOWN; i++)
    __atomic_store_n (&bbp_trace_known[i], 0, __ATOMIC_RELAXED);
}

void
bbp_trace_enter (uintptr_t block, uintptr_t sp)
{
  uint64_t depth = bbp_frames_depth ();
  if (!is_recorded (sp, depth - 1))
    return;
  if (!is_called_from_point (sp))
    __bb.mark = sp;
  put_token (block, depth);
}

void
bbp_trace_land (uintptr_t block, uintptr_t sp)
{
  uint64_t depth = bbp_frames_depth ();
  if (!is_recorded (sp, depth))
    return;
  if (sp > __bb.mark)
    __bb.mark = sp;
  put_token (block, depth);
}

void
bbp_trace_return (uintptr_t point, uintptr_t sp)
{
  uint64_t depth = bbp_frames_depth ();
  bool known_frame = is_known (sp) && !(__bb.mode & BBP_MODE_LOST);
  if (!is_recorded (sp, depth))
    return;
  if (known_frame)
    {
      put_bit (false);
      return;
    }
  __bb.mark = sp;
  put_token (point, depth);
}

void
bbp_trace_token (uintptr_t block)
{
  if (bbp_stream.piece)
    put_token (block, 0);
}

/* A block of historic code: its function's frame is unknown, so returns to other frames must be
   recorded. */
void
bbp_trace_block (uintptr_t block)
{
  if (is_recorded (0, bbp_frames_depth ()))
    put_token (block, 0);
}

void
bbp_trace_bits (void)
{
  struct bbq_piece *piece = bbp_stream.piece;
  if (!piece)
    {
      __bb.bits = 1;
      return;
    }
  if (bbp_stream.stopped)
    {
      drop_word (piece);
      return;
    }
  put_word (piece, __bb.bits);
  look_if_due (piece);
}
