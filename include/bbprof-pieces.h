/* SPDX-License-Identifier: MIT */
/* The border between a traced process and the writer of its trace, the program bbprof-writer:
   the memory that both have mapped.  The process fills *pieces*, the writer empties them, while
   the process runs and when it is gone, however it has ended.  In front of the pieces stands a
   head; piece I lies at bytes_of_head + I * bytes_of_piece.

   A piece belongs to one *stream*: what one thread does, or one handler of the program's while
   it has interrupted a thread.  What the bits and tokens mean is said in bbprof-abi.h. */
#ifndef BBPROF_PIECES_H
#define BBPROF_PIECES_H

#include <stdatomic.h>
#include <stdint.h>

#define BBQ_MAGIC 0x6262702d71756575UL
#define BBQ_VERSION 1
#define BBQ_BITS 1024    /* words of bits in a piece */
#define BBQ_TOKENS 14336 /* tokens */
#define BBQ_MARKS 256

enum bbq_state {
  BBQ_FREE,
  BBQ_USED, /* claimed by a thread, atomically */
  /* done, by that thread; becomes free again by the writer, or with a window by the process. */
  BBQ_FULL
};

enum bbq_start {
  BBQ_START_STREAM, /* nothing before it: a thread, or a handler, begins */
  BBQ_START_NEXT,   /* goes on where the piece before it ends */
  /* What was before is lost, or was not recorded: frames are not known; DEPTH are live. */
  BBQ_START_LOST,
  /* Goes on where the piece before it ends, and can be read without that, like LOST. */
  BBQ_START_EVENT
};

enum bbq_end {
  BBQ_END_NOT,   /* the process was killed, or is still running */
  BBQ_END_NEXT,  /* full; another one follows */
  BBQ_END_PC,    /* recording ended with the thread at PC; 0: not known */
  BBQ_END_STREAM /* the thread, or handler, has ended, or left by a jump */
};

/* In the PC of BBQ_END_PC: the block there has not been counted yet. */
#define BBQ_IN_FRONT (1UL << 63)

/* When so many words of bits, and tokens, were there. */
struct bbq_mark {
  uint32_t words, tokens;
  uint64_t tsc;
};

/* Writer: the thread that has claimed it.  What grows is stored behind what it counts. */
struct bbq_piece {
  _Atomic uint32_t state; /* enum bbq_state */
  uint32_t stream;        /* number, from 1 */
  uint32_t sequence;      /* in the stream, from 0 */
  uint32_t tid;
  uint32_t start, end; /* enum bbq_start, bbq_end */
  uint32_t depth;      /* live traced frames at the start */
  uint32_t parent;     /* of a handler's stream: the stream that it interrupts; else 0 */
  /* where: piece, words of bits, tokens, bits behind those. */
  uint32_t parent_sequence, parent_words, parent_tokens, parent_rest;
  uint64_t parent_pc;      /* program counter that was interrupted */
  uint64_t pc;             /* BBQ_END_PC, with BBQ_IN_FRONT */
  uint64_t started, ended; /* ns since 1970 */
  uint64_t started_tsc, ended_tsc;
  char name[16];   /* of the thread */
  uint32_t words;  /* of bits that are full; grows */
  uint32_t tokens; /* grows */
  uint32_t marks;  /* grows */
  /* Bits in the word behind the full ones, when the piece is done; the oldest is the highest of
     them. */
  uint32_t rest;
  uint64_t lost; /* pieces' worth of recording lost right before this one */
  uint64_t bits[BBQ_BITS + 1];
  uint64_t token[BBQ_TOKENS];
  struct bbq_mark mark[BBQ_MARKS];
};

/* A module with traced functions.  Never taken back. */
struct bbq_object {
  /* run-time address - link-time address; link-time addresses of all segments, end exclusive. */
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
  /* Blocks of each thread to keep, written at the endings only; 0: all is written. */
  uint64_t window;
  char path[4096]; /* of the file to write */
  char program[4096];
  _Atomic uint32_t submitted; /* futex: +1 for each piece that is full, and at endings */
  _Atomic uint32_t freed;     /* futex: +1 for each piece emptied; writer: the writer */
  _Atomic uint32_t waiting_writer, waiting_program; /* whether there is somebody to wake */
  /* 1: no more pieces will come; 2: write down what there is now, and go on. */
  _Atomic uint32_t ending;
  _Atomic uint32_t ended; /* futex: how many endings are done; writer: the writer */
  /* Errno of the writer: it writes nothing any more, but empties pieces all the same. */
  _Atomic uint32_t failed;
  _Atomic uint64_t lost_pieces;
  _Atomic uint32_t objects; /* in the table; grows */
  struct bbq_object object[BBQ_OBJECTS];
};

#endif
