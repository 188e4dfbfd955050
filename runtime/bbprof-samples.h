/* SPDX-License-Identifier: MIT */
/* Samples with their times.  The border between the sampled process, the process that writes them down (bbprof-writer), and the
   reporters: the shared memory that the first two have, and the file gmon.out.bbs.

   What was sampled how often stands in the sidecar (BBX_TYPE_CONTEXTS); here stands only when: a file that is missing, torn, or
   full of gaps falsifies nothing else. */
#ifndef BBPROF_SAMPLES_H
#define BBPROF_SAMPLES_H

#include <stdatomic.h>
#include <stdint.h>

#include "bbprof-file.h"

/* A sample: 16 bytes. */
struct bbs_sample {
  uint64_t time;    /* nanoseconds since the run began (CLOCK_MONOTONIC) */
  uint32_t context; /* node of BBX_TYPE_CONTEXTS of the same run, from 1 */
  uint16_t ticks;   /* that it stands for */
  uint16_t cpu;     /* processor; BBS_CPU_UNKNOWN; with BBS_SLEEPS: it was on none */
};
#define BBS_CPU_UNKNOWN 0x7fffU
#define BBS_SLEEPS 0x8000U

/* The shared memory, a memfd: a head, then at BYTES_OF_HEAD the rings, of BYTES_OF_RING each.  A ring is one thread's, who alone puts samples into it,
   in its signal handler; the writer takes them out. */
#define BBS_MAGIC 0x3173676e69726262UL /* "bbrings1" */
struct bbs_head {
  uint64_t magic;
  uint64_t run;
  uint32_t pid;
  uint32_t rings, bytes_of_head, bytes_of_ring;
  _Atomic uint32_t made;              /* rings that have memory: the first ones */
  _Atomic uint32_t doorbell, waiting; /* futex: some ring is half full, or the process has something to say */
  _Atomic uint32_t state;             /* enum bbs_state */
  _Atomic uint32_t failed;            /* errno of the writer's that keeps it from writing; 0: none */
  _Atomic uint64_t lost_threads;      /* samples of threads that have no ring */
  char file[4096];                    /* where they go: absolute path */
};
enum bbs_state { BBS_RUNS, BBS_ENDING, BBS_ENDED }; /* writers: process, process, writer */

struct bbs_ring {
  _Atomic uint32_t used; /* 0: free for a new thread; 1: a thread fills it; 2: that has ended, and it is to be drained and freed */
  uint32_t thread;       /* struct bbp_sampled's number */
  _Atomic uint64_t head; /* samples ever put in; writer: the thread */
  _Atomic uint64_t tail; /* samples ever taken out; writer: the writer */
  _Atomic uint64_t lost; /* for which there was no room; writer: the thread */
  uint64_t unused[4];
  struct bbs_sample samples[]; /* a power of two of them */
};

/* The file: struct bbx_header with this magic, then chunks as in the sidecar (struct bbx_chunk, the same checksum): a torn tail is cut.
   At the end BBX_TYPE_LOSSES with the causes below, then BBX_TYPE_END. */
#define BBS_FILE_MAGIC "bbsampl\n"
#define BBS_VERSION 1
/* Of one thread: struct bbs_samples, then a zstd frame of lists: see doc/file-format.md. */
#define BBS_TYPE_SAMPLES BBX_TYPE ('S', 'M', 'P', 'L')
struct bbs_samples {
  uint32_t thread;  /* number, as in BBX_TYPE_THREAD */
  uint32_t n;       /* samples; at most BBS_CHUNK_MOST */
  uint64_t first;   /* time of the first */
  uint64_t lost;    /* of this thread since its chunk before: its ring was full */
  uint64_t bytes;   /* of the frame when it is unpacked */
};
#define BBS_CHUNK_MOST 65536
#define BBS_LOST_RINGS "samples that found their ring full" /* the sum of all LOST */
#define BBS_LOST_THREADS "samples of threads without a ring"
#define BBS_LOST_FILE "samples that had no room in the file"

#endif
