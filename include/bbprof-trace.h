/* SPDX-License-Identifier: MIT */
/* The trace of a process, gmon.out.bbt (the profile's name plus ".bbt").  bbprof-writer writes
   it while the process runs.  doc/reference/files/trace.md explains it.

   The framing is that of the sidecar (bbprof-file.h): struct bbx_header with another magic, then
   chunks of struct bbx_chunk.  All numbers are little-endian; chunks begin at multiples of 8.  A
   reader skips chunks of unknown types, and cuts off a torn tail: everything before it is valid. */
#ifndef BBPROF_TRACE_H
#define BBPROF_TRACE_H

#include "bbprof-file.h"

#define BBT_SUFFIX ".bbt" /* suffix of the file's name, behind the profile's */
#define BBT_MAGIC "bbtrace\n"
#define BBT_VERSION 2 /* 1: each entry has a token */

/* The process, first and once. */
#define BBT_TYPE_RUN BBX_TYPE ('T', 'R', 'U', 'N')
struct bbt_run {
  uint64_t started; /* nanoseconds since 1970 */
  uint64_t window;  /* blocks to keep; 0: all */
  uint32_t pid;
  uint32_t unused;
  char program[]; /* absolute path, terminated by a zero; empty: unknown */
};

/* An object with traced functions, in front of the pieces that need it; repeated with the same
   number when it is unloaded. */
#define BBT_TYPE_OBJECT BBX_TYPE ('T', 'O', 'B', 'J')
struct bbt_object {
  uint64_t bias;             /* run-time address - link-time address */
  uint64_t start, end;       /* link-time addresses of all its segments, end exclusive */
  uint64_t loaded, unloaded; /* nanoseconds since 1970; 0: not (yet) */
  uint32_t number;           /* from 0 */
  uint32_t build_id_bytes;   /* 0: it has none */
  uint32_t path_bytes;       /* including the terminating zero */
  uint32_t unused;
  char data[]; /* the build id, then the path */
};

/* Pieces of the trace: each is a part of a stream.  A stream is the life of a thread, or of a
   signal handler. */
enum bbt_start {
  BBT_START_STREAM, /* nothing before it: the thread or handler begins */
  BBT_START_NEXT,   /* continues where the previous piece ends */
  /* The stream before it is lost, or was not recorded: its frames are unknown; DEPTH frames are
     active. */
  BBT_START_LOST,
  /* As BBT_START_NEXT, but can be decoded alone: begins with an announced token that has a
     depth. */
  BBT_START_EVENT,
};
enum bbt_end {
  /* The process was killed, or the piece was being filled at a dump: the position of the last
     bit is any before the last token. */
  BBT_END_NOT,
  BBT_END_NEXT,   /* full; another piece follows */
  BBT_END_PC,     /* recording ended with the thread at PC (0: unknown) */
  BBT_END_STREAM, /* the thread or handler ended, or was left by a jump */
};
/* In the pc of BBT_END_PC: the block there has not been counted yet. */
#define BBT_UNCOUNTED (1UL << 63)

struct bbt_piece {
  uint32_t stream;   /* number, from 1 */
  uint32_t sequence; /* in the stream, from 0 */
  uint32_t tid;
  uint32_t start, end; /* enum bbt_start, bbt_end */
  uint32_t depth;      /* active traced frames at the start */
  uint32_t parent;     /* of a handler's stream: the interrupted stream; else 0 */
  /* The position at which it was interrupted: piece; in it: full words of bits, tokens, bits behind
     the words. */
  uint32_t parent_sequence, parent_words, parent_tokens, parent_rest;
  uint32_t words; /* full words of 64 bits */
  uint32_t rest;  /* bits behind these words */
  uint32_t tokens;
  uint32_t marks;
  uint32_t unused;
  uint64_t parent_pc;              /* program counter that was interrupted; 0: unknown */
  uint64_t pc;                     /* of BBT_END_PC, with BBT_UNCOUNTED */
  uint64_t started, ended;         /* nanoseconds since 1970; ended: 0 for BBT_END_NOT */
  uint64_t started_tsc, ended_tsc; /* the same in the processor's ticks */
  uint64_t lost;                   /* number of pieces lost right before this one */
  char name[16];                   /* of the thread */
};

/* A time stamp: when so many words of bits and so many tokens had been recorded.  Not all that
   were taken are kept: see doc/reference/files/trace.md. */
struct bbt_mark {
  uint32_t words, tokens;
  uint64_t tsc;
};

/* A group of pieces, mostly of one stream; can be decoded alone.  A piece that was being filled
   at a dump is written again later, longer.  Of two pieces with the same stream and sequence the
   later one is valid. */
#define BBT_TYPE_PIECES BBX_TYPE ('P', 'I', 'E', 'C')
struct bbt_group {
  uint32_t pieces;
  /* Size of each struct bbt_piece, a multiple of 8; readers skip fields that they do not know. */
  uint32_t head_bytes;
  uint64_t heads_packed;   /* bytes of the first zstd frame that follows: the heads */
  uint64_t content_packed; /* bytes of the second frame: bits, tokens, time stamps */
};

/* Losses of the trace, as in the sidecar (BBX_TYPE_LOSSES), and the end of a complete trace
   (BBX_TYPE_END). */
#define BBT_LOST_PIECES "pieces of the trace: no room in memory"
#define BBT_LOST_FILE "pieces of the trace: no room in the file"

#endif
