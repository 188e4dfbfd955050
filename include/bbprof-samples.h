/* SPDX-License-Identifier: MIT */
/* What happened when: samples with their times, which thread had which processor, marks.  The
   border between the observed process, the process that writes it down (bbprof-writer), and the
   reporters: the shared memory that the first two have, and the file gmon.out.bbs.

   What was sampled how often stands in the sidecar (BBX_TYPE_CONTEXTS); here stands only when: a
   file that is missing, torn, or full of gaps falsifies nothing else. */
#ifndef BBPROF_SAMPLES_H
#define BBPROF_SAMPLES_H

#include <stdatomic.h>
#include <stdint.h>

#include "bbprof-file.h"

/* A sample: 24 bytes. */
struct bbs_sample {
  uint64_t time;    /* nanoseconds since the run began (CLOCK_MONOTONIC) */
  uint32_t context; /* node of BBX_TYPE_CONTEXTS of the same run, from 1 */
  uint16_t ticks;   /* that it stands for */
  uint16_t cpu;     /* processor; BBS_CPU_UNKNOWN; with BBS_SLEEPS: it was on none */
  /* The flags word that the interruption has saved: of x86-64 the lower half of RFLAGS; 0: not
     known. */
  uint32_t flags;
  uint32_t unused;
};
#define BBS_CPU_UNKNOWN 0x7fffU
#define BBS_SLEEPS 0x8000U

/* A mark that the program has set (bbprof_mark). */
struct bbs_mark {
  uint64_t time;
  uint32_t tid;
  uint32_t unused;
  char text[48]; /* cut to its room, filled up with zeros, one at least */
};

/* All threads put marks into one ring, in any context: a slot is claimed by moving HEAD, and
   ready when READY says so. */
enum { BBS_MARKS = 1024 }; /* slots: a power of two */
struct bbs_marks {
  /* Slots ever claimed; writers: the threads, only while head - tail < BBS_MARKS. */
  _Atomic uint64_t head;
  _Atomic uint64_t tail; /* marks ever taken out; writer: the writer */
  _Atomic uint64_t lost; /* for which there was no room; writers: the threads */
  uint64_t unused;
  struct bbs_mark_slot {
    _Atomic uint64_t ready; /* 1 + the number of the mark that is in it */
    struct bbs_mark mark;
  } slots[BBS_MARKS];
};

#define BBS_TIME_END (1ULL << 62) /* what was watched is of no time as late: 146 years */

/* A thread of the process waits for the writer: that is no sleep of the program's. */
struct bbs_wait {
  uint64_t from, to; /* TO: BBS_TIME_END: to the end */
  uint32_t tid;      /* 0: there was no such wait */
  uint32_t unused;
};
/* Until it is watched; until all is written. */
enum bbs_wait_kind { BBS_WAIT_BEGIN, BBS_WAIT_END, BBS_WAITS };

/* The shared memory, a memfd: a head, then at BYTES_OF_HEAD the rings, of BYTES_OF_RING each.  A
   ring is one thread's, who alone puts samples into it, in its signal handler; the writer takes
   them out. */
#define BBS_MAGIC 0x3273676e69726262UL /* "bbrings2" */
struct bbs_head {
  uint64_t magic;
  uint64_t run;
  uint32_t pid;
  uint32_t rings, bytes_of_head, bytes_of_ring;
  _Atomic uint32_t made; /* rings that have memory: the first ones */
  /* futex: some ring is half full, or the process has something to say. */
  _Atomic uint32_t doorbell, waiting;
  _Atomic uint32_t state; /* enum bbs_state */
  /* Errno of the writer's that keeps it from writing; 0: none. */
  _Atomic uint32_t failed;
  _Atomic uint64_t lost_threads; /* samples of threads that have no ring */
  uint64_t started;              /* CLOCK_MONOTONIC, nanoseconds: when the run began */
  /* Enum bbs_timeline: the writer is to watch which thread runs when. */
  uint32_t timeline;
  /* futex: 1: it does, or cannot; the process waits for that a moment when it begins. */
  _Atomic uint32_t watches;
  struct bbs_wait waits[BBS_WAITS]; /* writer: the process */
  struct bbs_marks marks;
  char file[4096]; /* where they go: absolute path */
};
enum bbs_state { BBS_RUNS, BBS_ENDING, BBS_ENDED }; /* writers: process, process, writer */
/* not; by events, or else polls; by polls. */
enum bbs_timeline { BBS_TIMELINE_NONE, BBS_TIMELINE_AUTO, BBS_TIMELINE_POLLS };

