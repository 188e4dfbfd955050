/* SPDX-License-Identifier: MIT */
/* The interface between compiled code (gcc-plugin/) and the run-time library (runtime/): the
   tables that the plugin writes, the symbols that instrumented code refers to, and the names of
   the sections.  Valid C11 and C++11.

   Each translation unit has one table LPBX0 (struct bb) with its counters LPBX2.  The units of
   one module (the executable, or one shared object) lie side by side in sections with the names
   below.  So the linker's __start_ and __stop_ symbols give their bounds: a module's counters
   are one array, its map is one list.

   A thread counts either in the module's own counters, or in a copy of the whole array.  The
   main thread uses the module's own; so do all threads before start-up.  The distance from the
   module's own to the copy is the thread's *displacement* for that module.  Compiled code finds
   its counters

     in executables     of x86-64 through the segment register GS: its base is the thread's
                        displacement for the executable's module: incq %gs:counter(%rip). The
                        kernel starts each process with 0 there, and each new thread with the
                        value of its creator. In loops: incq %gs:distance(%reg), where %reg is the
                        address of the function's first counter, plus BBP_POINTER_BIAS.
     in all other code  through a thread-local word of the module (__bb_displacement, hidden,
                        COMDAT), initially 0, which is added to the address of the counter. It is
                        one word only, because libraries loaded by dlopen have little room for
                        thread-local words.

     on Windows         through a slot of TlsAlloc for each module, whose offset from GS is in a
                        word of the module's (__bb_links)

   Units compiled with update=atomic or update=single count in the module's own array only. */
#ifndef BBPROF_ABI_H
#define BBPROF_ABI_H

#include <stdint.h>

/* Version of everything in this file, and the magic number by which the run-time library
   recognises the extended struct bb. */
#define BBP_ABI_VERSION 4
#define BBP_ABI_MAGIC (0x6262700000000000UL | BBP_ABI_VERSION)

/* Sections.  The names are C identifiers, because the linker defines __start_NAME and
   __stop_NAME only for those. */
#define BBP_SECTION_COUNTS "bbprof_counts" /* LPBX2 of each unit; no bits in the file */
/* LPBX3 of each function, struct bbp_map_function; read-only. */
#define BBP_SECTION_MAP "bbprof_map"
#define BBP_SECTION_NAMES "bbprof_names" /* of each traced function, struct bbp_name; read-only */
/* One byte for each traced function, initially 0; written by the run-time library only. */
#define BBP_SECTION_CHOICE "bbprof_choice"

/* The first two in PE files, whose names have eight bytes at most. */
#define BBP_PE_SECTION_COUNTS "bbcounts"
#define BBP_PE_SECTION_MAP "bbmap"

/* Where a register points that loops hold: so many bytes behind the function's first counter. */
#define BBP_POINTER_BIAS 128

/* How a unit's code increments its counters. */
enum bbp_update {
  BBP_UPDATE_THREAD, /* each thread in its own array */
  BBP_UPDATE_ATOMIC, /* in the module's array, by locked instructions */
  /* in the module's array, by plain instructions: for programs with one thread */
  BBP_UPDATE_SINGLE
};

/* The historic table of a unit, label LPBX0 (GCC 2.95, field by field), and the extension that
   bbprof adds behind it.  The field nwords is the size of the table in bytes.  88: the table
   ends with flags (code written by hand, or by a user's own macro set); sizeof (struct bb): the
   extension is there.  Writer: the compiler, except for zero_word, next and flags, which the
   run-time library owns. */
struct bb {
  int64_t zero_word;    /* 0; 1 once the unit is registered */
  const char *filename; /* LPBX1: working directory / source file, for messages */
  /* LPBX2: ncounts counters of 64 bits, where the main thread counts. */
  int64_t *counts;
  /* Number of counters; in the historic layout one for each block. */
  int64_t ncounts;
  struct bb *next; /* link of the list __bb_head */
  /* Historic LPBX3: a pointer per block; null in what the plugin writes. */
  const uint64_t *addresses;
  int64_t nwords;           /* size of this table, in bytes */
  const char **functions;   /* historic LPBX4, or null */
  const int64_t *line_nums; /* historic LPBX5, or null */
  const char **filenames;   /* historic LPBX6, or null */
  char *flags;              /* null; belongs to the run-time library */
  /* The extension. */
  uint64_t magic;  /* BBP_ABI_MAGIC */
  uint64_t update; /* enum bbp_update */
  /* Offset of __bb_displacement from the thread pointer, never 0; 0: the unit counts through GS. */
  int64_t word_offset;
  int64_t *counts_start; /* the module's counters: __start_bbprof_counts */
  int64_t *counts_stop;  /*                        __stop_bbprof_counts */
  const char *map_start; /* the module's map: __start_bbprof_map */
  const char *map_stop;  /*                   __stop_bbprof_map */
  /* The module's names: __start_bbprof_names; null in units without traced functions. */
  const char *names_start;
  const char *names_stop; /*                     __stop_bbprof_names */
};

