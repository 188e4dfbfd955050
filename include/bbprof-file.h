/* SPDX-License-Identifier: MIT */
/* The sidecar gmon.out.bbx: what belongs to a gmon.out but has no room in it.  The border
   between the run-time library, which writes it, and the reporters.  Valid C11 and C++11;
   explained for people in doc/file-format.md.

   A header, then chunks, each with its length and a checksum; all numbers little-endian; headers
   and chunks begin at multiples of 8.  A reader skips chunks of types that it does not know, and
   cuts off a torn tail: what stands before it is good.

   *Virtual addresses*: in gmon.out the addresses of the executable are those of link time.  Each
   other object (shared library, vdso) has its link-time addresses moved up by a *base* of its
   own, a multiple of BBX_BASE_UNIT, so that all objects of the process have room side by side
   and one gmon.out holds them all.  Which object has which base stands here.  An object that is
   loaded again, wherever, has the base that it had. */
#ifndef BBPROF_FILE_H
#define BBPROF_FILE_H

#include <stdint.h>

/* 8 bytes, no terminating zero; a transfer in text mode breaks it, and is noticed. */
#define BBX_MAGIC "bbprof\r\n"
#define BBX_VERSION 1 /* of everything here; another one is refused */

struct bbx_header {
  char magic[8];
  uint32_t version;
  uint32_t bytes; /* of this header; readers skip what they do not know of it */
  /* Number of this run of this process, not 0: the same as in gmon.out's header
     (GMON_RUN_OFFSET). */
  uint64_t run;
};

/* Where in gmon.out's header, whose last 12 bytes are spare, the run's number stands: 8 bytes;
   0: there is no sidecar. */
#define GMON_RUN_OFFSET 12

/* Where in that header a word of 4 bytes stands, with a flag that says how the arcs are to be
   read, and in the other bits the moment: those of bbx_run.wall, by which it is told which of
   the run's dumps it is; 0: not known, as in a sum, which has several. */
#define GMON_FLAGS_OFFSET 8
/* Of some arcs the caller's address is no return address, only an address in the caller. */
#define GMON_CALLERS_ROUNDED 1
#define GMON_MOMENT(word_or_wall) ((uint32_t) (word_or_wall) & ~(uint32_t) GMON_CALLERS_ROUNDED)

#define BBX_SUFFIX ".bbx" /* of the sidecar's name, behind that of the profile */

struct bbx_chunk {
  uint32_t type; /* BBX_TYPE */
  /* CRC-32 (that of zlib's crc32) of type and length as they stand here, then the content. */
  uint32_t crc;
  uint64_t length; /* bytes of content, without the padding with zeros to the next multiple of 8 */
};

/* Four letters, readable in a dump of the file. */
#define BBX_TYPE(a, b, c, d) \
  ((uint32_t) (a) | (uint32_t) (b) << 8 | (uint32_t) (c) << 16 | (uint32_t) (d) << 24)

/* The run, once; in the sum of several profiles (bbprof merge) each of them, the earliest first. */
#define BBX_TYPE_RUN BBX_TYPE ('R', 'U', 'N', ' ')
struct bbx_run {
  uint64_t started; /* nanoseconds since 1970 */
  /* Nanoseconds from the start (in a forked child: from the fork) to this dump. */
  uint64_t wall, cpu;
  uint32_t pid, parent; /* processes */
  uint32_t rate;        /* samples a second of CPU time that the timer was set to; 0: no sampling */
  uint32_t dump;        /* 1 for the first file that the run wrote */
  uint64_t threads;     /* that were attached, at most at a time */
  /* taken, those left out included; where threads were chosen, without those left out. */
  uint64_t samples;
  char program[]; /* absolute path, terminated by a zero; empty: not known */
};

