/* SPDX-License-Identifier: MIT */
/* The memory that a traced process shares with the writer of its trace, the program
   bbprof-writer.  The process fills *pieces* (buffers of fixed size).  The writer empties them
   while the process runs, and after its end, however it ended.  A head stands in front; piece I
   lies at bytes_of_head + I * bytes_of_piece.

   A piece belongs to one *stream*: what one thread does, or what one signal handler of the
   program does while it interrupts a thread.  bbprof-abi.h defines the bits and tokens. */
#ifndef BBPROF_PIECES_H
#define BBPROF_PIECES_H

#include <stdatomic.h>
#include <stdint.h>

#define BBQ_MAGIC 0x6262702d71756575UL
#define BBQ_VERSION 2
#define BBQ_BITS 1024    /* words of bits in a piece */
#define BBQ_TOKENS 14336 /* tokens in a piece */
#define BBQ_MARKS 256

enum bbq_state {
  BBQ_FREE,
  BBQ_USED, /* claimed by a thread, atomically */
  /* complete, set by that thread; freed by the writer, or with a window by the process. */
  BBQ_FULL
};

enum bbq_start {
  BBQ_START_STREAM, /* nothing before it: a thread or a handler begins */
  BBQ_START_NEXT,   /* continues where the previous piece ends */
  /* The stream before it is lost, or was not recorded: its frames are unknown; DEPTH frames are
     active. */
  BBQ_START_LOST,
  /* Continues where the previous piece ends, and can be decoded alone, as BBQ_START_LOST can. */
  BBQ_START_EVENT
};

enum bbq_end {
  BBQ_END_NOT,   /* the process was killed, or is still running */
  BBQ_END_NEXT,  /* full; another piece follows */
  BBQ_END_PC,    /* recording ended with the thread at PC; 0: unknown */
  BBQ_END_STREAM /* the thread or handler ended, or was left by a jump */
};

/* In the PC of BBQ_END_PC: the block there has not been counted yet. */
#define BBQ_UNCOUNTED (1UL << 63)

/* A time stamp: when so many words of bits, and tokens, had been recorded. */
struct bbq_mark {
  uint32_t words, tokens;
  uint64_t tsc;
};

/* Writer: the thread that claimed it.  A number that grows is stored after the data that it
   counts. */
struct bbq_piece {
  _Atomic uint32_t state; /* enum bbq_state */
  uint32_t stream;        /* number, from 1 */
  uint32_t sequence;      /* in the stream, from 0 */
  uint32_t tid;
  uint32_t start, end; /* enum bbq_start, bbq_end */
  uint32_t depth;      /* active traced frames at the start */
  uint32_t parent;     /* of a handler's stream: the interrupted stream; else 0 */
  /* The position at which it was interrupted: piece, words of bits, tokens, bits behind those. */
  uint32_t parent_sequence, parent_words, parent_tokens, parent_rest;
  uint64_t parent_pc;      /* program counter that was interrupted */
  uint64_t pc;             /* BBQ_END_PC, with BBQ_UNCOUNTED */
  uint64_t started, ended; /* ns since 1970 */
  uint64_t started_tsc, ended_tsc;
  char name[16];   /* of the thread */
  uint32_t words;  /* full words of bits; grows */
  uint32_t tokens; /* grows */
  uint32_t marks;  /* grows */
  /* Bits in the word behind the full ones, in a complete piece; the oldest is the highest of
     them. */
  uint32_t rest;
  uint64_t lost; /* number of pieces lost right before this one */
  uint64_t bits[BBQ_BITS + 1];
  uint64_t token[BBQ_TOKENS];
  struct bbq_mark mark[BBQ_MARKS];
  /* Of a complete piece: words, tokens, and the bits behind the words.  Another thread may have
     completed it while its own was in the middle of an event, which that adds above afterwards. */
  uint32_t end_words, end_tokens;
  uint64_t end_bits;
};

/* A module with traced functions.  Entries are never removed. */
struct bbq_object {
  /* Run-time address - link-time address; link-time addresses of all segments, end exclusive. */
  uint64_t bias, start, end;
  uint64_t loaded, unloaded; /* ns since 1970; 0: not (yet) */
  uint32_t build_id_bytes;
  unsigned char build_id[64];
  char path[512];
};
#define BBQ_OBJECTS 1024

/* Writer: the process, unless a field says otherwise. */
struct bbq_head {
  uint64_t magic;
  uint32_t version, bytes_of_head, bytes_of_piece, pieces;
  uint32_t pid;
  uint64_t run, started;
  /* Number of blocks of each thread to keep, written at the endings only; 0: all blocks are
     written. */
  uint64_t window;
  char path[4096]; /* of the trace's file */
  char program[4096];
  _Atomic uint32_t submitted; /* futex: +1 for each full piece, and at endings */
  _Atomic uint32_t freed;     /* futex: +1 for each emptied piece; writer: the writer */
  _Atomic uint32_t waiting_writer, waiting_program; /* 1: that side sleeps and must be woken */
  /* 1: no more pieces will come; 2: write what there is now, and continue. */
  _Atomic uint32_t ending;
  _Atomic uint32_t ended; /* futex: number of completed endings; writer: the writer */
  /* Errno of the writer: it writes nothing any more, but still empties pieces. */
  _Atomic uint32_t failed;
  _Atomic uint64_t lost_pieces;
  _Atomic uint32_t objects; /* entries in the table; grows */
  struct bbq_object object[BBQ_OBJECTS];
};

#endif