#define BBP_BB_SIZE_HISTORIC 88 /* 11 words of 8 bytes */

/* ax=calls, the historic form of tracing.  Tables and calls are the historic ones.  One more
   word follows the table, MAGIC: it says that the plugin made the code.  Then the distance of
   the stack pointer below that of the surrounding code is known:

   __bb_init_trace_func (LPBX0, first block)  at a function's entry, BBP_CALLS_ENTER_ROOM below
   __bb_trace_func ()                         at each block, BBP_CALLS_BLOCK_ROOM below; __bb holds
                                              the block
   __bb_trace_ret ()                          before returns and tail calls, with the unchanged
                                              stack pointer

   They change no register, except for the link register where the processor has one, and no flag.
   For other code they take the stack pointer at an entry as it is: it must not be below that of any
   call that the function makes.  The distances keep the alignment of the stack. */
#define BBP_BB_SIZE_CALLS 96
#define BBP_ABI_CALLS 0x6262706163616c6dUL
#define BBP_CALLS_ENTER_ROOM 16
#define BBP_CALLS_BLOCK_ROOM 144

/* LPBX3 as the plugin writes it: one record for each function, with its control flow graph and
   the positions of its counters.  A record belongs to the text section that it describes
   (SHF_LINK_ORDER, and the same COMDAT group), so the linker keeps or drops both together.  All
   references are relative to the field that contains them, so the loader has nothing to
   relocate.  Nothing is read before a profile is written.

   Behind the record come BYTES bytes: unsigned LEB128 numbers, then zeros up to the next
   multiple of 4.

     blocks           number of the function's basic blocks, at least 1, in the order of their code
     cold             how many of them, the last ones, lie in the cold part
     flags            BBP_FUNCTION_...
     for each block:
       distance       of its first byte from that of the previous block, in bytes; for the first
                      block, from the function's entry; for the first block in the cold part, from
                      the address in the record's COLD
       shape          BBP_BLOCK_..., plus BBP_BLOCK_CALLS times the number of its calls
       for each call: distance  of its point from the previous call, or from the block's first byte
                      kind      BBP_CALL_...
       successors     number of edges to blocks of this function
       for each one:  target    index of the block, times 2, plus 1 if the edge has a counter

   With BBP_FUNCTION_ZONES a list of zones follows: pieces of code that only recording threads use.
   They may be anywhere in the section of the function's part.

     for each zone: begin     distance of its first byte from the function's entry; with
                              BBP_ZONE_COLD, from the address in the record's COLD
                    bytes     its size, written as a distance
                    place     distance of the place in the function's blocks that control has
                              reached there, from the entry; with BBP_ZONE_COLD_PLACE, from COLD
                    flags     BBP_ZONE_...

   Then come zeros up to the next multiple of 4, and last 4 bytes: the size of the list with these
   zeros.

   A function's counters lie side by side, in the order in which its record mentions them.

   Where no count of a call is derived, a record has only the last call of each block: with none of
   BBP_FUNCTION_ARCS, _TRACED and _BARE.  Then control that does not return from another call of
   the block leaves the same segment.

   The graph.  Its nodes are: Z, everything outside of the function's control flow; for each
   block b its entry, in (b); and the block's *segments* s0 (b), s1 (b), ...  A segment ends
   where control may not come back from: each call begins a new segment behind it, unless it is a
   final call.  Each edge has a count, the number of times that control has passed it.  The edges
   are:

     Z -> in (b)              if BBP_BLOCK_IN: the function's entry (of the first block), a landing
                              pad of exceptions, a target of longjmp, or of a nonlocal or computed
                              goto
     in (b) -> s0 (b)         the executions of block b; counted if BBP_BLOCK_COUNTED
     s0 (b) -> Z              if BBP_BLOCK_LEAVES: control may leave for good, or wait, in a loop
                              without calls
     si (b) -> Z              if a call that is not final ends the segment: the call has not
                              returned, or not this way
     si (b) -> si+1 (b)       for the same call: it has returned; counted if BBP_CALL_COUNTED
     last segment -> in (t)   for each successor t; counted if its number says so
     last segment -> Z        if BBP_BLOCK_OUT: return, tail call, computed goto, a final call that
                              does not come back

   There is at most one edge from a segment to Z.  At each node except Z the counts in and out
   are always equal, whatever becomes of the calls: control in a call that has not returned has
   gone to Z.  Without the edges that have counters the graph has no cycles, so all counts can be
   derived. */