/* An object of the process, present or unloaded: one chunk for each, the executable first. */
#define BBX_TYPE_OBJECT BBX_TYPE ('O', 'B', 'J', ' ')
#define BBX_BASE_UNIT 0x100000000UL
struct bbx_object {
  uint64_t base;                 /* virtual address - link-time address; 0 for the executable */
  uint64_t start, end;           /* link-time addresses of all its segments, end exclusive */
  uint64_t text_start, text_end; /* of the executable ones */
  uint64_t bias;           /* run-time address - link-time address, where it was loaded last */
  uint32_t loads;          /* how often it was loaded, at least 1 */
  uint32_t flags;          /* BBX_OBJECT_... */
  uint32_t build_id_bytes; /* 0: it has none */
  uint32_t path_bytes;     /* with the terminating zero */
  /* The build id's bytes, then the path: absolute, or a name in brackets like [vdso]. */
  char data[];
};
#define BBX_OBJECT_EXECUTABLE 1U
#define BBX_OBJECT_UNLOADED 2U /* was not in memory at the time of the dump */
#define BBX_OBJECT_BLOCKS 4U   /* has a block map of the plugin's */

/* How often control went from one block to another: once, if it ever did.  Three numbers for
   each edge, in unsigned LEB128:
     the address of the block that it comes from, as a difference to that of the edge before, or
       to 0;
     that of the block that it goes to, as a difference to the first;
     how often.
   Differences are folded: 2 n for n >= 0, else -2 n - 1.  Addresses are virtual ones, of the
   blocks' first bytes; 0: outside of the function, i.e. its entries; returns, and calls that
   have not come back.  An edge may stand there more than once. */
#define BBX_TYPE_EDGES BBX_TYPE ('E', 'D', 'G', 'E')

/* Of a recovered profile: by how much counts may be wrong, because it is not known where a
   thread was when it was killed.  For each thread one chunk for each list that has something in
   it.  The content is struct bbx_open, then numbers as in EDGE: of a call, where it returns to,
   or the last byte of a jump, and the function that is called; of calls from outside 0 and the
   function; of executions twice the block's address; of edges as there; and how many.  Without
   struct bbx_open, as it was written before: calls only, of all threads, modulo 2^64, below 0
   for fewer. */
#define BBX_TYPE_OPEN BBX_TYPE ('O', 'P', 'E', 'N')
struct bbx_open {
  uint32_t version; /* BBX_OPEN_VERSION: no list begins with that */
  uint32_t thread;  /* number of its counts in the live file, from 1; 0: all those of a sum */
  uint32_t list;    /* enum bbx_open_list */
  uint32_t unused;  /* 0 */
};
enum bbx_open_list {
  BBX_OPEN_MORE,  /* so many more calls and executions there may have been than gmon.out says, */
  BBX_OPEN_FEWER, /* or fewer */
  BBX_OPEN_EDGES_MORE, /* likewise, of EDGE */
  BBX_OPEN_EDGES_FEWER,
  BBX_OPEN_LISTS
};
#define BBX_OPEN_VERSION 2

/* How often control went from one block executed to the next one, across functions: programs
   compiled with ax only, and for each variant that was counted.  The content is struct
   bbx_jumps, then numbers as in EDGE; 0: outside of what was recorded. */
#define BBX_TYPE_JUMPS BBX_TYPE ('J', 'U', 'M', 'P')
struct bbx_jumps {
  uint32_t variant; /* BBX_JUMPS_... */
  uint32_t unused;  /* 0 */
};
/* The first block of a function is reached from outside, and the calling one goes on itself. */
#define BBX_JUMPS_HIDECALL 1U
#define BBX_JUMPS_SHOWRET 2U /* from a function's last block back to the calling one */
#define BBX_JUMPS_VARIANTS 4

/* A word by which the user has selected functions: one chunk for each, in the user's order. */
#define BBX_TYPE_SELECT BBX_TYPE ('S', 'E', 'L', ' ')
struct bbx_select {
  uint32_t flags;     /* BBX_SELECT_... */
  uint32_t functions; /* how many it names */
  /* Virtual addresses of their first blocks; then name and file as the user wrote them, each
     terminated by a zero; an empty file: of any. */
  uint64_t function[];
};
/* Their blocks are not recorded; else recording begins with a call of them. */
#define BBX_SELECT_HIDES 1U

