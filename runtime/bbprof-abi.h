/* SPDX-License-Identifier: MIT */
/* What compiled code and the run-time library agree on: the tables that the plugin writes, the symbols that
   instrumented code refers to, and the names of the sections.  The one border between gcc-plugin/ and runtime/.
   Valid C11 and C++11.

   Every compilation unit has one table LPBX0 (struct bb) with its counters LPBX2.  The units of one linked module
   (the executable, or one shared object) lie side by side in sections with the names below, so that the linker's
   __start_ and __stop_ symbols give their bounds: a module's counters are one array, its map is one list.

   A thread counts either in the module's own counters (the main thread, and everybody before start-up) or in a
   copy of the whole array; the distance between the two is the thread's *displacement* for that module.  Compiled
   code finds its counters

     in executables     through the segment register GS, whose base is the thread's displacement for the executable's
                        module: incq %gs:counter(%rip).  The kernel starts every process with 0 there, and a new
                        thread with what its maker has.
     in -fPIC code      through a thread-local word of the module's (__bb_displacement, hidden, COMDAT), initially 0,
                        that is to be added to the address of the counter.  One word only, because room for
                        thread-local words is scarce in libraries that dlopen brings in.

   Units compiled with update=atomic or update=single count in the module's own array only.  */
#ifndef BBPROF_ABI_H
#define BBPROF_ABI_H

#include <stdint.h>

/* Version of all that is in this file, and the mark by which the run-time library knows the extended struct bb. */
#define BBP_ABI_VERSION 2
#define BBP_ABI_MAGIC (0x6262700000000000UL | BBP_ABI_VERSION)

/* Sections: C identifiers, because the linker defines __start_NAME and __stop_NAME for those only. */
#define BBP_SECTION_COUNTS "bbprof_counts" /* LPBX2 of every unit; no bits in the file */
#define BBP_SECTION_MAP "bbprof_map"       /* LPBX3 of every function, struct bbp_map_function; read-only */

/* How a unit's code adds to its counters. */
enum bbp_update {
  BBP_UPDATE_THREAD, /* each thread in its own array */
  BBP_UPDATE_ATOMIC, /* in the module's array, by locked instructions */
  BBP_UPDATE_SINGLE  /* in the module's array, by plain instructions: for programs of one thread */
};

/* The historic table of a unit, label LPBX0 (GCC 2.95, field by field), and what bbprof adds behind it.
   nwords is the size of the table in bytes: 88 means that it ends with flags (code written by hand, or by somebody's
   own macro set), sizeof (struct bb) that the extension is there.
   Writer: the compiler, but for zero_word, next and flags, which the run-time library owns. */
struct bb {
  long zero_word;                 /* 0; 1 once the unit is registered */
  const char *filename;           /* LPBX1: working directory / source file, for people */
  long *counts;                   /* LPBX2: ncounts counters of 64 bits, where the main thread counts */
  long ncounts;                   /* number of counters: in the historic layout one for each block */
  struct bb *next;                /* link of the list __bb_head */
  const unsigned long *addresses; /* LPBX3 of old: a pointer per block; null in what the plugin writes */
  long nwords;                    /* bytes in this table */
  const char **functions;         /* LPBX4 of old, or null */
  const long *line_nums;          /* LPBX5 of old, or null */
  const char **filenames;         /* LPBX6 of old, or null */
  char *flags;                    /* null; belongs to the run-time library */
  /* The extension. */
  unsigned long magic;         /* BBP_ABI_MAGIC */
  unsigned long update;        /* enum bbp_update */
  long word_offset;            /* of __bb_displacement from the thread pointer, never 0; 0: the unit counts through GS */
  long *counts_start;          /* the module's counters: __start_bbprof_counts */
  long *counts_stop;           /*                        __stop_bbprof_counts */
  const char *map_start;       /* the module's map: __start_bbprof_map */
  const char *map_stop;        /*                   __stop_bbprof_map */
};

#define BBP_BB_SIZE_HISTORIC 88 /* 11 words of 8 bytes */