struct bbp_map_function {
  int32_t text; /* address of the function's entry - address of this field */
  /* address of its first counter - address of this field; the other counters follow it */
  int32_t counts;
  /* Address of the first block in the cold part - address of this field; 0: no cold part. */
  int32_t cold;
  uint32_t bytes; /* number of bytes behind this record, padding included */
};

/* Its calls are arcs of the call graph; so are its entries that no counted call explains. */
#define BBP_FUNCTION_ARCS 1U
#define BBP_FUNCTION_TRACED 2U /* it has the trace points described below, and a record of names */
/* blocks=map: it has no counters and no other code of the profiler's; COUNTS means nothing. */
#define BBP_FUNCTION_BARE 4U
#define BBP_FUNCTION_ZONES 8U
/* Each distance has 4 bytes, the lowest first, at any address: an assembler that leaves distances
   to the linker (RISC-V's) cannot write others. */
#define BBP_FUNCTION_WIDE 16U

/* The direction of the branch is recorded, but the branch is not executed yet. */
#define BBP_ZONE_RECORDED 1U
#define BBP_ZONE_JUMPS 2U      /* the jump that begins behind its last byte is part of it */
#define BBP_ZONE_COLD 4U       /* it is in the cold part */
#define BBP_ZONE_COLD_PLACE 8U /* so is the place */
#define BBP_ZONE_FULL 16U      /* the recorded bit has filled a word, which is put away */

#define BBP_BLOCK_COUNTED 1U
#define BBP_BLOCK_IN 2U
#define BBP_BLOCK_OUT 4U
#define BBP_BLOCK_LEAVES 8U
#define BBP_BLOCK_CALLS 16U

#define BBP_CALL_COUNTED 1U /* its return has a counter */
#define BBP_CALL_FINAL 2U   /* the last one of the block: no segment begins behind it */
/* A tail call: its point is the begin of its jump.  For other calls the point is the return
   site. */
#define BBP_CALL_TAIL 4U
/* The machine code at its point tells which function it calls.  Otherwise __bb_indirect_func
   counts the call, or it is no call but a piece of inline assembler. */
#define BBP_CALL_DIRECT 8U

/* CALL SITES.  Where an indirect call counts in line, it has *words* in each thread, behind the
   unit's counters: LPBX2 + 8 * ncounts + sizeof (struct bbp_site_words) * number of the site.
   Some bits of the callee's address choose one of them.

        movl %r11d, %r10d ; shrl $1, %r10d ; andl $0x38, %r10d ; leaq words, %rax
        movq %gs:distance(%rax,%r10), %r10
        cmpq %r11, callee(%rax,%r10) ; je 1f ; call __bb_site_func
     1: incq count(%rax,%r10)

   A distance leads from the module's own words to a slot of the thread's arcs, which has callee and
   count at the same offsets; 0: to the words themselves, which are no callee's. */
struct bbp_site_words {
  uint64_t unused;
  uint64_t callee;      /* 0 */
  uint64_t count;       /* of calls of address 0, which means nothing */
  uint64_t distance[8]; /* writer: the run-time library */
};

/* The names of a traced function.  Like a record of the map, it belongs to the function's text
   section.  Behind it come BYTES bytes.  First three strings, each with its zero: the assembler
   name; the printed name, with the scope and in C++ the argument types; the source file as the
   compiler knows it.  Then zeros up to the next multiple of 4. */
struct bbp_name {
  int32_t text;   /* address of the function's entry - address of this field */
  int32_t choice; /* address of its byte in BBP_SECTION_CHOICE - address of this field */
  int32_t first;  /* address of its first block - address of this field */
  uint32_t bytes; /* number of bytes behind this record, padding included */
};

/* Values of a function's byte in BBP_SECTION_CHOICE.  The two bytes in front of it are the distance
   of the function's first block from its entry, except in code of older plugins. */
#define BBP_CHOICE_OPENS 1  /* profiling begins when it is called */
#define BBP_CHOICE_HIDDEN 2 /* its blocks are not recorded */

