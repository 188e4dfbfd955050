/* SPDX-License-Identifier: MIT */
/* When things happened: samples with their times, which thread had which processor, markers.
   Two formats: the memory that the observed process shares with bbprof-writer, and the file
   gmon.out.bbs, which reporters read.

   The sidecar says how often each context was sampled (BBX_TYPE_CONTEXTS); these formats say
   only when.  So a file that is missing, torn, or incomplete falsifies nothing else. */
#ifndef BBPROF_SAMPLES_H
#define BBPROF_SAMPLES_H

#include <stdatomic.h>
#include <stdint.h>

#include "bbprof-file.h"

/* A sample: 24 bytes. */
struct bbs_sample {
  uint64_t time;    /* nanoseconds since the run began (CLOCK_MONOTONIC) */
  uint32_t context; /* node of BBX_TYPE_CONTEXTS of the same run, from 1 */
  uint16_t ticks;   /* number of ticks that it stands for */
  uint16_t cpu;     /* processor; or BBS_CPU_UNKNOWN; with BBS_SLEEPS: the thread was on none */
  /* The flags register saved by the interrupt: on x86-64 the lower half of RFLAGS; 0: unknown. */
  uint32_t flags;
  uint32_t unused;
};
#define BBS_CPU_UNKNOWN 0x7fffU
#define BBS_SLEEPS 0x8000U

/* A marker that the program has set (bbprof_mark). */
struct bbs_mark {
  uint64_t time;
  uint32_t tid;
  uint32_t unused;
  char text[48]; /* cut to this size, padded with zeros, at least one */
};

/* A queue into which all threads put items, in any context.  A thread claims a slot by moving HEAD,
   and publishes it by setting the slot's READY to 1 + the item's number; 0: none yet. */
struct bbs_queue {
  /* Slots claimed so far; writers: the threads, only while head - tail is less than all. */
  _Atomic uint64_t head;
  _Atomic uint64_t tail; /* items taken out so far; writer: the writer */
  _Atomic uint64_t lost; /* items for which there was no room; writers: the threads */
  uint64_t unused;
};

enum { BBS_MARKS = 1024 }; /* slots: a power of two */
struct bbs_marks {
  struct bbs_queue queue;
  struct bbs_mark_slot {
    _Atomic uint64_t ready;
    struct bbs_mark mark;
  } slots[BBS_MARKS];
};

/* A call of MPI, put in when it has ended. */
struct bbs_mpi_call {
  uint64_t time, length; /* nanoseconds; its start, since the run began */
  uint32_t tid;
  uint32_t call; /* enum bbm_call (bbprof-ranks.h) */
};

enum { BBS_MPI_CALLS = 8192 }; /* slots: a power of two */
struct bbs_mpi_slot {
  _Atomic uint64_t ready;
  struct bbs_mpi_call call;
};

#define BBS_TIME_END (1ULL << 62) /* later than any recorded time: 146 years */

/* A thread of the process waits for the writer: reports must not count that as the program's
   sleep. */
struct bbs_wait {
  uint64_t from, to; /* TO: BBS_TIME_END: until the end */
  uint32_t tid;      /* 0: there was no such wait */
  uint32_t unused;
};
/* At the start, until the monitor runs; at the end, until all is written. */
enum bbs_wait_kind { BBS_WAIT_BEGIN, BBS_WAIT_END, BBS_WAITS };

/* The shared memory, a memfd: a head, then at BYTES_OF_HEAD the rings, of BYTES_OF_RING each.  A
   ring belongs to one thread: only its signal handler puts samples in; the writer takes them
   out. */
