/* SPDX-License-Identifier: MIT */
/* The sampler "ticker", by parts: its thread (ticker_thread.c), which goes round the program's
   threads (ticker_round.c), and looks what each of them does (ticker_poll.c); sampler_ticker.c
   is what the others see of it. */
#ifndef BBP_TICKER_H
#define BBP_TICKER_H

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/timer_wait.h"

#pragma GCC visibility push(hidden)

/* What the kernel says of a thread.  The ticker's thread alone has the descriptors, in a table
   of its own. */
struct bbp_poll_files {
  int call, switches; /* files, plus 1; 0: not open */
};
enum bbp_doing { BBP_GONE_AWAY, BBP_RUNNING, BBP_SLEEPING };
struct bbp_sleep {
  uintptr_t sp, pc; /* where it waits */
  long number;      /* of the system call; -1: none */
  /* argument: flags if it receives; requests to be submitted if it is io_uring_enter. */
  unsigned telling;
};
enum bbp_doing bbp_poll_thread (struct bbp_poll_files *, int tid, struct bbp_sleep *);
/* How often it was given a processor; 0: not known. */
uint64_t bbp_poll_switches (struct bbp_poll_files *, int tid);
void bbp_poll_close (struct bbp_poll_files *);

/* A sampled thread, as the ticker sees it.  Never freed; another thread of the program's may
   have it later. */
struct bbp_ticked {
  struct bbp_ticked *next; /* all ever made */
  struct bbp_sampled *thread;
  int tid;       /* 0: nobody; writer: lock */
  uint32_t life; /* how many have had it; the same */
  int timer;     /* of its CPU clock, plus 1; 0: it has none; writer: lock */
  /* Ticks of wall time; apart: those that found it at work, for its timer.  Writers: ticker,
     handler, atomically. */
  unsigned owed, owed_at_work;
  /* Until the handler ends; set by the ticker, cleared by the handler. */
  enum { BBP_NOT_ASKED, BBP_SIGNALLED, BBP_TIMED } asked;
  uint64_t answered; /* when the handler ended; writer: that */
  bool by_timer;     /* what the handler is about; its own */
  /* Node of its last sample that was not by the timer; writer: handler. */
  uint32_t told;
  /* The ticker's own. */
  uint32_t seen; /* LIFE that the following is about */
  struct bbp_poll_files files;
  unsigned unvisited; /* ticks since it was visited last */
  uint64_t asked_at;
  uint64_t switched; /* when it was found asleep, before it was woken */
  struct bbp_sleep sleep;
  uint32_t node; /* where it sleeps; 0: that is not to be counted */
  /* In its sleep: woken by us once; NODE is known. */
  enum { BBP_AWAKE, BBP_WOKEN, BBP_KNOWN } state;
};
extern struct bbp_ticked *bbp_ticked_all;

/* How it goes round.  Writer: lock, while it does not run. */
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
/* Until something is due, and do it; false: there is no way to wait, or nobody to wait for. */
bool bbp_round_wait (int *word, int value);

static inline uint64_t
bbp_ticker_now (void)
{
  return bbp_clock_now ();
}

/* The number of the own thread; 0: there is none; any. */
int bbp_ticker_tid (void);

#pragma GCC visibility pop

#endif