/* The thread-local __bb: the two historic words, and the words that trace points read.
   Executables address it by __bb@tpoff, because they contain the run-time library; -fPIC code by
   __bb@gottpoff. */
struct bbp_here {
  uint64_t blockno;  /* historic; an argument of some trace points */
  struct bb *blocks; /* historic */
  /* Shift register of the trace's bits, with a 1 above the oldest; 1: empty. */
  uint64_t bits;
  /* BBP_MODE_...; 0: nothing is recorded.  Writer: the run-time library, for its own thread. */
  uint64_t mode;
  /* The source of the next jump, as far as compiled code records it. */
  uint64_t source;
  /* Frames with stack pointers above it are unknown to the current piece of the trace. */
  uint64_t mark;
};

#define BBP_MODE_TRACE 1U
#define BBP_MODE_JUMPS 2U
/* Recording waits for the next E, L or C, which begins another piece of the trace. */
#define BBP_MODE_LOST 4U
#define BBP_MODE_WINDOW 16U /* recording ends with the call that began it */

/* TRACE POINTS of a function compiled with ax (lean form).  Its counters are the same as without
   ax.

   E  at the entry, before the prologue, behind the hook that attaches the thread:
        movzbl mode, %r11d ; orb .LPBS<n>(%rip), %r11b ; jne stub
        stub: __bb.blockno = address of the choice byte (.LPBS<n>); r11 = address of the first
              block; call __bb_enter_func
   H  at the head of a block that has a call, or no successor (return, tail call, computed goto
      ...), or a successor with point L; unconditional: __bb.source = the block's address (behind
      L, if it has one)
   L  at the head of a block with BBP_BLOCK_IN except the function's first one, before its counter:
        cmpb $0, mode ; jne stub:  call __bb_land_func (the block)
   C  behind each call that is not final, before its counter: the first thing there, except for
      code that saves registers that are in use
        cmpb $0, mode ; jne stub:  call __bb_return_func (the call's point, .LPC)
      A call of a function that returns twice (setjmp, vfork ...) is final: it ends its block,
      which has no successors; the block behind it is IN, so each return is a landing (L).
   B  on each edge of a block with two ways out: bit 0 for the first successor, 1 for the second,
      if mode & 1. The ways are the block's successors, in the map's order, plus one for
      BBP_BLOCK_OUT if it has successors, too. Where possible the block tests the mode once, before
      its comparison. When recording it continues in a copy of comparison and jump, which records
      the bit on both ways and continues at the targets.
   T  on each edge of a block with more than two ways out (OUT counted):
        testb $1, mode ; jne stub:  call __bb_token_func (the target block)
        pushes bit 1 and the token
   J  on each edge out of a block with a call that may return (not final), unless its target has
      L, if mode & 2:
        call __bb_jump_func (the target block)
      Behind B or T; if there is only one way out, in the stub of the block's last C, behind its
      call.

   push bit 0:  call __bb_zero_func; in hot code shlq bits ; jnc 1f ; call __bb_full_func ; 1:
   push bit 1:  call __bb_one_func; in hot code stc ; rclq bits ; ...
   A 1 that is shifted out of bits says that 64 bits are there, all of them valid.

   The fields of __bb are %fs:__bb@tpoff+<offset> in executables, %fs:<offset>(%reg) in -fPIC
   code, behind movq __bb@gottpoff(%rip), %reg.  The functions (__bb_enter_func, __bb_land_func,
   __bb_return_func, __bb_token_func, __bb_jump_func, __bb_zero_func, __bb_one_func,
   __bb_full_func) change only the flags, and at E r11.  Those of B, T and J do nothing without
   their bit of the mode, so one test stands before several of them.  They need a stack pointer
   that is a multiple of 8: at E as the caller's call left it, else that of the code around the
   point.  If the function uses its red zone, so that it has no calls, they are called behind addq
   $-128, %rsp, and before subq $-128, %rsp.  An address stands behind the call: a9, and 4 bytes
   with its distance from these bytes (testl $..., %eax).

   On aarch64 and riscv64 the functions keep the flags as well, and change only the link register.
   An address stands behind the call as 4 bytes with its distance from there; the function returns
   behind these.  At E the caller's return address is in x9 or t0, and the frame is known by the
   word below the stack pointer.  Bits are always pushed by a call.

   Code of B, T, J and L that is placed out of line is in a zone of the map.  A thread that is in
   __bb_zero_func or __bb_one_func counts as being at the return address; 1 byte before it if the
   bit is not pushed yet; 2 bytes before it while a full word of bits is put away.  In
   __bb_full_func it counts as being 1 byte before the return address.

   THE STREAM.  Each thread has two streams: bits, oldest first, and tokens, 64-bit words.  A
   token is an address; a bit 1 always announces it:
     E   1, token: first block of the function that was entered. Pushes the frame.
         Or 0: the call at which the decoder waits has entered the function that its machine code
         names; once, and not again if that jumps to its entry.  The token is always right, too.
     C   0: the call at which the decoder waits has returned. Or, if the piece does not know the
         frame (rsp > mark):
         1, token: address of the call's point + depth << 48.   (then mark = rsp)
     L   1, token: address of the block + depth << 48: control has landed there; the frames above
         DEPTH are gone
     T   1, token: address of the target block
     B   0 or 1: which successor
     a block of historic code (__bb_trace_func): 1, token: address of its block, which is in no
         traced function's map
   DEPTH: number of active traced frames, modulo 65536, 1 for the outermost.  E keeps a shadow
   stack of stack pointers for it: at E, drop all entries <= the own stack pointer, then push the
   own; at L and C, drop all entries < the own.

   So a decoder walks the map, block by block.  At each call of a block it waits: bit 0 = the
   function that it names was entered, if that has trace points and the call has not entered it
   yet; else returned; 1 = a function is entered (E), control has returned to an unknown frame (C),
   or control has landed (L).  A tail call (BBP_CALL_TAIL) and the end of a block without successors
   pop the frame: then the decoder waits again at the caller's call.  At the end of a block: one
   way: go; two ways without OUT: a bit; one successor and OUT: 0 go, 1 token: landed; more ways:
   1, token.  Before each execution of a block with L (IN and not the entry) there is an
   L event, whichever way control took to it. */

