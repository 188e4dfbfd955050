/* SPDX-License-Identifier: MIT */
/* The sidecar gmon.out.bbx: the data of a profile for which gmon.out has no room.  The run-time
   library writes it, the reporters read it.  Valid C11 and C++11;
   doc/reference/files/sidecar.md explains it.

   A header, then chunks, each with its length and a checksum.  All numbers are little-endian;
   headers and chunks begin at multiples of 8.  A reader skips chunks of unknown types, and cuts
   off a torn tail: everything before it is valid.

   *Virtual addresses*: in gmon.out the addresses of the executable are those of link time.  The
   link-time addresses of each other object (shared library, vDSO) are moved up by its *base*, a
   multiple of BBX_BASE_UNIT.  So all objects of the process have room side by side in one
   gmon.out.  This file gives the base of each object.  An object that is loaded again, at any
   address, keeps its base. */
#ifndef BBPROF_FILE_H
#define BBPROF_FILE_H

#include <stdint.h>

/* 8 bytes, no terminating zero; a transfer in text mode changes it, so readers notice that. */
#define BBX_MAGIC "bbprof\r\n"
#define BBX_VERSION 1 /* of the whole file; other versions are refused */

struct bbx_header {
  char magic[8];
  uint32_t version;
  uint32_t bytes; /* size of this header; readers skip fields that they do not know */
  /* Run id: number of this run of this process, not 0; the same as in gmon.out's header
     (GMON_RUN_OFFSET). */
  uint64_t run;
};

/* Offset of the run id, 8 bytes, in gmon.out's header.  The last 12 bytes of that are unused; 0:
   there is no sidecar. */
#define GMON_RUN_OFFSET 12

/* Offset in that header of a word of 4 bytes: a flag for reading the arcs, and in the other bits
   the moment.  These are bits of bbx_run.wall, which distinguish the dumps of a run.  0:
   unknown, as in a sum, which has several runs. */
#define GMON_FLAGS_OFFSET 8
/* For some arcs the caller's address is no return address, only some address in the caller. */
#define GMON_CALLERS_ROUNDED 1
#define GMON_MOMENT(word_or_wall) ((uint32_t) (word_or_wall) & ~(uint32_t) GMON_CALLERS_ROUNDED)

#define BBX_SUFFIX ".bbx" /* suffix of the sidecar's name, behind the profile's */

struct bbx_chunk {
  uint32_t type; /* BBX_TYPE */
  /* CRC-32 (as zlib's crc32) of type and length as they stand here, then the content. */
  uint32_t crc;
  uint64_t length; /* bytes of content, without the zeros that pad it to the next multiple of 8 */
};

/* Four letters, readable in a dump of the file. */
#define BBX_TYPE(a, b, c, d) \
  ((uint32_t) (a) | (uint32_t) (b) << 8 | (uint32_t) (c) << 16 | (uint32_t) (d) << 24)

/* The run, once; in the sum of several profiles (bbprof merge) each run, the earliest first. */
#define BBX_TYPE_RUN BBX_TYPE ('R', 'U', 'N', ' ')
struct bbx_run {
  uint64_t started; /* nanoseconds since 1970 */
  /* Nanoseconds from the start (in a forked child: from the fork) to this dump. */
  uint64_t wall, cpu;
  uint32_t pid, parent; /* pids */
  uint32_t rate;        /* samples a second of CPU time that the timer was set to; 0: no sampling */
  uint32_t dump;        /* 1 for the first file that the run wrote */
  uint64_t threads;     /* highest number of threads attached at the same time */
  /* Samples taken.  Includes those left out of the profile, unless threads were chosen. */
  uint64_t samples;
  char program[]; /* absolute path, terminated by a zero; empty: unknown */
};

/* An object of the process, loaded or unloaded: one chunk for each, the executable first. */
#define BBX_TYPE_OBJECT BBX_TYPE ('O', 'B', 'J', ' ')
#define BBX_BASE_UNIT 0x100000000UL
struct bbx_object {
  uint64_t base;                 /* virtual address - link-time address; 0 for the executable */
  uint64_t start, end;           /* link-time addresses of all its segments, end exclusive */
  uint64_t text_start, text_end; /* of the executable segments */
  uint64_t bias;           /* run-time address - link-time address, where it was loaded last */
  uint32_t loads;          /* number of loads, at least 1 */
  uint32_t flags;          /* BBX_OBJECT_... */
  uint32_t build_id_bytes; /* 0: it has none */
  uint32_t path_bytes;     /* including the terminating zero */
  /* The build id's bytes, then the path: absolute, or a name in brackets like [vdso]. */
  char data[];
};
#define BBX_OBJECT_EXECUTABLE 1U
#define BBX_OBJECT_UNLOADED 2U /* was not loaded at the time of the dump */
#define BBX_OBJECT_BLOCKS 4U   /* has a block map made by the plugin */