struct bbs_ring {
  /* 0: free for a new thread; 1: a thread fills it; 2: that has ended, and it is to be drained
     and freed. */
  _Atomic uint32_t used;
  uint32_t thread;       /* struct bbp_sampled's number */
  _Atomic uint64_t head; /* samples ever put in; writer: the thread */
  _Atomic uint64_t tail; /* samples ever taken out; writer: the writer */
  _Atomic uint64_t lost; /* for which there was no room; writer: the thread */
  uint64_t unused[4];
  struct bbs_sample samples[]; /* a power of two of them */
};

/* The file: struct bbx_header with this magic, then chunks as in the sidecar (struct bbx_chunk,
   the same checksum): a torn tail is cut.  At the end BBX_TYPE_LOSSES with the causes below,
   then BBX_TYPE_END. */
#define BBS_SUFFIX ".bbs" /* of the file's name, behind that of the profile */
#define BBS_FILE_MAGIC "bbsampl\n"
#define BBS_VERSION 1
/* Of one thread: struct bbs_samples, then a zstd frame of lists: see doc/file-format.md. */
#define BBS_TYPE_SAMPLES BBX_TYPE ('S', 'M', 'P', 'L')
struct bbs_samples {
  uint32_t thread; /* number, as in BBX_TYPE_THREAD */
  uint32_t n;      /* samples; at most BBS_CHUNK_MOST */
  uint64_t first;  /* time of the first */
  uint64_t lost;   /* of this thread since its chunk before: its ring was full */
  uint64_t bytes;  /* of the frame when it is unpacked */
};
#define BBS_CHUNK_MOST 65536
/* The flags words of the samples in the next chunk, of BBS_TYPE_SAMPLES; absent if none is
   known.  Then a zstd frame of lists. */
#define BBS_TYPE_FLAGS BBX_TYPE ('F', 'L', 'A', 'G')
struct bbs_flags {
  uint32_t n; /* as many as there are samples */
  uint32_t unused;
  uint64_t bytes; /* of the frame when it is unpacked */
};
#define BBS_LOST_RINGS "samples that found their ring full" /* the sum of all LOST */
#define BBS_LOST_THREADS "samples of threads without a ring"
#define BBS_LOST_FILE "samples that had no room in the file"

/* Which thread had which processor: who watches is another process (monitor/), so nothing of
   this is done in the program. Two ways: the kernel tells of each switch (events); where it
   refuses that, /proc is looked at again and again (polls), and what was between two looks is
   known in sums only. */

/* How it was watched: once; a second one if that had to be changed.  BY_NOTHING: behind the
   struct stands why, text to the end of the chunk. */
#define BBS_TYPE_WATCH BBX_TYPE ('W', 'T', 'C', 'H')
struct bbs_watch {
  uint32_t how;     /* enum bbs_how */
  uint32_t refused; /* errno of perf_event_open where HOW is polls; 0: nobody asked it */
  uint32_t rate;    /* looks a second at most */
  uint32_t reasons; /* enum bbs_reasons */
  uint64_t time;    /* it begins here */
};
enum bbs_how { BBS_BY_NOTHING, BBS_BY_EVENTS, BBS_BY_POLLS };
/* Where sleepers' reasons come from. */
enum bbs_reasons { BBS_REASONS_NONE, BBS_REASONS_WCHAN, BBS_REASONS_SYSCALL };

/* A switch, as the kernel has told of it. */
struct bbs_switch {
  uint64_t time;
  uint32_t tid; /* BBS_GAP: how many records were lost */
  uint16_t cpu;
  uint16_t kind; /* enum bbs_switch_kind */
};
enum bbs_switch_kind {
  BBS_IN,         /* the thread gets the processor */
  BBS_OUT_SLEEPS, /* it gives it up, to wait */
  BBS_OUT_READY,  /* it has to leave it, or yields, and could go on at once */
  BBS_BORN,       /* it is made, on the processor of who makes it */
  BBS_DIED,
  BBS_GAP, /* between the last switch of this processor and this time some are not known */
  BBS_SWITCH_KINDS
};
/* Of all threads, in order of time: struct bbs_switches, then a zstd frame of lists: see
   doc/file-format.md. */
