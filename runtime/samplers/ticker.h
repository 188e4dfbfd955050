/* SPDX-License-Identifier: MIT */
/* The parts of the sampler "ticker": its thread (ticker_thread.c), the rounds through the
   program's threads (ticker_round.c), polls of their states (ticker_poll.c).  sampler_ticker.c
   is the interface to other rooms. */
#ifndef BBP_TICKER_H
#define BBP_TICKER_H

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/timer_wait.h"

#pragma GCC visibility push(hidden)

/* Open files of /proc of one thread.  Only the ticker's thread has these descriptors, in its own
   table. */
struct bbp_poll_files {
  int call, switches; /* descriptors, plus 1; 0: not open */
};
enum bbp_doing { BBP_GONE_AWAY, BBP_RUNNING, BBP_SLEEPING };
struct bbp_sleep {
  uintptr_t sp, pc; /* stack pointer and program counter */
  long number;      /* number of the system call; -1: none */
  /* An argument: flags of a receiving call; the number of requests to submit for io_uring_enter. */
  unsigned telling;
};
enum bbp_doing bbp_poll_thread (struct bbp_poll_files *, int tid, struct bbp_sleep *);
/* How often it got a processor; 0: unknown. */
uint64_t bbp_poll_switches (struct bbp_poll_files *, int tid);
void bbp_poll_close (struct bbp_poll_files *);

/* A sampled thread, as the ticker sees it.  Never freed; another thread may get it later. */
struct bbp_ticked {
  struct bbp_ticked *next; /* all ever made */
  struct bbp_sampled *thread;
  int tid;       /* 0: none; writer: lock */
  uint32_t life; /* number of threads that have had it so far; writer: lock */
  int timer;     /* of its CPU clock, plus 1; 0: none; writer: lock */
  /* Ticks of wall time that wait for a sample.  Those that found the thread running count
     separately, for its timer.  Writers: ticker, handler, atomically. */
  unsigned owed, owed_at_work;
  /* Until the handler ends; set by the ticker, cleared by the handler. */
  enum { BBP_NOT_ASKED, BBP_SIGNALLED, BBP_TIMED } asked;
  uint64_t answered; /* when the handler ended; writer: the handler */
  bool by_timer;     /* the cause of the handler; its own */
  /* Node of its last sample without the timer; writer: handler. */
  uint32_t reported_node;
  /* The ticker's own fields. */
  uint32_t seen; /* LIFE to which the following fields belong */
  struct bbp_poll_files files;
  unsigned unvisited; /* ticks since the last visit */
  uint64_t asked_at;
  uint64_t switched; /* number of switches when it was found asleep, before it was woken */
  struct bbp_sleep sleep;
  uint32_t node; /* node of its sleep; 0: not to be counted */
  /* State of its sleep: woken once by the ticker; NODE is known. */
  enum { BBP_AWAKE, BBP_WOKEN, BBP_KNOWN } state;
};
extern struct bbp_ticked *bbp_ticked_all;

/* How the rounds are made.  Writer: lock, while the ticker does not run. */
struct bbp_ticker {
  enum bbp_clock clock;
  unsigned rate;
  uint64_t interval; /* nanoseconds */
  bool paused;       /* writer: lock, at any time */
};
extern struct bbp_ticker bbp_ticker;

extern struct bbp_waiter bbp_ticker_waiter;

/* ticker_thread.c: 0 or -errno.  Cold, lock held. */
int bbp_ticker_run (void);
void bbp_ticker_rest (void);
void bbp_ticker_forked (void);

/* ticker_round.c.  Context: the ticker's thread, all signals blocked, no libc. */
void bbp_round_begin (uint64_t now);
/* Waits until something is due, and does it; false: there is no way to wait, or no thread left
   to wait for. */
bool bbp_round_wait (int *word, int value);

static inline uint64_t
bbp_ticker_now (void)
{
  return bbp_clock_now ();
}

/* Tid of the ticker's thread; 0: there is none; any. */
int bbp_ticker_tid (void);

#pragma GCC visibility pop

#endif