/* The ELF image of an object that is in no file: the vDSO; or generated code, an object [generated]
   that `bbprof record' made of what the process said about it, with the names and lines of that
   code.  One chunk for each, behind that of the object. */
#define BBX_TYPE_IMAGE BBX_TYPE ('I', 'M', 'G', ' ')
struct bbx_image {
  uint64_t base; /* of the object */
  /* The image, to the end of the chunk.  Its addresses are link-time addresses of the object. */
  unsigned char data[];
};

/* How often control went from one block to another: one chunk, if it ever did.  Three numbers
   for each edge, in unsigned LEB128:
     the address of the block that it comes from, as a difference to that of the previous edge, or
       to 0;
     that of the block that it goes to, as a difference to the first;
     the count.
   Differences are folded: 2 n for n >= 0, else -2 n - 1.  Addresses are virtual, of the blocks'
   first bytes.  0 stands for outside of the function: its entries; returns, and calls that have
   not come back.  An edge may occur more than once. */
#define BBX_TYPE_EDGES BBX_TYPE ('E', 'D', 'G', 'E')

/* In a recovered profile: bounds of the counts, because the position of each killed thread is
   unknown.  One chunk for each thread and each list that is not empty.  The content is struct
   bbx_open, then numbers as in EDGE, each entry with its count.  A call is its return site, or
   the last byte of a jump, and the callee.  A call from outside is 0 and the function.  An
   execution is twice the block's address.  Edges are as in EDGE.  An older form has no struct
   bbx_open: calls only, of all threads, modulo 2^64, below 0 for fewer. */
#define BBX_TYPE_OPEN BBX_TYPE ('O', 'P', 'E', 'N')
struct bbx_open {
  uint32_t version; /* BBX_OPEN_VERSION: no list of the older form begins with that */
  /* number of the thread's counts in the live file, from 1; 0: all threads of a sum */
  uint32_t thread;
  uint32_t list;   /* enum bbx_open_list */
  uint32_t unused; /* 0 */
};
enum bbx_open_list {
  /* at most so many more calls and executions may have happened than gmon.out says, */
  BBX_OPEN_MORE,
  BBX_OPEN_FEWER,      /* or fewer */
  BBX_OPEN_EDGES_MORE, /* likewise, of EDGE */
  BBX_OPEN_EDGES_FEWER,
  BBX_OPEN_LISTS
};
#define BBX_OPEN_VERSION 2

/* How often control went from one executed block to the next, across functions.  Only for
   programs compiled with ax, and for each variant that was counted.  The content is struct
   bbx_jumps, then numbers as in EDGE; 0: outside of what was recorded. */
#define BBX_TYPE_JUMPS BBX_TYPE ('J', 'U', 'M', 'P')
struct bbx_jumps {
  uint32_t variant; /* BBX_JUMPS_... */
  uint32_t unused;  /* 0 */
};
/* The first block of a function is reached from outside, and the caller continues by itself. */
#define BBX_JUMPS_HIDECALL 1U
#define BBX_JUMPS_SHOWRET 2U /* from a function's last block back to the caller */
#define BBX_JUMPS_VARIANTS 4

/* A selector by which the user selected functions: one chunk for each, in the user's order. */
#define BBX_TYPE_SELECT BBX_TYPE ('S', 'E', 'L', ' ')
struct bbx_select {
  uint32_t flags;     /* BBX_SELECT_... */
  uint32_t functions; /* number of functions that it matches */
  /* Virtual addresses of their first blocks.  Then name and file as the user wrote them, each
     terminated by a zero; file empty: any file. */
  uint64_t function[];
};
/* Their blocks are not recorded.  Without this flag recording begins with a call of them. */
#define BBX_SELECT_HIDES 1U

/* A block in a unit's own tables: one chunk for each block of units with historic tables, which
   may have no other debug information.  Readers prefer the debug information of the object's
   file. */
#define BBX_TYPE_BLOCK BBX_TYPE ('B', 'L', 'K', ' ')
struct bbx_block {
  uint64_t address; /* virtual */
  uint64_t line;    /* 0: unknown */
  /* Names of the function and of the source file, each terminated by a zero; empty: unknown. */
  char data[];
};

