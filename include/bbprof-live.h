/* SPDX-License-Identifier: MIT */
/* The live file: the counts of a process that runs with BBPROF_OPTIONS=live=1, or was killed.
   The run-time library counts in it, bbprof recover reads it.
   doc/reference/files/live.md explains it.

   The file is a sequence of *slices*, each a number of whole pages with its own head.  A slice
   is valid once its magic number is there, which is written last.  A process that is killed
   while it makes a slice leaves invalid pages.  A reader skips these one by one, to the next
   page that begins with a head.  The content of a slice changes as long as the process counts.
   Slices contain no pointers: they refer to each other by numbers.  Numbers have the processor's
   byte order. */
#ifndef BBPROF_LIVE_H
#define BBPROF_LIVE_H

#include <stdint.h>

#define BBL_MAGIC 0x0a6576696c706262UL /* "bbplive\n" */
#define BBL_VERSION 5                  /* of the whole file; other versions are refused */
#define BBL_PAGE 4096

/* 64 bytes, so that the content has the same alignment to cache lines as without it. */
struct bbl_slice {
  uint64_t magic;  /* BBL_MAGIC, once valid */
  uint64_t run;    /* run id: the same in all slices of a file */
  uint32_t kind;   /* enum bbl_kind */
  uint32_t number; /* of the thread or the module, from 1; see enum bbl_kind */
  uint32_t of;     /* see enum bbl_kind */
  uint32_t unused;
  uint64_t bytes;   /* size of the slice, this head included: a multiple of BBL_PAGE */
  uint64_t content; /* bytes in use behind this head */
  uint64_t offset;  /* position of the slice in the file */
  uint64_t older;   /* for the process only */
};

enum bbl_kind {
  BBL_HEAD = 1, /* the first slice: struct bbl_head; valid once there is a state */
  BBL_ARCS,     /* struct bbp_arc_table of thread NUMBER */
  BBL_COUNTS,   /* struct bbp_copy: block counts of thread NUMBER in module OF */
  BBL_MODULE,   /* struct bbl_module NUMBER */
  /* Like BBL_COUNTS, but for stopped threads: readers ignore it. */
  BBL_SCRAPS,
  BBL_SAMPLES, /* struct bbp_sample_table */
  BBL_STATE,   /* struct bbl_state; the one with the highest NUMBER is valid */
  /* Segment NUMBER of a list, runtime/base/base.h (struct bbp_segments): */
  BBL_CONTEXTS,  /* struct bbp_context */
  BBL_MAPPINGS,  /* struct bbp_mapping */
  BBL_THREADS,   /* struct bbx_thread; those without a number are empty */
  BBL_COLLECTED, /* struct bbp_collected */
};

/* Values that change with the time, as of the last tick or the last state.  Writers: the
   handlers, each word by itself. */
struct bbl_tick {
  uint64_t wall, cpu;                           /* nanoseconds since the start of the run */
  uint64_t own_samples, lost_samples, left_out; /* since the last reset */
  uint64_t ticks_due;                           /* as in struct bbx_time */
};

/* The process, and the name of its profile. */
struct bbl_head {
  uint32_t version;
  uint32_t pid;
  uint64_t born;    /* when the process began: field 22 of /proc/PID/stat; 0: unknown */
  uint64_t missing; /* slices that had no room in the file: their counts are missing */
  struct bbl_tick tick;
  char profile[4096]; /* name of the gmon.out, terminated by a zero */
};

/* A module's counters and map (include/bbprof-abi.h).  Behind it come NCOUNTS counters of 8
   bytes: the module's own, as they were when its units were registered.  Then come MAP_BYTES of
   the section bbprof_map. */
struct bbl_module {
  uint64_t counts_address, map_address; /* run-time addresses */
  uint64_t ncounts, map_bytes;
};

/* How to interpret the counts; the whole state is written anew whenever it changes.  Behind it
   come, without gaps,
     NOBJECTS times struct bbl_object, each with its build id and path;
     settled arcs, retired arcs, settled samples, retired samples (NCOUNTS of each): struct
       bbl_count;
     of unloaded objects: blocks, edges, direct calls, entries, jumps (NFLOWS of each): the same;
     threads in flight in the baselines, and at the stop (NIN_FLIGHT of each): the same, by
       run-time pc from 0, signed;
     NMODULES times struct bbl_baseline, each with its counters. */
struct bbl_state {
  uint64_t low, high;         /* the profiled part of the executable, run-time addresses */
  uint64_t own_low, own_high; /* the run-time library's own code, likewise */
  uint64_t lost_calls, lost_unloaded, lost_nowhere, lost_dumps, lost_flow;
  uint64_t inexact;             /* 1: block counts of some threads may be too low */
  uint64_t started;             /* start of the run: nanoseconds since 1970 */
  uint32_t parent, rate, dumps; /* as in struct bbx_run */
  uint32_t stopped;             /* 1: what is counted now is ignored */
  uint64_t ncounts[4], nflows[5], nin_flight[2];
  uint64_t nobjects, nmodules;
};

/* As struct bbx_object, in the order in which the objects were found. */
struct bbl_object {
  uint64_t base, bias, start, end, text_start, text_end;
  uint64_t present;    /* 0: unloaded */
  uint64_t had_blocks; /* 1: a module in it has been retired */
  uint64_t loads, build_id_bytes, path_bytes;
};

/* FROM 0: a sample, a block, an entry. */
struct bbl_count {
  uint64_t from, self, count;
};

/* The baseline of a loaded module: NCOUNTS counts that are subtracted, and NSTOP counts as of
   the moment when the process was stopped.  Modules that no baseline names have been retired. */
struct bbl_baseline {
  uint64_t module, ncounts, nstop; /* 0: none */
};

#endif