/* What a unit's own tables say of a block: one chunk for each block of units with tables of the
   historic layout, which may have no other debug information.  Readers prefer that of the
   object's file. */
#define BBX_TYPE_BLOCK BBX_TYPE ('B', 'L', 'K', ' ')
struct bbx_block {
  uint64_t address; /* virtual */
  uint64_t line;    /* 0: not known */
  /* Names of the function and of the source file, each terminated by a zero; empty: not known. */
  char data[];
};

/* A unit, as the historic tables have it (bbprof-abi.h): one chunk for each that is registered,
   the newest first. */
#define BBX_TYPE_UNIT BBX_TYPE ('U', 'N', 'I', 'T')
struct bbx_unit {
  uint64_t counters; /* virtual address of the first */
  uint64_t ncounters;
  /* Of tables of the historic layout: how many follow, one for each counter; else 0. */
  uint64_t blocks;
  struct bbx_unit_block {
    uint64_t address, count; /* virtual, 0: not known; since the last reset */
  } block[];                 /* then the unit's name, terminated by a zero */
};

/* What was lost, by cause: once, even if nothing was; entries to the end of the chunk.  A cause
   that is not there, or counts 0, has lost nothing. */
#define BBX_TYPE_LOSSES BBX_TYPE ('L', 'O', 'S', 'T')
struct bbx_loss {
  uint64_t count;
  /* Short words for people, filled up with zeros: one of BBX_LOST_..., or another. */
  char cause[56];
};
#define BBX_LOST_CALLS "calls not counted: out of memory"
/* Their counts may be too low. */
#define BBX_LOST_BLOCKS "threads with shared block counters: out of memory"
#define BBX_LOST_UNLOADED "calls in code unloaded unseen"
#define BBX_LOST_TICKS "ticks missed" /* of threads that could not be sampled */
/* By intent: what it costs is not the program's time. */
#define BBX_LOST_OWN "samples inside the profiler"
/* Generated code, libraries unloaded unseen. */
#define BBX_LOST_NOWHERE "samples outside of all objects"
#define BBX_LOST_SAMPLES "samples not counted: out of memory"
#define BBX_LOST_DUMPS "dumps not written"
#define BBX_LOST_SLICES "parts of the live file: no room on the disk"
#define BBX_LOST_BASE "threads with shared block counters: no use of GS" /* likewise */
/* Counts may be wrong by a few. */
#define BBX_LOST_RUNNING "readings of threads that ran and would not wait"
/* Of a recovered profile; at most so many; OPEN says of which. */
#define BBX_LOST_KILLED "threads killed; each may make some counts 1 too high"
/* Those of the first one, too, may be counted in another's place. */
#define BBX_LOST_REFUSED "blocks of further threads (plain __bb)"
#define BBX_LOST_TIMES "times of samples" /* gmon.out.bbs lacks these, and only that */
/* Samples of these are in no file. */
#define BBX_LOST_REPLACED "programs before exec, for which --children is needed"
/* 1: what the process has done since it gave itself up for that one. */
#define BBX_LOST_REST "programs after exec: could not be sampled"
#define BBX_LOST_UNKNOWN "what profiles without a sidecar lost" /* 1, in a sum: some were such */
/* What comes out below 0 is written as 0. */
#define BBX_LOST_FLOW "executions read while being counted"
#define BBX_LOST_STACKS "stacks cut: out of memory" /* counted where they are known to */
#define BBX_LOST_BUSY "samples without stack: another was being taken"
#define BBX_LOST_THREADS "samples without stack: thread not known"

/* What the ticks stand for: once, if CPU time was sampled and it is known.  The sampler does not
   see to it that they add up to what the kernel has charged (it looks at its own ticks only), so
   a tick stands for DUE / TICKS / rate seconds.  The bins of gmon.out are multiplied by that
   already; the ticks of contexts are as they came. */
#define BBX_TYPE_TIME BBX_TYPE ('T', 'I', 'M', 'E')
struct bbx_time {
  uint64_t ticks; /* that came, not 0, those left out included */
  uint64_t due;   /* by the process's CPU clock, not 0 */
};