#define BBS_MAGIC 0x3373676e69726262UL /* "bbrings3" */
struct bbs_head {
  uint64_t magic;
  uint64_t run;
  uint32_t pid;
  uint32_t rings, bytes_of_head, bytes_of_ring;
  _Atomic uint32_t made; /* rings that have memory: the first ones */
  /* futex: some ring is half full, or the process requests something. */
  _Atomic uint32_t doorbell, waiting;
  _Atomic uint32_t state; /* enum bbs_state */
  /* Errno that keeps the writer from writing; 0: none. */
  _Atomic uint32_t failed;
  _Atomic uint64_t lost_threads; /* samples of threads without a ring */
  uint64_t started;              /* start of the run: CLOCK_MONOTONIC, nanoseconds */
  /* Enum bbs_timeline: how the writer records which thread runs when. */
  uint32_t timeline;
  /* futex: 1: it records, or cannot; at its start the process waits a moment for that. */
  _Atomic uint32_t watches;
  struct bbs_wait waits[BBS_WAITS]; /* writer: the process */
  struct bbs_queue mpi_calls;
  struct bbs_marks marks;
  struct bbs_mpi_slot mpi_slots[BBS_MPI_CALLS];
  char file[4096]; /* absolute path of the file to write */
};
enum bbs_state { BBS_RUNS, BBS_ENDING, BBS_ENDED }; /* writers: process, process, writer */
/* No timeline; events, or polls where these are refused; polls. */
enum bbs_timeline { BBS_TIMELINE_NONE, BBS_TIMELINE_AUTO, BBS_TIMELINE_POLLS };

struct bbs_ring {
  /* 0: free for a new thread; 1: a thread fills it; 2: that thread has ended: the writer empties
     and frees the ring. */
  _Atomic uint32_t used;
  uint32_t thread;       /* number of struct bbp_sampled */
  _Atomic uint64_t head; /* samples put in so far; writer: the thread */
  _Atomic uint64_t tail; /* samples taken out so far; writer: the writer */
  _Atomic uint64_t lost; /* samples for which there was no room; writer: the thread */
  uint64_t unused[4];
  struct bbs_sample samples[]; /* a power of two of them */
};

/* The file: struct bbx_header with this magic, then chunks as in the sidecar (struct bbx_chunk,
   with the same checksum); a torn tail is cut off.  At the end come BBX_TYPE_LOSSES with the
   causes below, then BBX_TYPE_END. */
#define BBS_SUFFIX ".bbs" /* suffix of the file's name, behind the profile's */
#define BBS_FILE_MAGIC "bbsampl\n"
#define BBS_VERSION 1
/* Samples of one thread: struct bbs_samples, then a zstd frame of lists
   (doc/reference/files/times.md). */
#define BBS_TYPE_SAMPLES BBX_TYPE ('S', 'M', 'P', 'L')
struct bbs_samples {
  uint32_t thread; /* number, as in BBX_TYPE_THREAD */
  uint32_t n;      /* samples; at most BBS_CHUNK_MOST */
  uint64_t first;  /* time of the first */
  uint64_t lost;   /* lost samples of this thread since its previous chunk: its ring was full */
  uint64_t bytes;  /* size of the unpacked frame */
};
#define BBS_CHUNK_MOST 65536
/* The flags registers of the samples in the next chunk of BBS_TYPE_SAMPLES, as a zstd frame of
   lists.  Absent if none is known. */
#define BBS_TYPE_FLAGS BBX_TYPE ('F', 'L', 'A', 'G')
struct bbs_flags {
  uint32_t n; /* the number of those samples */
  uint32_t unused;
  uint64_t bytes; /* size of the unpacked frame */
};
#define BBS_LOST_RINGS "samples that found their ring full" /* the sum of all LOST */
#define BBS_LOST_THREADS "samples of threads without a ring"
#define BBS_LOST_FILE "samples that had no room in the file"

/* Records of the thread on each processor.  The monitor, part of another process (collect/watch/),
   makes them, so they cost the program nothing.  It has two ways.  *Events*: the kernel reports
   each context switch.  *Polls*, where the kernel refuses that: the monitor reads /proc at
   intervals, and knows only totals of what happened between two polls. */

/* How the threads were recorded: once; a second time if the way had to change.  BY_NOTHING: the
   reason follows the struct, as text to the end of the chunk. */
#define BBS_TYPE_WATCH BBX_TYPE ('W', 'T', 'C', 'H')
struct bbs_watch {
  uint32_t how;     /* enum bbs_how */
  uint32_t refused; /* errno of perf_event_open if HOW is polls; 0: it was not called */
  uint32_t rate;    /* polls a second at most */
  uint32_t reasons; /* enum bbs_reasons */
  uint64_t time;    /* valid from this time on */
};
enum bbs_how { BBS_BY_NOTHING, BBS_BY_EVENTS, BBS_BY_POLLS };
/* The source of wait reasons. */
enum bbs_reasons { BBS_REASONS_NONE, BBS_REASONS_WCHAN, BBS_REASONS_SYSCALL };