/* A unit, as in the historic tables (bbprof-abi.h): one chunk for each registered unit, the
   newest first. */
#define BBX_TYPE_UNIT BBX_TYPE ('U', 'N', 'I', 'T')
struct bbx_unit {
  uint64_t counters; /* virtual address of the first counter */
  uint64_t ncounters;
  /* With historic tables: the number of blocks that follow, one for each counter; else 0. */
  uint64_t blocks;
  struct bbx_unit_block {
    uint64_t address, count; /* virtual, 0: unknown; since the last reset */
  } block[];                 /* then the unit's name, terminated by a zero */
};

/* Losses by cause: one chunk, even if nothing was lost; entries to the end of the chunk.  If a
   cause is missing or its count is 0, nothing was lost by it. */
#define BBX_TYPE_LOSSES BBX_TYPE ('L', 'O', 'S', 'T')
struct bbx_loss {
  uint64_t count;
  /* A short text, padded with zeros: one of BBX_LOST_..., or another. */
  char cause[56];
};
#define BBX_LOST_CALLS "calls not counted: out of memory"
/* Their counts may be too low. */
#define BBX_LOST_BLOCKS "threads with shared block counters: out of memory"
#define BBX_LOST_UNLOADED "calls in code unloaded unseen"
#define BBX_LOST_TICKS "ticks missed" /* of threads that could not be sampled */
/* On purpose: the profiler's own cost is not the program's time. */
#define BBX_LOST_OWN "samples inside the profiler"
/* Generated code, libraries unloaded without notice. */
#define BBX_LOST_NOWHERE "samples outside of all objects"
#define BBX_LOST_SAMPLES "samples not counted: out of memory"
#define BBX_LOST_DUMPS "dumps not written"
#define BBX_LOST_SLICES "parts of the live file: no room on the disk"
#define BBX_LOST_BASE "threads with shared block counters: no use of GS" /* likewise */
/* Counts may be wrong by a few. */
#define BBX_LOST_RUNNING "readings of threads that ran and would not wait"
/* Of a recovered profile; an upper bound; chunk OPEN has the details. */
#define BBX_LOST_KILLED "threads killed; each may make some counts 1 too high"
/* Blocks of the first thread, too, may be counted as other blocks. */
#define BBX_LOST_REFUSED "blocks of further threads (plain __bb)"
#define BBX_LOST_TIMES "times of samples" /* only gmon.out.bbs lacks these */
/* Of a process that is sampled from outside; of all processes that are. */
#define BBX_LOST_RECORDS "samples and events: the kernel's buffer was full"
/* No file has samples of these. */
#define BBX_LOST_REPLACED "programs before exec, not sampled (use --children)"
/* 1: what the process did after that exec. */
#define BBX_LOST_REST "programs after exec: could not be sampled"
/* 1: in a sum some profiles had no sidecar. */
#define BBX_LOST_UNKNOWN "what profiles without a sidecar lost"
/* In a sum of several builds: their functions have other code in the sum's build. */
#define BBX_LOST_BUILDS "executions of blocks that differ between builds"
/* Counts that come out below 0 are written as 0. */
#define BBX_LOST_FLOW "executions read while being counted"
/* Counted where the stacks are known to be cut. */
#define BBX_LOST_STACKS "stacks cut: out of memory"
#define BBX_LOST_BUSY "samples without stack: another was being taken"
#define BBX_LOST_THREADS "samples without stack: thread not known"

/* The machine: one chunk; a sum has one for each different machine, by number of processes. */
#define BBX_TYPE_MACHINE BBX_TYPE ('M', 'A', 'C', 'H')
struct bbx_machine {
  /* Texts, padded with zeros, the last byte is one; empty: unknown.  The system: its name, release
     and machine, with blanks between; the processor: as it names itself. */
  char system[72], processor[48];
  uint32_t processors; /* those that the process might use at its start; 0: unknown */
  uint32_t processes;  /* not 0 */
};

/* The time that a tick stands for: one chunk, if CPU time was sampled and it is known.  The kernel
   checks the timer at its own ticks only, so a run's ticks need not add up to the CPU time that it
   charged.  Therefore a tick stands for DUE / TICKS / rate seconds.  The bins of gmon.out are
   already multiplied by that; the ticks of contexts are not.  From Windows, where wall time is
   sampled, by rounds with a sample of each thread: the ticks due by the time between rounds. */
