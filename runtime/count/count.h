/* SPDX-License-Identifier: MIT */
/* Counting: calls, in tables of each thread; blocks, in counters of each thread. */
#ifndef BBP_COUNT_H
#define BBP_COUNT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

#pragma GCC visibility push(hidden)

/* What counting asks of those above it, or tells them.  Cold, lock held, but as said. */
struct bbp_count_above {
  void (*start) (void);                        /* no lock held: the first unit is there */
  void (*end) (void);                          /* any: the process is about to be ended */
  void (*selected) (void);                     /* what the user has selected is known now */
  void (*has_points) (void);                   /* a module has units with trace points */
  void (*thread_begins) (struct bbp_thread *); /* the calling one */
  void (*thread_ends) (void);                  /* the same */
  void (*thread_chooses) (void); /* the same: what the user has selected holds for it, too */
  void (*stopped) (void);        /* some thread, or all, are to count no more, or again */
};
extern const struct bbp_count_above bbp_count_above;

/* arc.c */
struct bbp_arc_table *bbp_arc_table_new (size_t slots, unsigned thread);
/* hot: called by mcount when its first look fails. */
void bbp_arc_slow (uintptr_t from, uintptr_t self);
/* hot; false: full. */
bool bbp_arc_add (struct bbp_arc_table *, uintptr_t from, uintptr_t self, uint64_t count);
/* hot. */
void bbp_arcs_use (struct bbp_arc_table **word, struct bbp_thread *);
bool bbp_arcs_count (void); /* whether the calling thread counts now; hot */
/* Count it, whether calls count or not; signal. */
void bbp_arc_note (struct bbp_thread *, uintptr_t from, uintptr_t self);

/* thread.c */
struct bbp_thread *bbp_thread_attach (void); /* hot; null: no memory */
void bbp_thread_attach_hook (void);          /* hot: behind __bb_thread_func */
void bbp_threads_recall (void);              /* cold, lock held */
/* cold, lock held: all threads' calls. */
void bbp_threads_stop (bool stop);
/* signal; null: not known, nor need to be, or no memory. */
struct bbp_thread *bbp_thread_interrupted (void);
void bbp_thread_interrupt (const void *context); /* signal */
/* cold, lock held: the user's choice is known. */
void bbp_threads_begin (void);
void bbp_thread_open (struct bbp_thread *, bool open); /* hot: the calling one */
/* cold: the calling one; what it was before. */
bool bbp_thread_stop (bool stop);
void bbp_threads_forked (void);      /* cold, lock held */
bool bbp_threads_alone (void);       /* cold, lock held */
void bbp_threads_leave_place (void); /* cold, lock held */

/* pause_threads.c: the other threads wait.  Cold, lock held, but as said. */
void bbp_pause_begin (void);       /* begins; nobody is asked yet */
bool bbp_pause_more (void);        /* all that run now; false: nobody else does */
bool bbp_pause_is_complete (void); /* false: some go on, or have not come */
void bbp_pause_end (void);
void bbp_pause_reset (void);
bool bbp_pause_requested (const siginfo_t *, const void *context); /* signal */
void bbp_pause_sleep_begins (struct bbp_thread *,
                             uintptr_t pc);      /* hot: the calling one may sleep */
void bbp_pause_sleep_ends (struct bbp_thread *); /* hot: and goes on */

/* copies.c: cold, lock held */
void bbp_copies_use (struct bbp_thread *);      /* the calling one */
void bbp_copies_use_anew (struct bbp_thread *); /* the calling one, whose place has changed */
void bbp_copies_switch (struct bbp_thread *);   /* the same; hot */
void bbp_copies_add_unit (struct bbp_module *, const struct bb *);
void bbp_copies_remove (const struct bbp_module *);

/* gs_base.c: any, but as said */
void bbp_gs_base_start (void); /* cold */
/* Of the calling thread; false: not possible. */
bool bbp_gs_base_set (struct bbp_thread *, uintptr_t base);
bool bbp_gs_base_is_free (void);
void bbp_gs_base_count_for (const struct bbp_module *); /* its code goes by the base; cold */
/* SIGSEGV: whether that was a counter which the thread could not reach because the program has
   set the base; then it has counted, and CONTEXT goes on behind it.  Context: signal. */
bool bbp_gs_base_count_fault (void *context);
/* The program is about to set it; does not return if that would destroy its memory. */
void bbp_gs_base_check (uintptr_t base);
BBP_PUBLIC void __bb_init_func (struct bb *);
/* Lock held: put aside what has no destructors; false: it has, and they come. */
bool bbp_modules_leave (struct bbp_object *);

#pragma GCC visibility pop

#endif