/* A context switch, as the kernel reported it. */
struct bbs_switch {
  uint64_t time;
  uint32_t tid; /* BBS_GAP: number of lost records */
  uint16_t cpu;
  uint16_t kind; /* enum bbs_switch_kind */
};
enum bbs_switch_kind {
  BBS_IN,         /* the thread gets the processor */
  BBS_OUT_SLEEPS, /* voluntary: it goes to sleep */
  BBS_OUT_READY,  /* involuntary: it is preempted, or yields, and stays ready */
  BBS_BORN,       /* it is created, on the processor of its creator */
  BBS_DIED,
  BBS_GAP, /* some switches of this processor between its last one and this time are lost */
  BBS_SWITCH_KINDS
};
/* Switches of all threads, in order of time: struct bbs_switches, then a zstd frame of lists
   (doc/reference/files/switches.md). */
#define BBS_TYPE_SWITCHES BBX_TYPE ('S', 'W', 'C', 'H')
struct bbs_switches {
  uint32_t n; /* at most BBS_CHUNK_MOST */
  uint32_t unused;
  uint64_t first; /* time of the first */
  uint64_t bytes; /* size of the unpacked frame */
};

/* A poll: the state of a thread in /proc.  BY_EVENTS: once in each longer sleep, for the wait
   reason, and for each thread at beginning and end.  BY_POLLS: for each thread with numbers that
   changed since its previous poll. */
struct bbs_look {
  uint64_t time; /* of the poll */
  /* Nanoseconds since the thread began: running; ready; or BBS_NOT_KNOWN. */
  uint64_t run, wait;
  uint64_t voluntary, involuntary; /* context switches; or BBS_NOT_KNOWN */
  uint32_t tid;
  /* The system call that it sleeps in; -1: none, for example a page fault; or
     BBS_CALL_NOT_KNOWN. */
  int32_t call;
  uint16_t cpu; /* current or last processor; or BBS_CPU_UNKNOWN */
  /* As in /proc: 'R', 'S', 'D', 'T', 't', 'Z'; 0: unknown, because it changed too often. */
  uint8_t state;
  uint8_t why; /* enum bbs_why: the wait reason; with STATE 0: of some sleep just before TIME */
  /* Tid of the thread that owns LOCK, as the lock itself says; with BBS_WHY_THREAD: of the thread
     that is joined; 0: unknown. */
  uint32_t holder;
  /* Address of the lock, condition variable, semaphore ... that the thread waits for; with
     BBS_LOCK_FUTEX and BBS_LOCK_PI: of the futex word; 0: unknown, or it waits for something
     else. */
  uint64_t lock;
  uint64_t caller; /* return address of libc's function that waits; 0: unknown */
  uint32_t stack;  /* with BBS_AREA_STACK: tid of the thread that has this stack */
  uint8_t type;    /* enum bbs_lock */
  uint8_t area;    /* enum bbs_area, of LOCK */
  uint16_t unused;
};
#define BBS_NOT_KNOWN UINT64_MAX
#define BBS_CALL_NOT_KNOWN (-2)
enum bbs_why {
  BBS_WHY_NOT_KNOWN,
  BBS_WHY_LOCK,    /* a futex, by a mutex or an unknown primitive; a file lock */
  BBS_WHY_TIME,    /* nanosleep and its kind */
  BBS_WHY_POLL,    /* poll, select, epoll */
  BBS_WHY_PIPE,    /* reads or writes a pipe, socket, or terminal */
  BBS_WHY_DISK,    /* a file, or the disk behind it */
  BBS_WHY_CHILD,   /* wait */
  BBS_WHY_SIGNAL,  /* pause, sigwait */
  BBS_WHY_MEMORY,  /* a page fault */
  BBS_WHY_STOPPED, /* by a signal or a debugger */
  BBS_WHY_OTHER,   /* see CALL; unknown if that says nothing */
  /* Futex, in a libc with functions that can be distinguished: */
  BBS_WHY_CONDITION, /* a condition variable; in other libcs also the reasons below */
  BBS_WHY_RWLOCK,    /* a read-write lock */
  BBS_WHY_SEMAPHORE,
  BBS_WHY_THREAD, /* the end of a thread */
  BBS_WHY_BARRIER,
  /* Not in polls, but from struct bbs_wait: */
  BBS_WHY_PROFILER,
  BBS_WHYS
};
/* The kinds of locks. */
enum bbs_lock {
  BBS_LOCK_NONE,
  BBS_LOCK_FUTEX, /* a futex word; the lock that it belongs to is unknown */
  BBS_LOCK_PI,    /* a futex word with priority inheritance, which holds the owner's tid */
  BBS_LOCK_LIBC,  /* an object of glibc: WHY says which kind */
  BBS_LOCKS
};
/* The memory that a lock lies in.  For variables the load map of the profile is more exact. */
enum bbs_area {
  BBS_AREA_NOT_KNOWN,
  BBS_AREA_HEAP,
  BBS_AREA_STACK,
  BBS_AREA_ANONYMOUS, /* mapped without a file: by malloc, mmap, the loader for bss */
  BBS_AREA_FILE,      /* a mapped file */
  BBS_AREAS
};
/* Polls in order of time: struct bbs_looks, then a zstd frame of lists
   (doc/reference/files/switches.md). */