#define BBX_TYPE_TIME BBX_TYPE ('T', 'I', 'M', 'E')
struct bbx_time {
  uint64_t ticks; /* ticks that came, not 0, including those left out */
  uint64_t due;   /* ticks due by the process's CPU clock, not 0 */
};

/* How time was sampled: one chunk, if stacks were sampled.  Sums have one for each different
   way. */
#define BBX_TYPE_SAMPLING BBX_TYPE ('H', 'O', 'W', ' ')
struct bbx_sampling {
  char sampler[16]; /* its name, padded with zeros */
  uint32_t clock;   /* 0: CPU time; 1: wall time */
  uint32_t asked;   /* requested ticks a second */
  /* Ticks a second that the sampler promised: a tick stands for 1 / rate seconds, if there is no
     BBX_TYPE_TIME. */
  uint32_t rate;
  uint32_t depth; /* highest number of frames of a stack */
  uint32_t flags; /* BBX_SAMPLING_... */
  uint32_t unused;
  uint64_t ticks;     /* in all contexts */
  uint64_t samples;   /* samples taken; one may stand for several ticks */
  uint64_t cut;       /* stacks with unknown outermost frames */
  uint64_t wall, cpu; /* nanoseconds while it ran */
};

/* No code counted calls: those of gmon.out are ticks in which the call was active. */
#define BBX_SAMPLING_ARCS 1U
#define BBX_SAMPLING_CHOSEN 2U   /* only chosen threads were sampled; cpu is that of all threads */
#define BBX_SAMPLING_SWITCHED 4U /* some stacks were those of user-level threads */

/* A sampled thread: one chunk for each. */
#define BBX_TYPE_THREAD BBX_TYPE ('T', 'H', 'R', 'D')
struct bbx_thread {
  uint32_t number; /* from 1, never used again in the run */
  uint32_t tid;
  uint64_t begun, ended; /* nanoseconds since the run began; ended 0: it existed at the dump */
  uint64_t cpu;          /* nanoseconds of CPU time, as the kernel reports it */
  char name[16];         /* the last known name, with a zero */
};
/* Stands for all threads that were sampled before they were entered in the list of threads, or
   after they were removed. */
#define BBX_THREAD_OTHERS UINT32_MAX

/* An address range of an object in memory in which samples were taken: one chunk for each range, in
   the order of the first samples. */
#define BBX_TYPE_PLACE BBX_TYPE ('L', 'O', 'A', 'D')
struct bbx_place {
  uint64_t base;       /* base of the object */
  uint64_t start, end; /* run-time addresses */
  /* Nanoseconds since the run began: the first sample in it; 0: before the run began. */
  uint64_t met;
  uint64_t unloaded; /* the same; 0: it was loaded at the dump, or unloaded when the run began */
};

/* The tree of calling contexts: one chunk with struct bbx_contexts, then four numbers for each
   node, in unsigned LEB128.  A parent precedes its children; differences are folded as in EDGE.
     its own number - that of its parent; without a parent its own number. The first node is
       number 1;
     its kind, enum bbx_frame, perhaps with BBX_FRAME_BY_POINTER;
     its address, as a difference to that of the previous node, or to 0 (any kind);
     the ticks that ended in it. */
#define BBX_TYPE_CONTEXTS BBX_TYPE ('C', 'T', 'X', ' ')
struct bbx_contexts {
  uint64_t n;
};
enum bbx_frame {
  /* Virtual address: in the innermost frame that of the interrupted instruction, else a return
     address. */
  BBX_FRAME_CODE,
  /* The same, but the instruction itself: a signal handler was called there. */
  BBX_FRAME_INTERRUPTED,
  BBX_FRAME_THREAD, /* outermost: a thread's number */
  BBX_FRAME_CUT,    /* unknown frames; 0 */
  /* In the kernel: number of the system call; only functions of the kernel are farther in. */
  BBX_FRAME_SYSCALL,
  BBX_FRAME_KERNEL, /* likewise, for an unknown reason; 0 */
  /* Code in no object, run-time address: generated code, or an object that was unloaded without
     notice. */
  BBX_FRAME_ANONYMOUS,
  /* A function of a language that an interpreter executes: BBX_LANGUAGE_ADDRESS.  Its parent is the
     native frame that executes it, or the language's frame that called it. */
  BBX_FRAME_LANGUAGE,
  BBX_FRAME_KERNEL_FUNCTION, /* its number (BBX_TYPE_KERNEL) */
  BBX_FRAMES
};
/* Added to the kind of a frame of code, in an object or not: it was found by the frame pointer, for
   lack of call frame information of the code that it called.  So it is less certain. */
