/* SPDX-License-Identifier: MIT */
/* Counting calls and blocks of code that the plugin compiled.  The library is in the executable;
   DLLs find it by the one name that the executable exports, __bb_library.

   A module (executable or DLL) has a slot of TlsAlloc: in it each thread has its displacement
   (include/bbprof-abi.h).  Code reads slots directly, by GS, so only the first 64 can be used,
   which lie in the thread's block.

   One lock, for all lists of modules and threads.  Context of every function, unless a line says
   otherwise: cold, lock held.  Hot: called by compiled code, which may be anywhere. */
#ifndef BBP_COUNTING_H
#define BBP_COUNTING_H

#include "runtime/os/win32/win32.h"

/* Offset from GS of a word that is always 0: that of the OS/2 subsystem, which no Windows for this
   processor has.  Modules that cannot be counted use it: all their threads count in the module's
   own counters, which nobody reads. */
enum { BBP_ZERO_WORD = offsetof (NT_TIB, SubSystemTib) };

/* What the executable exports.  No function holds the lock when it is called. */
struct bbp_library {
  uint64_t magic; /* BBP_ABI_MAGIC */
  /* Before any code of the module runs. */
  void (*attach) (struct bbp_links *);
  void (*add_unit) (struct bb *, const struct bbp_links *);
  /* The module, which had SLOT, is about to be unloaded, and its links lead to nothing. */
  void (*detach) (uint64_t slot);
};

/* count_modules.c.  No lock held. */
void bbp_module_attach (struct bbp_links *);
void bbp_module_add_unit (struct bb *, const struct bbp_links *);
void bbp_module_detach (uint64_t slot);

/* count_threads.c */
void bbp_count_lock (void); /* any */
void bbp_count_unlock (void);
/* A slot: offset from GS; 0: none is left.  Its word is 0 in all threads. */
uint64_t bbp_slot_take (void);
void bbp_slot_leave (uint64_t slot);
/* The calling thread's block, made if there is none; null: no memory, or no slots.  No lock held;
   hot. */
struct bbp_thread *bbp_thread_known (void);
/* Sets the slots of the calling thread for all modules, if it is known. */
void bbp_thread_use_modules (void);
void bbp_threads_drop (const struct bbp_module *); /* frees their counters */
/* The other threads are suspended, all that run now; true: some of them were not yet. */
bool bbp_threads_pause (void);
void bbp_threads_continue (void);
/* The calls of all threads are not counted any more, or again.  They are suspended. */
void bbp_threads_stop (bool stop);

/* count_arcs.c */
struct bbp_arc_table *bbp_arc_table_new (size_t slots);
/* Read-only: the table of stopped threads, one slot, always empty. */
extern const struct bbp_no_arcs {
  struct bbp_arc_table table;
  struct bbp_arc slots[1 + BBP_ARC_SPARE];
} bbp_no_arcs;

/* hooks.S.  Hot. */
extern uint64_t bbp_arcs_slot; /* offset from GS of the word with the thread's table of arcs */
extern const char bbp_indirect[], bbp_indirect_1[], bbp_indirect_2[], bbp_indirect_3[],
    bbp_indirect_4[], bbp_indirect_end[];
/* Called by them. */
__attribute__ ((sysv_abi)) void bbp_arc_slow (uintptr_t from, uintptr_t self);
__attribute__ ((sysv_abi)) void bbp_thread_attach (void);

/* The word at OFFSET from GS, of the calling thread.  Any. */
static inline uint64_t
bbp_word (uint64_t offset)
{
  uint64_t value;
  __asm__ volatile("movq %%gs:(%1), %0" : "=r"(value) : "r"(offset));
  return value;
}

static inline void
bbp_word_set (uint64_t offset, uint64_t value)
{
  __asm__ volatile("movq %0, %%gs:(%1)" : : "r"(value), "r"(offset) : "memory");
}

#endif
