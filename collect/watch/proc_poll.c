/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/watch/proc.h"
#include "collect/waits/waits.h"
#include "common/clock.h"
#include "runtime/switches/why.h"

enum { TRIES = 3 }; /* polls of a thread that switches meanwhile */

/* Argument N, from 0 on, of a system call as text: "0 0x3 ...". */
static unsigned long
argument (const char *call, int n)
{
  const char *at = call + strcspn (call, " ");
  while (n-- > 0 && *at)
    at += 1 + strcspn (at + 1, " ");
  return strtoul (at, NULL, 16);
}

/* The wait reason by what the first argument of CALL, a descriptor, refers to. */
static enum bbs_why
why_by_descriptor (struct proc *p, const char *call, char state)
{
  char path[64], what[64];
  snprintf (path, sizeof path, "/proc/%d/fd/%lu", (int) p->pid, argument (call, 0));
  ssize_t n = readlink (path, what, sizeof what - 1);
  what[n > 0 ? n : 0] = 0;
  return bbp_why_of_descriptor (what, state);
}

/* Reads the system call that T sleeps in, also as TEXT; if it does not sleep, its state.  False:
   not permitted, or the thread has ended. */
static bool
read_call (struct proc *p, struct proc_thread *t, struct bbs_look *look, char *text, size_t size)
{
  if (p->reasons != BBS_REASONS_SYSCALL || !proc_read (p, t, PROC_SYSCALL, text, size))
    return false;
  if (strncmp (text, "running", 7) == 0)
    look->state = 'R';
  else
    look->call = (int32_t) strtol (text, NULL, 10);
  return true;
}

/* T was in a futex call when TEXT was read.  If it is in another one when its stack and the lock
   have been read, these are not used. */
static enum bbs_why
why_of_futex_call (struct proc *p, struct proc_thread *t, const char *text, struct bbs_look *look)
{
  enum { ADDRESS, OPERATION, VALUE, SP = 6, PC };
  const struct waits_futex futex = { .tid = t->tid,
                                     .address = argument (text, ADDRESS),
                                     .operation = argument (text, OPERATION),
                                     .value = argument (text, VALUE),
                                     .pc = argument (text, PC),
                                     .sp = argument (text, SP) };
  const struct bbs_look before = *look;
  char again[200];
  if (!p->waits && !(p->waits = waits_new (p->pid)))
    return bbp_why_of_futex (futex.operation);
  const enum bbs_why why = waits_futex (p->waits, &futex, look);
  if (proc_read (p, t, PROC_SYSCALL, again, sizeof again) && strcmp (text, again) == 0)
    return why;
  *look = before;
  return bbp_why_of_futex (futex.operation);
}

/* The wait reason by the call and its text: enum bbs_why, or BBP_WHY_BY_DESCRIPTOR. */
static unsigned
why_by_call (struct proc *p, struct proc_thread *t, struct bbs_look *look, const char *text)
{
  unsigned why = bbp_why_of_call (look->call);
  return why == BBP_WHY_BY_OPERATION ? why_of_futex_call (p, t, text, look) : why;
}

/* T slept when its state was read. */
static void
find_reason (struct proc *p, struct proc_thread *t, struct bbs_look *look)
{
  char call[200], function[80];
  const char state = (char) look->state;
  read_call (p, t, look, call, sizeof call);
  if (look->state == 'R')
    return;
  unsigned why = state == 'T' || state == 't' ? BBS_WHY_STOPPED : why_by_call (p, t, look, call);
  if (why == BBP_WHY_BY_DESCRIPTOR)
    why = why_by_descriptor (p, call, state);
  if ((why == BBS_WHY_OTHER || why == BBS_WHY_NOT_KNOWN) && p->reasons != BBS_REASONS_NONE
      && proc_read (p, t, PROC_WCHAN, function, sizeof function))
    {
      enum bbs_why better = bbp_why_of_function (function);
      why = better == BBS_WHY_NOT_KNOWN ? why : better;
    }
  look->why = (uint8_t) why;
}

/* A stopped thread is still in the call that the stop interrupted. */
static bool
is_stopped (struct proc *p, struct proc_thread *t)
{
  char function[80];
  return proc_read (p, t, PROC_WCHAN, function, sizeof function)
         && bbp_why_of_function (function) == BBS_WHY_STOPPED;
}

/* False: the call alone does not tell the reason. */
static bool
poll_briefly (struct proc *p, struct proc_thread *t, struct bbs_look *look)
{
  char call[200];
  if (!read_call (p, t, look, call, sizeof call))
    return false;
  if (look->state == 'R')
    return true;
  const unsigned why = why_by_call (p, t, look, call);
  look->why = (uint8_t) why;
  const bool says = why == BBS_WHY_LOCK || (why >= BBS_WHY_CONDITION && why < BBS_WHYS)
                    || why == BBS_WHY_TIME || why == BBS_WHY_POLL || why == BBS_WHY_CHILD
                    || why == BBS_WHY_SIGNAL;
  return says && !is_stopped (p, t);
}

static bool
poll_once (struct proc *p, struct proc_thread *t, enum proc_detail detail, struct bbs_look *look,
           struct proc_stat *stat)
{
  const struct bbs_look blank = { .tid = t->tid,
                                  .voluntary = BBS_NOT_KNOWN,
                                  .involuntary = BBS_NOT_KNOWN,
                                  .call = BBS_CALL_NOT_KNOWN,
                                  .cpu = BBS_CPU_UNKNOWN,
                                  .state = 'S',
                                  .why = BBS_WHY_NOT_KNOWN };
  *look = blank;
  if (detail == PROC_REASON && poll_briefly (p, t, look))
    return true;
  *look = blank;
  if (!proc_read_stat (p, t, stat))
    return false;
  look->state = (uint8_t) stat->state;
  look->cpu = stat->cpu;
  if (!strchr ("RZX", stat->state))
    find_reason (p, t, look);
  return detail != PROC_SWITCHES || proc_read_switches (p, t, &look->voluntary, &look->involuntary);
}

static void
copy_reason (struct bbs_look *to, const struct bbs_look *from)
{
  to->call = from->call;
  to->why = from->why;
  to->holder = from->holder;
  to->lock = from->lock;
  to->caller = from->caller;
  to->stack = from->stack;
  to->type = from->type;
  to->area = from->area;
}

/* If the sums before and after are the same, the thread got no processor meanwhile: all that was
   read belongs to one turn and the sleep behind it. */
bool
proc_poll (struct proc *p, struct proc_thread *t, struct proc_sums *sums, enum proc_detail detail,
           struct bbs_look *look, char name[20])
{
  struct proc_stat stat;
  struct bbs_look slept = { .call = BBS_CALL_NOT_KNOWN }; /* the last try with a reason */
  bool still = false;
  for (int tries = 0; tries < TRIES && !still; tries++)
    {
      struct proc_sums before = *sums;
      if (!poll_once (p, t, detail, look, &stat))
        return false;
      look->time = clock_now () - p->started;
      if (!proc_sums (p, t, sums))
        return false;
      still = before.turns == sums->turns && before.wait == sums->wait;
      slept = look->why == BBS_WHY_NOT_KNOWN ? slept : *look;
    }
  if (!still)
    {
      copy_reason (look, &slept);
      look->state = 0;
    }
  look->run = sums->run;
  look->wait = sums->wait;
  if (name)
    memcpy (name, stat.name, sizeof stat.name);
  return true;
}
