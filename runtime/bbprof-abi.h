/* SPDX-License-Identifier: MIT */
/* What compiled code and the run-time library agree on: the tables that the plugin writes, the symbols that
   instrumented code refers to, and the names of the sections.  The one border between gcc-plugin/ and runtime/.
   Valid C11 and C++11.

   Every compilation unit has one table LPBX0 (struct bb) with its counters LPBX2.  The units of one linked module
   (the executable, or one shared object) lie side by side in sections with the names below, so that the linker's
   __start_ and __stop_ symbols give their bounds: a module's counters are one array, its block map is one list.

   A thread counts either in the module's own counters (the main thread, and everybody before start-up) or in a
   copy of the whole array; the distance between the two is the thread's *displacement* for that module.  Compiled
   code reaches its counters through a thread-local *counter word*, which holds its initial value plus the
   displacement:

     executables     one word per unit, initially the address of LPBX2; counter n is at 8*n from what it holds
     -fPIC code      one word per module (__bb_displacement, hidden, COMDAT), initially 0; to be added to the
                     address of the counter.  One word only, because room for thread-local words is scarce
                     in libraries that dlopen brings in.

   So a thread is attached by storing word_initial + displacement into each unit's word: twice does no harm.  */
#ifndef BBPROF_ABI_H
#define BBPROF_ABI_H

#include <stdint.h>

/* Version of all that is in this file, and the mark by which the run-time library knows the extended struct bb. */
#define BBP_ABI_VERSION 1
#define BBP_ABI_MAGIC (0x6262700000000000UL | BBP_ABI_VERSION)

/* Sections: C identifiers, because the linker defines __start_NAME and __stop_NAME for those only. */
#define BBP_SECTION_COUNTS "bbprof_counts" /* LPBX2 of every unit; no bits in the file */
#define BBP_SECTION_MAP "bbprof_map"       /* LPBX3 of every function, struct bbp_map_range; read-only */

/* The historic table of a unit, label LPBX0 (GCC 2.95, field by field), and what bbprof adds behind it.
   nwords is the size of the table in bytes: 88 means that it ends with flags (code written by hand, or by somebody's
   own macro set), sizeof (struct bb) that the extension is there.
   Writer: the compiler, but for zero_word, next and flags, which the run-time library owns. */
struct bb {
  long zero_word;                 /* 0; 1 once the unit is registered */
  const char *filename;           /* LPBX1: working directory / source file, for people */
  long *counts;                   /* LPBX2: ncounts counters of 64 bits, where the main thread counts */
  long ncounts;                   /* number of blocks */
  struct bb *next;                /* link of the list __bb_head */
  const unsigned long *addresses; /* LPBX3 of old: a pointer per block; null in what the plugin writes */
  long nwords;                    /* bytes in this table */
  const char **functions;         /* LPBX4 of old, or null */
  const long *line_nums;          /* LPBX5 of old, or null */
  const char **filenames;         /* LPBX6 of old, or null */
  char *flags;                    /* null; belongs to the run-time library */
  /* The extension. */
  unsigned long magic;         /* BBP_ABI_MAGIC */
  long word_offset;            /* of the unit's counter word from the thread pointer */
  unsigned long word_initial;  /* what the word holds while the displacement is 0 */
  long *counts_start;          /* the module's counters: __start_bbprof_counts */
  long *counts_stop;           /*                        __stop_bbprof_counts */
  const char *map_start;       /* the module's block map: __start_bbprof_map */
  const char *map_stop;        /*                         __stop_bbprof_map */
};

#define BBP_BB_SIZE_HISTORIC 88 /* 11 words of 8 bytes */

/* LPBX3 as the plugin writes it: where the blocks are.  One record for each stretch of consecutive code, i.e. one for
   a function, or two where its cold part lies elsewhere.  A record belongs to the text section that it describes
   (SHF_LINK_ORDER, and the same COMDAT group), so that it comes and goes with the function.  All references are
   relative to the field that holds them: nothing for the loader to relocate.
   Behind the record come BYTES bytes: nblocks - 1 unsigned LEB128 numbers, the distance in bytes of each block's
   first byte from that of the block before, then zeros up to the next multiple of 4. */
struct bbp_map_range {
  int32_t text;     /* address of the first block - address of this field */
  int32_t counts;   /* address of the first block's counter - address of this field; the others' follow it */
  uint32_t nblocks; /* at least 1; perhaps with BBP_MAP_BY_CALLS */
  uint32_t bytes;   /* what follows this record, padding included */
};

/* In nblocks: the first block of the stretch has no counter of its own (the place for it stays 0).  It begins where the
   function's call of mcount or __fentry__ returns to, and runs once for each such call: its count is the sum of the arcs
   whose callee address is the block's address. */
#define BBP_MAP_BY_CALLS 0x80000000U

/* What compiled code refers to (all but the first from assembler text only).

   __bb_init_func (struct bb *)   registers a unit; an ordinary function of C.  The plugin makes every unit call it from
                                  .init_array.00100.  Any number of times, by any thread.
   __bb_fini_func (struct bb *)   the unit's module goes away (dlclose) or the process ends; from .fini_array.00100.
   __bb_thread                    thread-local, initial-exec, a word: not 0 once the run-time library knows the thread.
   __bb_thread_func ()            makes the calling thread known (*attaches* it); changes no register but r11 and the
                                  flags.  Called at a function's entry if __bb_thread is 0, unless the function
                                  calls mcount or __fentry__, which do the same.
   mcount, __fentry__             as in every profiling compiler; see the run-time library.  */

#endif