/* LPBX3 as the plugin writes it: one record for each function, its control flow graph, and what of it is counted.  A
   record belongs to the text section that it describes (SHF_LINK_ORDER, and the same COMDAT group), so that it comes
   and goes with the function.  All references are relative to the field that holds them: nothing for the loader to
   relocate, and nothing is read before a profile is written.

   Behind the record come BYTES bytes: unsigned LEB128 numbers, then zeros up to the next multiple of 4.

     blocks           number of the function's basic blocks, at least 1, in the order of their code
     cold             how many of them, the last ones, lie in the cold part
     flags            BBP_FUNCTION_...
     for each block:
       distance       in bytes, of its first byte from that of the block before; of the first one, from the function's
                      entry; of the first one in the cold part, from where the record's COLD points
       shape          BBP_BLOCK_..., plus BBP_BLOCK_CALLS times the number of its calls
       for each call: distance  of its point from the call before, or from the block's first byte
                      kind      BBP_CALL_...
       successors     number of edges to blocks of this function
       for each one:  target    index of the block, times 2, plus 1 if the edge has a counter of its own

   The counters of a function lie side by side, in the order in which the record says that something has one.

   The graph.  Its nodes are Z, all that is outside of the function's control flow; for each block b its entry, in (b);
   and the block's *segments* s0 (b), s1 (b), ...: a segment ends where control may not come back from: behind each call
   begins a new one, unless the call is a final one.  Its edges, each with a count, the number of times that control
   has passed it:

     Z -> in (b)              if BBP_BLOCK_IN: the function's entry (of the first block), a landing pad of exceptions, a
                              place that longjmp, a nonlocal or a computed goto leads to
     in (b) -> s0 (b)         the executions of block b; counted if BBP_BLOCK_COUNTED
     s0 (b) -> Z              if BBP_BLOCK_LEAVES: control may stay away, or stay, in a loop without calls
     si (b) -> Z              if a call that is not final ends the segment: the call has not returned, or not this way
     si (b) -> si+1 (b)       for the same call: it has returned; counted if BBP_CALL_COUNTED
     last segment -> in (t)   for each successor t; counted if its number says so
     last segment -> Z        if BBP_BLOCK_OUT: return, tail call, computed goto, a final call that does not come back

   There is at most one edge from a segment to Z.  At each node but Z as much comes in as goes out, always, whatever
   becomes of the calls: what is away, in a call that has not returned, has gone to Z.  Without the edges that
   have counters the graph has no cycles, so all counts follow. */
struct bbp_map_function {
  int32_t text;   /* address of the function's entry - address of this field */
  int32_t counts; /* address of its first counter - address of this field; the others follow it */
  int32_t cold;   /* address of the first block in the cold part - address of this field; 0: there is no cold part */
  uint32_t bytes; /* what follows this record, padding included */
};

#define BBP_FUNCTION_ARCS 1U  /* its calls are arcs of the call graph, and so are its entries that no call explains */

#define BBP_BLOCK_COUNTED 1U
#define BBP_BLOCK_IN 2U
#define BBP_BLOCK_OUT 4U
#define BBP_BLOCK_LEAVES 8U
#define BBP_BLOCK_CALLS 16U

#define BBP_CALL_COUNTED 1U  /* its return has a counter */
#define BBP_CALL_FINAL 2U    /* the last one of the block; no segment begins behind it */
#define BBP_CALL_TAIL 4U     /* a tail call: its point is where its jump begins; else the point is where it returns to */
#define BBP_CALL_DIRECT 8U   /* whom it calls can be read from the machine code at its point; else somebody else counts
                                that (__bb_indirect_func), or it is no call but a piece of somebody's assembler */

/* What compiled code refers to (all but the first from assembler text only).

   __bb_init_func (struct bb *)   registers a unit; an ordinary function of C.  The plugin makes every unit call it from
                                  .init_array.00100.  Any number of times, by any thread.
   __bb_fini_func (struct bb *)   the unit's module goes away (dlclose) or the process ends; from .fini_array.00100.
   __bb_thread                    thread-local, initial-exec, a word: not 0 once the run-time library knows the thread.
   __bb_thread_func ()            makes the calling thread known (*attaches* it); changes no register but r11 and the
                                  flags.  Called at a function's entry if __bb_thread is 0, unless the function
                                  calls mcount or __fentry__, which do the same, or can only be called by others that do.
   __bb_indirect_func ()          called before an indirect call: r11 holds whom it calls; changes nothing but the
                                  flags.  Counts an arc from its own return address to what r11 holds.
   mcount, __fentry__             as in every profiling compiler; see the run-time library.  */

#endif