#define BBS_TYPE_SWITCHES BBX_TYPE ('S', 'W', 'C', 'H')
struct bbs_switches {
  uint32_t n; /* at most BBS_CHUNK_MOST */
  uint32_t unused;
  uint64_t first; /* time of the first */
  uint64_t bytes; /* of the frame when it is unpacked */
};

/* What /proc says of a thread at a time.  BY_EVENTS: of who sleeps, once in each longer sleep,
   for the reason, and of each thread at the beginning and the end; BY_POLLS: of each thread
   whose numbers have changed since its look before. */
struct bbs_look {
  uint64_t time; /* it was so at this time */
  /* Nanoseconds since its birth: on a processor; ready, without one; BBS_NOT_KNOWN. */
  uint64_t run, wait;
  uint64_t voluntary, involuntary; /* switches; BBS_NOT_KNOWN */
  uint32_t tid;
  /* System call that it sleeps in; -1: none, a page fault for example; BBS_CALL_NOT_KNOWN. */
  int32_t call;
  uint16_t cpu; /* where it is, or was last; BBS_CPU_UNKNOWN */
  /* As /proc has it: 'R', 'S', 'D', 'T', 't', 'Z'; 0: not known: it changed too often. */
  uint8_t state;
  uint8_t why; /* enum bbs_why: it sleeps; STATE 0: in some sleep just before TIME it did */
  uint32_t unused;
};
#define BBS_NOT_KNOWN UINT64_MAX
#define BBS_CALL_NOT_KNOWN (-2)
enum bbs_why {
  BBS_WHY_NOT_KNOWN,
  BBS_WHY_LOCK,    /* futex, as mutexes wait, or who knows how; a file lock */
  BBS_WHY_TIME,    /* nanosleep and its kind */
  BBS_WHY_POLL,    /* poll, select, epoll */
  BBS_WHY_PIPE,    /* reads or writes a pipe, a socket, a terminal */
  BBS_WHY_DISK,    /* a file, or the disk behind it */
  BBS_WHY_CHILD,   /* wait */
  BBS_WHY_SIGNAL,  /* pause, sigwait */
  BBS_WHY_MEMORY,  /* a page fault */
  BBS_WHY_STOPPED, /* by a signal, or a debugger */
  BBS_WHY_OTHER,   /* CALL says it, or nobody */
  /* Futex; threads of a libc whose functions can be told apart: */
  BBS_WHY_CONDITION, /* a condition variable; else also what is below */
  BBS_WHY_RWLOCK,    /* a read-write lock */
  BBS_WHY_SEMAPHORE,
  BBS_WHY_THREAD, /* the end of a thread */
  BBS_WHY_BARRIER,
  /* In no look, but by struct bbs_wait: */
  BBS_WHY_PROFILER,
  BBS_WHYS
};
/* In order of time: struct bbs_looks, then a zstd frame of lists: see doc/file-format.md. */
#define BBS_TYPE_LOOKS BBX_TYPE ('L', 'O', 'O', 'K')
struct bbs_looks {
  uint32_t n; /* at most BBS_LOOKS_MOST */
  uint32_t unused;
  uint64_t first; /* time of the first */
  uint64_t bytes; /* of the frame when it is unpacked */
};

#define BBS_LOOKS_MOST 16384

/* Names that threads have had, from TIME on: these, to the end of the chunk. */
#define BBS_TYPE_NAMES BBX_TYPE ('N', 'A', 'M', 'E')
struct bbs_name {
  uint64_t time;
  uint32_t tid;
  char name[20]; /* filled up with zeros, one at least */
};

/* Marks: struct bbs_mark, to the end of the chunk. */
#define BBS_TYPE_MARKS BBX_TYPE ('M', 'A', 'R', 'K')

/* At the end, if the process has waited for the writer: struct bbs_wait, to the end of the
   chunk. */
#define BBS_TYPE_WAITS BBX_TYPE ('W', 'A', 'I', 'T')

#define BBS_LOST_SWITCHES "switches that found the kernel's buffer full"
#define BBS_LOST_WATCHED "switches and looks that had no room in the file"
#define BBS_LOST_MARKS "marks that found no room"

#endif
