/* SPDX-License-Identifier: MIT */
/* The program's signals: handlers of ours in front of its own, and in the place of defaults. */
#ifndef BBP_SIGNALS_H
#define BBP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct itimerval;
struct sigaction;

#pragma GCC visibility push(hidden)

/* sigmask.c: any */
void bbp_sigmask_tell (bool tell);
void bbp_sigmask_settle (void);
/* The calling thread begins; the program believes that it blocks the signal of ticks. */
void bbp_sigmask_begin (bool blocks);
bool bbp_sigmask_blocks (void);                               /* the same of the calling thread */
bool bbp_sigmask_put_back (const siginfo_t *, void *context); /* signal */
void bbp_sigmask_give_back (const siginfo_t *);
/* 1: it was blocked before, 0, or -1 with errno. */
int bbp_sigmask_change_one (int how, int number);

#define BBP_LAST_SIGNAL 64

/* What the program's signals are asked of those above, or told them. */
struct bbp_signals_above {
  /* Handlers in the place of default actions: of `bbprof control', of ticks, of what ends the
     process.  Signal. */
  void (*on_command) (int, siginfo_t *, void *context);
  void (*on_tick) (int, siginfo_t *, void *context);
  void (*on_fatal) (int, siginfo_t *, void *context);
  void (*commands_taken) (bool); /* any: whether `bbprof control' is answered */
  /* Any: the signal of ticks, left to its default, is for on_tick; it is NUMBER, and the
     program's handler is called by ours; ticks come; the profiling timer is set, and ours. */
  bool (*ticks_stand_in) (void);
  bool (*ticks_share) (int number);
  bool (*ticks_come) (void);
  bool (*timer_is_ours) (void);
  /* Any: the program handles SIGPROF itself, or no longer; it sets setitimer's timer, or has
     none: whether it had one before. */
  void (*take_tick_signal) (bool taken);
  bool (*take_timer) (bool taken);
  /* SIGSEGV came of a counter, and has counted: CONTEXT goes on behind it.  Signal. */
  bool (*counted) (void *context);
  /* A handler of the program's begins, which has interrupted CONTEXT, set with SA_RESTART or
     not: whether that was noted; it returns; and CONTEXT, which was noted, goes on.  Signal. */
  bool (*handler_begins) (void *context, bool restarts);
  void (*handler_returns) (void);
  void (*handler_ends) (const void *context);
  void (*aborts) (void); /* signal: abort ends the process inside of libc */
};
extern const struct bbp_signals_above bbp_signals_above;

/* signals.c: handlers in the place of default actions that end the process */
bool bbp_signal_is_watched (int number); /* any */
/* any; false: nobody does. */
bool bbp_signal_stand_in (int number, int flags, struct sigaction *);

/* handler_wrapper.c: a handler in front of the program's */
struct bbp_wrapped {
  uintptr_t handler; /* the program's */
  bool once;         /* good for one time */
  bool restarts;     /* SA_RESTART */
  /* The signal of ticks, which is blocked meanwhile; 0: none is, which the program does not see
     (altstack.c). */
  int spared;
};
void bbp_wrapper_set (int number, const struct bbp_wrapped *); /* any */
struct bbp_wrapped bbp_wrapper_get (int number);               /* any */
/* signal; arch/.../wrapper_entry.S. */
void bbp_wrapper (int, siginfo_t *, void *context);
bool bbp_has_map (uintptr_t pc); /* any: between the begin and the end of all code with a map */
/* signal: where the program was interrupted. */
uintptr_t bbp_program_pc (const void *context);

/* altstack.c: the program has a stack for its handlers that has no room for ticks; any */
extern bool bbp_altstack_small;

/* sigaction.c: what the program sees instead */
void bbp_signals_spare (void);   /* any: handlers on small stacks, from now on */
void bbp_sigaction_start (void); /* cold */
/* What the program's sigaction does; any. */
int bbp_sigaction (int, const struct sigaction *, struct sigaction *);
/* itimer.c: likewise. */
int bbp_setitimer (int which, const struct itimerval *, struct itimerval *);
void bbp_sigaction_stop (void);       /* cold: all is as the program set it */
bool bbp_signal_adopt (int number);   /* any; false: the program handles it, or ignores it */
bool bbp_signal_is_free (int number); /* any: the program leaves it to the default */
/* signal: to the program's handler; false: it has none. */
bool bbp_signal_forward (int number, siginfo_t *, void *context);

/* kernel.c: was the thread in the kernel when it was interrupted in CONTEXT, and in which system
   call?  Signal. */
enum { BBP_SYSCALL_NONE = -1, BBP_SYSCALL_UNKNOWN = -2 };
long bbp_kernel_call (const void *context);

#pragma GCC visibility pop

#endif
