/* SPDX-License-Identifier: MIT */
/* Shared by the files of the trace: trace.c, streams.c, pieces.c, session.c. */
#ifndef BBP_STREAM_H
#define BBP_STREAM_H

#include "include/bbprof-pieces.h"
#include "runtime/trace/trace.h"
#include "runtime/writer/writer.h"

#pragma GCC visibility push(hidden)

/* The stream in which the calling thread records: its own; or the handler's, while a handler of
   the program interrupts it.  Writer: the thread.  The assembler uses the first three fields. */
struct bbp_stream {
  struct bbq_piece *piece; /* null: nothing is recorded */
  uint32_t words, tokens;  /* when the piece has so many, bbp_trace_look must be called */
  uint32_t number;         /* 0: it has not begun */
  uint32_t sequence;       /* number of the next piece */
  uint64_t skipped;        /* events since no piece was available */
  struct bbp_last {
    uint64_t bits;
    uint32_t words, tokens;
    /* Position in the piece when a token was stored that a bit has yet to announce. */
  } last;
  struct bbp_event {
    bool there, bit, announces;
    uint64_t token;
    /* While the thread gets another piece: the event that will be its first one. */
  } carried;
  struct bbp_suspended *below; /* state of the interrupted stream; null: not a handler's stream */
  /* Its bits when the thread was stopped, perhaps in code that still pushes some; 0: not
     stopped. */
  uint64_t stopped;
};
extern __thread struct bbp_stream bbp_stream __attribute__ ((tls_model ("initial-exec")));

/* The state of an interrupted stream; lies between the frames of the stream and the handler's. */
struct bbp_suspended {
  struct bbp_stream stream;
  struct bbp_here here;
  struct bbp_frames frames;
  uintptr_t low, high; /* range of the handler's stack pointers; HIGH: its context */
  uintptr_t pc;        /* the interrupted address */
};

/* trace.c: hot */
#define BBP_WORDS_A_MARK 8
#define BBP_TOKENS_A_MARK 256
void bbp_trace_look (void); /* the piece needs a time stamp, or is full */
/* cold, lock held: the executable's code, which has trace points. */
void bbp_trace_know_code (uintptr_t low, uintptr_t bytes);

/* streams.c: hot */
/* Begins another piece, behind the previous one; false: there is none, and recording ends. */
bool bbp_stream_begin (enum bbq_start, uint64_t depth);
void bbp_stream_finish (enum bbq_end); /* the piece is complete */

void bbp_stream_take_back (struct bbp_stream *, uint64_t bits);
void bbp_stream_share (void);  /* the piece must be kept */
void bbp_stream_forked (void); /* cold */
/* cold, lock held: of all threads, which pause: recording ends. */
void bbp_streams_seal (void);
void bbp_streams_show (void); /* cold, lock held: makes everything recorded visible to the writer */

/* session.c, pieces.c: the trace of the process. */
struct bbp_trace {
  /* There is code with trace points, and the user wants a trace; writer: lock. */
  bool wanted;
  /* the writer has ended, or could not be started; writers: all threads */
  bool dead;
  struct bbq_head *head;    /* null: no shared memory yet; lock */
  size_t bytes;             /* its size; lock */
  struct bbp_writer writer; /* lock */
  unsigned endings;         /* number requested so far; lock */
  bool ends_with_totals;    /* the next totals are final; lock */
  bool sealed;              /* recording has ended; writer: lock */
  /* A forked child's piece, in private memory; null: shared now, or never used; lock. */
  struct bbq_piece *first;
};
extern struct bbp_trace bbp_trace;
void bbp_trace_start (void); /* cold, and hot in a forked child; lock held */

static inline struct bbq_piece *
bbp_piece_at (uint32_t number)
{
  const struct bbq_head *head = bbp_trace.head;
  return (struct bbq_piece *) ((char *) head + head->bytes_of_head
                               + number * (size_t) head->bytes_of_piece);
}

static inline uint32_t
bbp_piece_number (const struct bbq_piece *piece)
{
  const struct bbq_head *head = bbp_trace.head;
  return (uint32_t) (((uintptr_t) piece - (uintptr_t) head - head->bytes_of_head)
                     / head->bytes_of_piece);
}

/* recent.c: hot, unless a line says otherwise */
bool bbp_recent_make (uint32_t pieces); /* cold, lock held; false: no memory */
void bbp_recent_keep (struct bbq_piece *);
struct bbq_piece *bbp_recent_give (void); /* null: there is none */
void bbp_recent_end (void);               /* cold: the thread ends */
void bbp_recent_forked (void);            /* cold */

/* pieces.c: hot */
struct bbq_piece *bbp_piece_claim (void); /* null: none is available */
/* Its content must not be lost: returns the piece in which the thread continues; null: it is
   lost. */
struct bbq_piece *bbp_piece_share (struct bbq_piece *);
void bbp_piece_submit (struct bbq_piece *);
void bbp_piece_give_back (struct bbq_piece *); /* it was not used */
uint32_t bbp_stream_number (void);             /* number of a new stream */
void bbp_pieces_lose (uint64_t n);
long bbp_pieces_wait (_Atomic uint32_t *word, uint32_t seen);
void bbp_pieces_wake (_Atomic uint32_t *word, _Atomic uint32_t *waiting);

/* Number of bits in a shift register. */
static inline uint32_t
bbp_bits_number (uint64_t bits)
{
  return bits ? 63 - (uint32_t) __builtin_clzl (bits) : 0;
}

#pragma GCC visibility pop

#endif
