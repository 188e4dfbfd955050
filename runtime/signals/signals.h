/* SPDX-License-Identifier: MIT */
/* The program's signals: handler wrappers, and handlers in place of default actions. */
#ifndef BBP_SIGNALS_H
#define BBP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct itimerval;
struct sigaction;

#pragma GCC visibility push(hidden)

/* sigmask.c: any.  Gives the kernel the mask that the program set in this thread (REAL), or the
   library's mask. */
void bbp_sigmask_make_real (bool real);
void bbp_sigmask_settle (void);
/* The calling thread begins.  BLOCKS: in the mask that the program sees, the signal of ticks is
   blocked. */
void bbp_sigmask_begin (bool blocks);
bool bbp_sigmask_blocks (
    void); /* whether the calling thread has blocked it, as the program sees it */
bool bbp_sigmask_defer (const siginfo_t *, void *context); /* signal */
void bbp_sigmask_requeue (const siginfo_t *);
/* 1: it was blocked before, 0, or -1 with errno. */
int bbp_sigmask_change_one (int how, int number);

#define BBP_LAST_SIGNAL 64

/* Calls from this room to higher rooms. */
struct bbp_signals_above {
  /* Handlers in place of default actions: of `bbprof control', of ticks, of fatal signals.
     Signal. */
  void (*on_command) (int, siginfo_t *, void *context);
  void (*on_tick) (int, siginfo_t *, void *context);
  void (*on_fatal) (int, siginfo_t *, void *context);
  void (*commands_answered) (bool); /* any: whether `bbprof control' is answered */
  bool (*ticks_stand_in) (
      void); /* any: on_tick is for the signal of ticks, if left to its default */
  /* any: NUMBER is the signal of ticks, and the library's handler calls the program's */
  bool (*ticks_share) (int number);
  bool (*ticks_come) (void);    /* any: the sampler runs */
  bool (*timer_is_ours) (void); /* any: the library has set the profiling timer */
  /* Any: the program handles SIGPROF itself, or no longer; it uses setitimer's timer, or no
     longer; take_timer returns whether it did before. */
  void (*take_tick_signal) (bool taken);
  bool (*take_timer) (bool taken);
  /* A SIGSEGV was caused by a counter and has been counted: CONTEXT continues behind the
     instruction.  Signal. */
  bool (*counted) (void *context);
  /* A handler of the program's, set with SA_RESTART or not, begins and has interrupted CONTEXT;
     returns whether that was recorded.  Signal. */
  bool (*handler_begins) (void *context, bool restarts);
  void (*handler_returns) (void);             /* signal */
  void (*handler_ends) (const void *context); /* signal: CONTEXT, which was recorded, continues */
  void (*aborts) (void);                      /* signal: abort ends the process inside libc */
};
extern const struct bbp_signals_above bbp_signals_above;

/* signals.c: handlers in place of default actions that end the process */
bool bbp_signal_is_watched (int number); /* any */
/* any; false: there is none. */
bool bbp_signal_stand_in (int number, int flags, struct sigaction *);

/* handler_wrapper.c: calls the program's handlers */
struct bbp_wrapped {
  uintptr_t handler; /* the program's handler */
  bool once;         /* SA_RESETHAND */
  bool restarts;     /* SA_RESTART */
  bool plain;        /* no SA_SIGINFO: the wrapper has it, because it needs the context */
  /* The signal of ticks, blocked while the handler runs without the program's knowledge; 0: none
     (altstack.c). */
  int blocked_tick;
};
void bbp_wrapper_set (int number, const struct bbp_wrapped *); /* any */
struct bbp_wrapped bbp_wrapper_get (int number);               /* any */
/* signal; arch/.../wrapper_entry.S. */
void bbp_wrapper (int, siginfo_t *, void *context);
bool bbp_has_map (uintptr_t pc); /* any: PC is in the range of all code with a map */
/* signal: where the program was interrupted. */
uintptr_t bbp_program_pc (const void *context);
void bbp_program_settle (void *context);

/* altstack.c: the program has an alternate stack without room for ticks; any */
extern bool bbp_altstack_small;

/* sigaction.c: dispositions as the program sees them */
void bbp_signals_block_ticks (void); /* any: block ticks in handlers on small stacks, from now on */
void bbp_sigaction_start (void);     /* cold */
/* The implementation of sigaction; any. */
int bbp_sigaction (int, const struct sigaction *, struct sigaction *);
/* itimer.c: that of setitimer; any. */
int bbp_setitimer (int which, const struct itimerval *, struct itimerval *);
void bbp_sigaction_stop (void);       /* cold: restore the program's dispositions */
bool bbp_signal_adopt (int number);   /* any; false: the program handles or ignores it */
bool bbp_signal_is_free (int number); /* any: the program leaves it to the default */
/* signal: call the program's handler; false: it has none. */
bool bbp_signal_forward (int number, siginfo_t *, void *context);

/* kernel.c: the number of the system call in which the thread was interrupted.  Signal. */
long bbp_kernel_call (const void *context);

#pragma GCC visibility pop

#endif