/* JUMPS (mode & BBP_MODE_JUMPS).  source: the block executed last, as far as it matters.
     E:  count (source -> first block), source = first block       (variants hidecall, showret)
     J, L:  count (source -> target), source = target
     C:  variants restore source
   All other jumps are edges of the map, which have exact counts already.  From these the dump
   leaves out what is counted above: edges out of blocks with a call that may return, edges to
   blocks with L, and entries. */

/* WINDOWS.  Executables and DLLs are linked apart: each has words of its own, __bb_links, by which
   its code finds the run-time library, which is in the executable.  Without one the functions do
   nothing.  They are those described below (arc: __fentry__). */
struct bbp_links {
  uint64_t slot; /* offset from GS of the slot with the thread's displacement; 0 in it: unknown */
  void (*thread) (void);   /* __bb_thread_func */
  void (*indirect) (void); /* __bb_indirect_func */
  void (*arc) (void);      /* __fentry__ */
};

/* The symbols that compiled code refers to (all except the first only in assembler text).

   __bb_init_func (struct bb *)   registers a unit; an ordinary C function. The plugin makes each
                                  unit call it from .init_array.00100. May be called any number of
                                  times, by any thread.
   __bb_fini_func (struct bb *)   the unit's module is unloaded (dlclose) or the process ends; from
                                  .fini_array.00100.
   __bb_thread                    thread-local, a word: not 0 once the run-time library knows the
                                  thread. Initial-exec; in executables local-exec, as they contain
                                  the library.
   __bb_thread_func ()            *attaches* the calling thread: makes it known to the library;
                                  changes only r11 and the flags. Called at a function's entry if
                                  __bb_thread is 0. Left out if the function calls mcount or
                                  __fentry__, which do the same, or if only functions call it that
                                  do.
   __bb_indirect_func ()          called before an indirect call, with the callee in r11; changes
                                  only the flags. Counts an arc from its own return address to r11.
   __bb_site_func ()              likewise, from code that counts in line; rax is the address of the
                                  site's words. Returns in r10 the distance from there to the slot
                                  in which the caller counts the call; see CALL SITES.
   __bb                           struct bbp_here, in code with trace points; strong, because a
                                  missing thread-local symbol would stand for an arbitrary address.
   __bb_enter_func () ...         the six functions of trace points; see above.
   __bb_init_trace_func () ...    the three of ax=calls; see above.
   __bb_exit_func ()              writes the profile now: all that was counted since the start or
                                  the last reset, into the file that the end of the process
                                  overwrites. May be called any number of times; nothing counts
                                  twice. An ordinary C function, which neither compiled code nor the
                                  library calls; weak, like the next one.
   __bb_fork_func ()              the same, and then all counts begin from zero, unless the file
                                  could not be written.
   mcount, __fentry__             as in each profiling compiler; see the run-time library. */

#endif
