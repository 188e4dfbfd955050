/* SPDX-License-Identifier: MIT */
/* The live file: the counts of a process that runs with BBPROF_OPTIONS=live=1, or was killed.
   The border between the run-time library, which counts in it, and bbprof recover.  Explained
   for people in doc/file-format.md.

   The file is a sequence of *slices*, each a number of whole pages with a head of its own.  A
   slice is valid once its magic is there, which is written last: a process that is killed while
   it makes one leaves pages that a reader skips one by one, to the next page that begins with a
   head.  What is in a slice goes on changing as long as the process counts.
   No slice points to another: they name each other by numbers.  Numbers are in the processor's
   own order. */
#ifndef BBPROF_LIVE_H
#define BBPROF_LIVE_H

#include <stdint.h>

#define BBL_MAGIC 0x0a6576696c706262UL /* "bbplive\n" */
#define BBL_VERSION 5                  /* of everything here; another one is refused */
#define BBL_PAGE 4096

/* 64 bytes, so that what follows lies in cache lines as it would without. */
struct bbl_slice {
  uint64_t magic;  /* BBL_MAGIC, once valid */
  uint64_t run;    /* number of the run: the same in all slices of a file */
  uint32_t kind;   /* enum bbl_kind */
  uint32_t number; /* of the thread or the module, from 1; see enum bbl_kind */
  uint32_t of;     /* see enum bbl_kind */
  uint32_t unused;
  uint64_t bytes;   /* of the slice, this head included: a multiple of BBL_PAGE */
  uint64_t content; /* bytes behind this head that are in use */
  uint64_t offset;  /* of the slice in the file */
  uint64_t older;   /* means something to the process only */
};

enum bbl_kind {
  BBL_HEAD = 1, /* the first slice: struct bbl_head; valid once there is a state */
  BBL_ARCS,     /* struct bbp_arc_table of thread NUMBER */
  BBL_COUNTS,   /* struct bbp_copy: block counts of thread NUMBER in module OF */
  BBL_MODULE,   /* struct bbl_module NUMBER */
  /* Like BBL_COUNTS, but what threads do while they are stopped: counts for nothing. */
  BBL_SCRAPS,
  BBL_SAMPLES, /* struct bbp_sample_table */
  BBL_STATE,   /* struct bbl_state; the one with the highest NUMBER is right */
  /* Segment NUMBER of a list, runtime/base/base.h (struct bbp_segments): */
  BBL_CONTEXTS,  /* struct bbp_context */
  BBL_MAPPINGS,  /* struct bbp_mapping */
  BBL_THREADS,   /* struct bbx_thread; those without a number are empty */
  BBL_COLLECTED, /* struct bbp_collected */
};

/* What changes with the time alone, as of the last tick or the last state.  Writers: the
   handlers, each word by itself. */
struct bbl_tick {
  uint64_t wall, cpu;                           /* nanoseconds since the start of the run */
  uint64_t own_samples, lost_samples, left_out; /* since the last reset */
  uint64_t ticks_due;                           /* as in struct bbx_time */
};

/* The process, and where its profile belongs. */
struct bbl_head {
  uint32_t version;
  uint32_t pid;
  uint64_t born;    /* when the process began: field 22 of /proc/PID/stat; 0: not known */
  uint64_t missing; /* slices that had no room in the file: their counts are not here */
  struct bbl_tick tick;
  char profile[4096]; /* name of the gmon.out, terminated by a zero */
};

/* A module's counters and map (include/bbprof-abi.h).  Behind it stand NCOUNTS counters of 8
   bytes, what had been counted in the module's own when its units were registered, then
   MAP_BYTES of the section bbprof_map. */
struct bbl_module {
  uint64_t counts_address, map_address; /* run-time */
  uint64_t ncounts, map_bytes;
};

/* What the counts mean: written anew whenever that changes, all of it.  Behind it stand, without
   gaps,
     NOBJECTS times struct bbl_object, each with its build id and path,
     settled arcs, retired arcs, settled samples, retired samples (NCOUNTS of each): struct
       bbl_count,
     of objects that have left: blocks, edges, direct calls, entries, jumps (NFLOWS of each): the
       same,
     who was in flight in the baselines, and at the stop (NIN_FLIGHT of each): the same, by
       run-time pc from 0, signed,
     NMODULES times struct bbl_baseline, each with its counters. */
struct bbl_state {
  uint64_t low, high;         /* what is profiled of the executable, run-time addresses */
  uint64_t own_low, own_high; /* the run-time library's own code, the same */
  uint64_t lost_calls, lost_unloaded, lost_nowhere, lost_dumps, lost_flow;
  uint64_t inexact;             /* 1: block counts of some threads may be too low */
  uint64_t started;             /* the run: nanoseconds since 1970 */
  uint32_t parent, rate, dumps; /* the run, as in struct bbx_run */
  uint32_t stopped;             /* 1: what is counted counts for nothing */
  uint64_t ncounts[4], nflows[5], nin_flight[2];
  uint64_t nobjects, nmodules;
};

/* As struct bbx_object, in the order in which they were found. */
struct bbl_object {
  uint64_t base, bias, start, end, text_start, text_end;
  uint64_t present;    /* 0: unloaded */
  uint64_t had_blocks; /* 1: a module in it has been retired */
  uint64_t loads, build_id_bytes, path_bytes;
};

/* From 0: a sample, a block, an entry. */
struct bbl_count {
  uint64_t from, self, count;
};

/* A module that is there; NCOUNTS counts that count no more, and NSTOP as they were when the
   process was stopped.  Modules that no baseline names have been retired. */
struct bbl_baseline {
  uint64_t module, ncounts, nstop; /* none: 0 of them */
};

#endif