/* How time was sampled: once, if it was sampled with stacks.  Sums have one for each different
   one. */
#define BBX_TYPE_SAMPLING BBX_TYPE ('H', 'O', 'W', ' ')
struct bbx_sampling {
  char sampler[16]; /* its name, filled up with zeros */
  uint32_t clock;   /* 0: CPU time; 1: wall time */
  uint32_t asked;   /* ticks a second that were asked for */
  /* That the sampler promised: a tick stands for 1 / rate seconds, if there is no BBX_TYPE_TIME. */
  uint32_t rate;
  uint32_t depth; /* frames of a stack at most */
  uint32_t flags; /* BBX_SAMPLING_... */
  uint32_t unused;
  uint64_t ticks;     /* in all contexts */
  uint64_t samples;   /* that were taken; one may stand for several ticks */
  uint64_t cut;       /* stacks of which the outermost frames are not known */
  uint64_t wall, cpu; /* nanoseconds while it ran */
};

/* Nothing counted calls: those of gmon.out are ticks in which the call was active. */
#define BBX_SAMPLING_ARCS 1U
#define BBX_SAMPLING_CHOSEN 2U   /* only chosen threads were sampled; cpu is that of all threads */
#define BBX_SAMPLING_SWITCHED 4U /* some stacks were those of user-level threads */

/* A thread that was sampled: one chunk for each. */
#define BBX_TYPE_THREAD BBX_TYPE ('T', 'H', 'R', 'D')
struct bbx_thread {
  uint32_t number; /* from 1, never used again in the run */
  uint32_t tid;
  uint64_t begun, ended; /* nanoseconds since the run began; ended 0: it was there at the dump */
  uint64_t cpu;          /* nanoseconds of CPU time, by the kernel */
  char name[16];         /* as last seen, with a zero */
};
/* Number of all those that were sampled before somebody had told of them, or after. */
#define BBX_THREAD_OTHERS UINT32_MAX

/* Where an object was in memory, as far as samples met it there: one chunk for each place, in
   the order in which they were met. */
#define BBX_TYPE_PLACE BBX_TYPE ('L', 'O', 'A', 'D')
struct bbx_place {
  uint64_t base;       /* the object's */
  uint64_t start, end; /* run-time addresses */
  /* Nanoseconds since the run began: the first sample in it; 0: before that. */
  uint64_t met;
  uint64_t unloaded; /* the same; 0: it was there at the dump, or gone when the run began */
};

/* The tree of calling contexts, once: struct bbx_contexts, then for each node, a parent before
   its children, four numbers in unsigned LEB128; differences are folded as in EDGE.
     its own number - that of its parent; the node's number itself: it has none.  The first node
       is number 1;
     its kind, enum bbx_frame;
     its address, as a difference to that of the node before, or to 0 (any kind);
     the ticks that ended in it. */
#define BBX_TYPE_CONTEXTS BBX_TYPE ('C', 'T', 'X', ' ')
struct bbx_contexts {
  uint64_t n;
};
enum bbx_frame {
  /* Virtual address: of the instruction interrupted, in the innermost frame; else a return
     address. */
  BBX_FRAME_CODE,
  /* The same, but the instruction itself: a signal handler has been called there. */
  BBX_FRAME_INTERRUPTED,
  BBX_FRAME_THREAD,  /* outermost: a thread's number */
  BBX_FRAME_CUT,     /* frames that are not known; 0 */
  BBX_FRAME_SYSCALL, /* innermost: in the kernel, number of the system call */
  BBX_FRAME_KERNEL,  /* innermost: in the kernel, it is not known why; 0 */
  /* Code in no object, run-time address: made by the program as it ran, or of an object that
     left unseen. */
  BBX_FRAME_ANONYMOUS,
  BBX_FRAMES
};

/* The last chunk, without content: the file is whole. */
#define BBX_TYPE_END BBX_TYPE ('E', 'N', 'D', ' ')

#endif
