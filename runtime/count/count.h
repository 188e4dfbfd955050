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

/* Requests and reports of counting to higher rooms.  Cold, lock held, unless a line
   says otherwise. */
struct bbp_count_above {
  /* No lock held: the first unit is there; false: the thread is just starting the library. */
  bool (*start) (void);
  void (*end) (void);                          /* any: the process is about to be ended */
  void (*selected) (void);                     /* the user's selection is known now */
  void (*has_points) (void);                   /* a module has units with trace points */
  void (*thread_begins) (struct bbp_thread *); /* the calling one */
  void (*thread_ends) (void);                  /* the calling one */
  void (*thread_chooses) (void); /* the same: the user's selection applies to it, too */
  void (*stopped) (void);        /* some thread, or all, must stop counting, or start again */
};
extern const struct bbp_count_above bbp_count_above;

/* arc.c */
struct bbp_arc_table *bbp_arc_table_new (size_t slots, unsigned thread);
/* hot: called by mcount when the arc is not in the first slots. */
void bbp_arc_slow (uintptr_t from, uintptr_t self);
/* hot; false: full. */
bool bbp_arc_add (struct bbp_arc_table *, uintptr_t from, uintptr_t self, uint64_t count);
/* hot. */
void bbp_arcs_use (struct bbp_arc_table **word, struct bbp_thread *);
/* cold, lock held: the threads pause. */
void bbp_arcs_leave_sites (const struct bbp_thread *);
bool bbp_arcs_count (void); /* whether the calling thread counts now; hot */
/* Counts the arc, whether calls are counted or not; signal. */
void bbp_arc_note (struct bbp_thread *, uintptr_t from, uintptr_t self);

/* thread.c */
struct bbp_thread *bbp_thread_attach (void); /* hot; null: no memory */
void bbp_thread_attach_hook (void);          /* hot: behind __bb_thread_func */
void bbp_threads_recall (void);              /* cold, lock held */
/* cold, lock held: the calls of all threads. */
void bbp_threads_stop (bool stop);
/* signal; null: unknown and not needed, or no memory. */
struct bbp_thread *bbp_thread_interrupted (void);
void bbp_thread_interrupt (const void *context); /* signal */
/* cold, lock held: the user's selection is known. */
void bbp_threads_begin (void);
void bbp_thread_open (struct bbp_thread *, bool open); /* hot: the calling one */
/* cold: the calling one; returns the previous setting. */
bool bbp_thread_stop (bool stop);
void bbp_threads_forked (void);      /* cold, lock held */
bool bbp_threads_alone (void);       /* cold, lock held */
void bbp_threads_leave_place (void); /* cold, lock held */

/* pause_threads.c: the other threads pause.  Cold, lock held, unless a line says otherwise. */
void bbp_pause_begin (void);       /* begins; no thread is asked yet */
bool bbp_pause_more (void);        /* asks all that run now; false: no other thread runs */
bool bbp_pause_is_complete (void); /* false: some threads continue, or have not arrived */
void bbp_pause_end (void);
void bbp_pause_reset (void);
bool bbp_pause_requested (const siginfo_t *, void *context); /* signal */
void bbp_pause_sleep_begins (struct bbp_thread *,
                             uintptr_t pc);      /* hot: the calling one may sleep now */
void bbp_pause_sleep_ends (struct bbp_thread *); /* hot: it continues */

/* copies.c: cold, lock held */
void bbp_copies_use (struct bbp_thread *);      /* the calling one */
void bbp_copies_use_anew (struct bbp_thread *); /* the calling one, after its counters moved */
void bbp_copies_switch (struct bbp_thread *);   /* hot: the calling one */
void bbp_copies_add_unit (struct bbp_module *, const struct bb *);
void bbp_copies_remove (const struct bbp_module *);

/* gs_base.c, or no_base.c for processors without such a register: any, unless a line says
   otherwise */
void bbp_gs_base_start (void); /* cold */
/* Sets the base of GS of the calling thread.  False: the kernel refuses it. */
bool bbp_gs_base_set (struct bbp_thread *, uintptr_t base);
bool bbp_gs_base_is_free (void);
/* The base cannot be negative: the kernel refuses it where there is no instruction for it. */
bool bbp_gs_base_is_positive (void);
/* its code counts by the base of GS; cold */
void bbp_gs_base_count_for (const struct bbp_module *);
/* SIGSEGV: was the address a counter that the thread could not reach because the program changed
   the base? Then counts it, and CONTEXT continues behind the instruction.  Signal. */
bool bbp_gs_base_count_fault (void *context);
/* The program is about to make the system call NUMBER (OPTION, BASE), perhaps that which sets the
   base.  Does not return if counting would then overwrite the program's memory. */
void bbp_gs_base_check (long number, long option, uintptr_t base);
BBP_PUBLIC void __bb_init_func (struct bb *);
/* Lock held: removes modules without destructors; false: it has destructors, which will run. */
bool bbp_modules_unload (struct bbp_object *);

#pragma GCC visibility pop

#endif