#define BBS_TYPE_LOOKS BBX_TYPE ('L', 'O', 'O', 'K')
struct bbs_looks {
  uint32_t n; /* at most BBS_LOOKS_MOST */
  uint32_t unused;
  uint64_t first; /* time of the first */
  uint64_t bytes; /* size of the unpacked frame */
};

#define BBS_LOOKS_MOST 16384

/* The locks of the polls in the chunk of type BBS_TYPE_LOOKS before this one; absent if no poll has
   one.  Then a zstd frame of lists (doc/reference/files/switches.md). */
#define BBS_TYPE_LOCKS BBX_TYPE ('L', 'O', 'C', 'K')
struct bbs_locks {
  uint32_t n; /* locks; at most as many as polls */
  uint32_t unused;
  uint64_t bytes; /* size of the unpacked frame */
};

/* Names of threads, each valid from TIME on: these structs, to the end of the chunk. */
#define BBS_TYPE_NAMES BBX_TYPE ('N', 'A', 'M', 'E')
struct bbs_name {
  uint64_t time;
  uint32_t tid;
  char name[20]; /* padded with zeros, at least one */
};

/* Markers: struct bbs_mark, to the end of the chunk. */
#define BBS_TYPE_MARKS BBX_TYPE ('M', 'A', 'R', 'K')

/* Calls of MPI, in order of their starts, which may be before those of the chunk before: struct
   bbs_mpi_calls, then a zstd frame of lists (doc/reference/files/switches.md). */
#define BBS_TYPE_MPI_CALLS BBX_TYPE ('M', 'P', 'I', 'C')
struct bbs_mpi_calls {
  uint32_t n; /* at most BBS_CHUNK_MOST */
  uint32_t unused;
  uint64_t first; /* time of the first */
  uint64_t bytes; /* size of the unpacked frame */
};

/* Generated code, as the process described it in files (collect/generated/): struct bbs_codes, then
   a zstd frame of lists (doc/reference/files/times.md).  `bbprof record' removes these when it has
   put what the samples need into the sidecar (BBX_TYPE_IMAGE). */
#define BBS_TYPE_CODES BBX_TYPE ('C', 'O', 'D', 'E')
struct bbs_codes {
  uint32_t n;
  uint32_t unused;
  uint64_t bytes; /* size of the unpacked frame */
};

/* A file that was read for them: one chunk for each, before the end. */
#define BBS_TYPE_CODE_FILE BBX_TYPE ('C', 'F', 'I', 'L')
struct bbs_code_file {
  uint64_t codes;  /* pieces of code that it describes */
  uint64_t bad;    /* damaged entries */
  uint64_t bad_at; /* offset of the first of them: bytes */
  /* The path, then what was expected there, or why the file is not read; each terminated by a
     zero; the second empty: all was well. */
  char data[];
};

/* At the end, if the process waited for the writer: struct bbs_wait, to the end of the chunk. */
#define BBS_TYPE_WAITS BBX_TYPE ('W', 'A', 'I', 'T')

#define BBS_LOST_SWITCHES "switches that found the kernel's buffer full"
#define BBS_LOST_WATCHED "switches and looks that had no room in the file"
#define BBS_LOST_MARKS "marks that found no room"
#define BBS_LOST_MPI_CALLS "times of MPI calls that found no room"

#endif