#define BBX_FRAME_BY_POINTER 16U

/* The languages of those frames: one chunk for each, in the order of their numbers, from 1. */
#define BBX_TYPE_LANGUAGE BBX_TYPE ('L', 'A', 'N', 'G')
struct bbx_language {
  char name[16];       /* padded with zeros, at least one */
  uint64_t ticks;      /* in contexts with frames of it */
  uint64_t collecting; /* those in which the interpreter collected garbage */
  uint64_t cut;        /* those without their outermost frames */
  /* Samples whose frames the interpreter told at its next safe point; nanoseconds from sample to
     safe point, of all of them and at most.  In a garbage collection, where frames do not change,
     these are 0. */
  uint64_t late, delays, delay_most;
  uint64_t missed;   /* ticks without frames, because no safe point followed in time */
  uint64_t unknown;  /* frames or functions that the interpreter does not know */
  uint64_t unlisted; /* frames of functions for which the list had no room */
};

/* A function of a language: one chunk for each. */
#define BBX_TYPE_FUNCTION BBX_TYPE ('L', 'F', 'U', 'N')
struct bbx_function {
  uint32_t number; /* as in the frames, not 0, less than BBX_FUNCTIONS_MOST */
  uint32_t language;
  uint32_t line; /* the first one; 0: unknown */
  uint32_t unused;
  char data[]; /* its name and its file, each terminated by a zero; file empty: unknown */
};
#define BBX_LANGUAGES_MOST 7
#define BBX_FUNCTIONS_MOST (1U << 24)
/* LINE: of the source; 0: unknown. */
#define BBX_LANGUAGE_ADDRESS(number, line) ((uint64_t) (number) << 32 | (line))
/* Names of the frames of all languages that are no functions. */
#define BBX_FUNCTION_COLLECTS "[garbage collection]"
#define BBX_FUNCTION_UNKNOWN "[unknown function]"

/* The names of the kernel's functions in the tree: one chunk, if there are any.  Each name is
   terminated by a zero.  A function's number is the upper 56 bits of the FNV-1a hash, of 64 bits,
   of its name. */
#define BBX_TYPE_KERNEL BBX_TYPE ('K', 'S', 'Y', 'M')

/* A rank of an MPI program: one chunk, if the process is one.  In a sum one for each rank.  The
   content is struct bbx_rank; then nine numbers for each call of MPI that it made, by function and
   call site, in unsigned LEB128:
     the call site: a virtual return address, 0: unknown; as a difference to that of the previous
       one, folded as in EDGE;
     the function: its place in BBM_CALLS (bbprof-ranks.h), from 1;
     calls; nanoseconds in them; bytes that the rank sent or contributed;
     collective calls of which it is known which rank came last; of these: those to which this rank
       came last, the nanoseconds from the first rank's arrival to this one's in those, and the
       nanoseconds in which this rank waited for the last one, in all.
   With BBX_RANK_COUNTS follow this rank's own counts, which a sum has added up elsewhere: three
   lists, each a number of items, then for each an address, as a difference, and a count: ticks by
   the first address of a bin; calls by the callee; executions by block. */
#define BBX_TYPE_RANK BBX_TYPE ('R', 'A', 'N', 'K')
struct bbx_rank {
  uint32_t rank, size; /* in MPI_COMM_WORLD */
  uint32_t flags;      /* BBX_RANK_... */
  uint32_t runs;       /* the number of runs that were added up; 1, if it is no sum */
  uint64_t calls;      /* number of call sites that follow, each with nine numbers */
  uint64_t unlisted;   /* calls for which the list had no room */
  uint64_t unjudged;   /* collective calls of which it is unknown which rank came last */
  uint64_t time;       /* nanoseconds from MPI_Init to the dump */
};
#define BBX_RANK_COUNTS 1U
enum bbx_rank_list { BBX_RANK_TICKS, BBX_RANK_CALLS, BBX_RANK_EXECUTIONS, BBX_RANK_LISTS };

/* The file of times of this run (bbprof-samples.h), whole, once, before the end.  `bbprof record'
   moves it here when the process has ended; until then it is a file of its own. */
#define BBX_TYPE_STREAM BBX_TYPE ('S', 'T', 'R', 'M')

/* The last chunk, without content: the file is complete. */
#define BBX_TYPE_END BBX_TYPE ('E', 'N', 'D', ' ')

#endif
