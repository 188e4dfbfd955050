/* SPDX-License-Identifier: MIT */
/* Rounds of the ticker.  For a running thread it sets the thread's timer: the thread takes a
   sample at the next kernel tick that finds it running.  A sleeping thread gets a signal once in
   each sleep, and records its stack.  It is then counted again there without being woken, as
   long as the kernel has not given it a processor.  A thread that sleeps in a call that writes,
   receives all, or submits and waits is not woken, because the call could return with only a
   part done.  For such a thread only the address of the call is counted.

   Ticks that found a thread running and ticks that found it asleep are kept separately.  So a
   thread that always works for less than a kernel tick gets the time of its work nevertheless.

   A round stands for the ticks since the previous one, so a late round loses none.  Rounds are
   late where there are so many threads that visiting them would take more than a small part of a
   processor's time.  With still more threads a round visits only some of them, and the next
   round continues.  One-shot, the default: the next round begins one interval after the end of
   this one, and a thread that was busy with its sample is left alone for as long.  So the
   program makes progress, however slow the samples are.  Periodic: rounds begin at multiples of
   the interval.

   Context: the ticker's thread, all signals blocked. */
#include <sys/socket.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/ticker.h"
#include "runtime/samplers/timer_queue.h"
#include "runtime/unwind/unwind.h"

#define SECOND 1000000000UL
#define SCAN_INTERVAL (SECOND / 10)
#define LIVE_INTERVAL (SECOND / 10)
#define ASK_AGAIN (SECOND / 10)

static void do_round (struct bbp_timer *, uint64_t now);
static void scan (struct bbp_timer *, uint64_t now);
static void update_live (struct bbp_timer *, uint64_t now);
static void ask_for_checkpoint (struct bbp_timer *, uint64_t now);

/* The actions of the ticker's thread, each with its own timer. */
static struct bbp_timer round_timer = { .action = do_round }, scan_timer = { .action = scan },
                        live_timer = { .action = update_live },
                        checkpoint_timer = { .action = ask_for_checkpoint };
enum { TIMERS = 4 };
static struct bbp_timer *list[TIMERS];
static struct bbp_timer_queue queue = { .list = list, .room = TIMERS };
static bool alone;

/* Time of the last round, and the part of a tick that had passed then, in 1 / rate nanoseconds. */
static uint64_t last, rest;

/* Planned time from the last round to this one. */
static uint64_t planned;

/* Ticks since the last round.  While the process was stopped, or the machine slept, no ticks
   were due. */
static unsigned
ticks_until (uint64_t now)
{
  uint64_t most = 4 * planned > SECOND ? 4 * planned : SECOND, passed = now - last;
  last = now;
  if (__atomic_load_n (&bbp_ticker.paused, __ATOMIC_ACQUIRE))
    return 0;
  rest += (passed < most ? passed : bbp_ticker.interval) * bbp_ticker.rate;
  unsigned ticks = (unsigned) (rest / SECOND);
  rest %= SECOND;
  return ticks;
}

/* Sends the signal; the thread's handler answers.  If it cannot be sent, the ticks wait for the
   next round. */
static void
wake (struct bbp_ticked *ticked, int tid, uint64_t now)
{
  siginfo_t info = { .si_signo = bbp_sampling.signal, .si_code = SI_QUEUE };
  info.si_pid = bbp_sys_getpid ();
  info.si_value.sival_ptr = ticked;
  __atomic_store_n (&ticked->asked, BBP_SIGNALLED, __ATOMIC_RELEASE);
  ticked->asked_at = now;
  if (bbp_sys_queue_to_thread (tid, bbp_sampling.signal, &info) != 0)
    __atomic_store_n (&ticked->asked, BBP_NOT_ASKED, __ATOMIC_RELEASE);
}

/* A signal without an answer for so long is lost: the program may have taken it by a system call
   of its own. */
#define PATIENCE SECOND

static bool
is_asked (const struct bbp_ticked *ticked, int how, uint64_t now)
{
  return (int) __atomic_load_n (&ticked->asked, __ATOMIC_ACQUIRE) == how
         && now - ticked->asked_at < PATIENCE;
}

/* True if the thread was busy with its last sample until just now. */
static bool
has_just_answered (const struct bbp_ticked *ticked, uint64_t now)
{
  uint64_t answered = __atomic_load_n (&ticked->answered, __ATOMIC_RELAXED);
  return !bbp_options.periodic && now < answered + bbp_ticker.interval - bbp_ticker.interval / 8;
}

static void
owe (struct bbp_ticked *ticked, unsigned ticks)
{
  __atomic_fetch_add (&ticked->owed, ticks, __ATOMIC_RELAXED);
}

/* The thread answers at the next kernel tick at which it runs.  False: it has no timer. */
static bool
set_timer (struct bbp_ticked *ticked, unsigned ticks, uint64_t now)
{
  static const struct itimerspec at_once = { .it_value.tv_nsec = 1 };
  int timer = __atomic_load_n (&ticked->timer, __ATOMIC_RELAXED);
  if (!timer)
    return false;
  __atomic_fetch_add (&ticked->owed_at_work, ticks, __ATOMIC_RELAXED);
  if (is_asked (ticked, BBP_TIMED, now) || has_just_answered (ticked, now))
    return true;
  __atomic_store_n (&ticked->asked, BBP_TIMED, __ATOMIC_RELEASE);
  ticked->asked_at = now;
  bbp_sys_set_timer (timer - 1, &at_once, NULL);
  return true;
}

/* True if the thread is still in the sleep that it has recorded.  It was woken once then, by the
   ticker. */
static bool
sleeps_on (struct bbp_ticked *ticked, int tid)
{
  struct bbp_sleep sleep;
  uint64_t switches = bbp_poll_switches (&ticked->files, tid);
  if (ticked->state == BBP_KNOWN)
    return switches == ticked->switched;
  if (switches != ticked->switched + 1
      || bbp_poll_thread (&ticked->files, tid, &sleep) != BBP_SLEEPING
      || sleep.pc != ticked->sleep.pc || sleep.sp != ticked->sleep.sp
      || sleep.number != ticked->sleep.number)
    return false;
  ticked->switched = switches;
  ticked->node = __atomic_load_n (&ticked->reported_node, __ATOMIC_RELAXED);
  ticked->state = BBP_KNOWN;
  return true;
}

/* True if a signal could make the call return after it has written or received only a part, or
   submitted requests without waiting for them. */
static bool
may_be_partial (const struct bbp_sleep *sleep)
{
  switch (sleep->number)
    {
    case SYS_recvfrom:
    case SYS_recvmsg: return sleep->telling & MSG_WAITALL;
    case SYS_io_uring_enter: return sleep->telling > 0;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_sendfile:
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice:
    case SYS_copy_file_range:
    case SYS_recvmmsg: return true;
    default: return false;
    }
}

/* A node for the call's address, with unknown callers. */
static uint32_t
node_of_call (const struct bbp_ticked *ticked)
{
  const struct bbp_sleep *sleep = &ticked->sleep;
  const struct bbp_frame frames[] = {
    { .address = ticked->thread->number, .kind = BBX_FRAME_THREAD },
    { .kind = BBX_FRAME_CUT },
    { .address = sleep->pc, .kind = BBX_FRAME_CODE, .mapping = bbp_mapping_of (sleep->pc) },
    { .address = (uintptr_t) sleep->number, .kind = BBX_FRAME_SYSCALL },
  };
  uint32_t node = 0;
  for (size_t i = 0; i < sizeof frames / sizeof *frames && (node || i == 0); i++)
    node = bbp_context_enter (node, &frames[i]);
  return node;
}

/* The thread runs, or its sleep is not known yet. */
static void
poll_anew (struct bbp_ticked *ticked, int tid, unsigned ticks, uint64_t now)
{
  uint64_t switches = bbp_poll_switches (&ticked->files, tid);
  enum bbp_doing doing = bbp_poll_thread (&ticked->files, tid, &ticked->sleep);
  ticked->state = BBP_AWAKE;
  if (doing == BBP_RUNNING && set_timer (ticked, ticks, now))
    return;
  owe (ticked, ticks);
  if (has_just_answered (ticked, now))
    return;
  ticked->state = doing == BBP_SLEEPING ? BBP_WOKEN : BBP_AWAKE;
  ticked->switched = switches;
  if (doing == BBP_SLEEPING && may_be_partial (&ticked->sleep))
    {
      ticked->node = bbp_sampling.stacks ? node_of_call (ticked) : 0;
      ticked->state = BBP_KNOWN;
    }
  else if (doing == BBP_RUNNING || (doing == BBP_SLEEPING && bbp_ticker.clock == BBP_CLOCK_WALL))
    wake (ticked, tid, now);
}

/* True if the thread exists; facts of an earlier thread with this entry are forgotten. */
static bool
is_there (struct bbp_ticked *ticked, int *tid)
{
  *tid = __atomic_load_n (&ticked->tid, __ATOMIC_ACQUIRE);
  if (ticked->seen != ticked->life || !*tid)
    {
      bbp_poll_close (&ticked->files);
      ticked->state = BBP_AWAKE;
      ticked->seen = ticked->life;
      ticked->unvisited = 0;
    }
  return *tid;
}

static void
visit (struct bbp_ticked *ticked, unsigned ticks, uint64_t now)
{
  int tid;
  if (!is_there (ticked, &tid))
    return;
  ticks += ticked->unvisited;
  ticked->unvisited = 0;
  if (is_asked (ticked, BBP_SIGNALLED, now)
      || (ticked->state == BBP_WOKEN && has_just_answered (ticked, now))
      || (ticked->state != BBP_AWAKE && sleeps_on (ticked, tid)))
    owe (ticked, ticks);
  else
    poll_anew (ticked, tid, ticks, now);
}

/* The next round that visits it finds out its state. */
static void
skip (struct bbp_ticked *ticked, unsigned ticks)
{
  int tid;
  if (is_there (ticked, &tid))
    ticked->unvisited += ticks;
}

/* Rounds and scans each take at most this part of a processor's time. */
#define PART 16

/* A round visits threads for at most this time; the next round continues there. */
#define MOST_CPU (SECOND / 500)

static void
visit_all (unsigned ticks, uint64_t now, uint64_t cpu)
{
  static struct bbp_ticked *from; /* null: the first */
  struct bbp_ticked *begin = from;
  unsigned visited = 0;
  from = NULL;
  for (struct bbp_ticked *ticked = __atomic_load_n (&bbp_ticked_all, __ATOMIC_ACQUIRE); ticked;
       ticked = ticked->next)
    {
      if (ticked == begin)
        begin = NULL;
      if (!begin && !from && visited++ % 16 == 15
          && bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID) > cpu + MOST_CPU)
        from = ticked;
      if (begin || from)
        skip (ticked, ticks);
      else
        visit (ticked, ticks, now);
    }
}

/* Counts threads that are still in the same sleep.  If the lock is held, the next round does it. */
static void
count_sleepers (void)
{
  bbp_sigset old;
  if (bbp_ticker.clock != BBP_CLOCK_WALL || !bbp_lock_try (&old))
    return;
  for (struct bbp_ticked *ticked = bbp_ticked_all; ticked; ticked = ticked->next)
    if (ticked->tid && ticked->seen == ticked->life && ticked->state == BBP_KNOWN
        && !ticked->unvisited)
      {
        unsigned ticks = __atomic_exchange_n (&ticked->owed, 0, __ATOMIC_RELAXED);
        if (ticks && ticked->node)
          bbp_collect_again (ticked->thread, ticked->node, ticks);
      }
  bbp_unlock (old);
}

/* The pause after work that began when the ticker's thread had used CPU nanoseconds. */
static uint64_t
pause_after (uint64_t cpu, uint64_t least)
{
  uint64_t used = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID),
           pause = used > cpu ? (used - cpu) * (PART - 1) : 0;
  return pause > least ? pause : least;
}

static void
do_round (struct bbp_timer *timer, uint64_t now)
{
  uint64_t due = timer->due, cpu = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID);
  unsigned ticks = ticks_until (now);
  if (ticks || bbp_ticker.clock == BBP_CLOCK_CPU)
    {
      visit_all (ticks, now, cpu);
      count_sleepers ();
    }
  uint64_t interval = bbp_ticker.interval, next = bbp_ticker_now () + pause_after (cpu, interval);
  if (bbp_options.periodic)
    next = due + (next - due) / interval * interval;
  planned = next - now;
  bbp_timers_put (&queue, timer, next);
}

/* All threads that the scan found have ended by themselves: the ticker's thread is the last one,
   and keeps the process alive.  An ended thread that still exists has no code. */
static bool
is_alone (void)
{
  struct bbp_sleep sleep = { 0 };
  for (struct bbp_ticked *ticked = bbp_ticked_all; ticked; ticked = ticked->next)
    if (ticked->tid
        && (bbp_poll_thread (&ticked->files, ticked->tid, &sleep) == BBP_RUNNING
            || sleep.number >= 0 || sleep.pc))
      return false;
  return true;
}

static void
scan (struct bbp_timer *timer, uint64_t now)
{
  uint64_t cpu = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID);
  bbp_sampled_scan ();
  alone = is_alone ();
  if (bbp_slices_in_file () && !live_timer.place)
    bbp_timers_put (&queue, &live_timer, now);
  bbp_timers_put (&queue, timer, now + pause_after (cpu, SCAN_INTERVAL));
}

/* Keeps the clocks in the live file up to date, even while all threads sleep, or a scan takes
   long. */
static void
update_live (struct bbp_timer *timer, uint64_t now)
{
  bbp_live_tick (0);
  if (bbp_slices_in_file ())
    bbp_timers_put (&queue, timer, now + LIVE_INTERVAL);
}

/* A sleeper that may be woken; running threads have ticks anyway. */
static struct bbp_ticked *
find_sleeper (int *tid)
{
  for (struct bbp_ticked *ticked = __atomic_load_n (&bbp_ticked_all, __ATOMIC_ACQUIRE); ticked;
       ticked = ticked->next)
    if (is_there (ticked, tid) && ticked->state == BBP_KNOWN && !may_be_partial (&ticked->sleep))
      return ticked;
  return NULL;
}

/* The time of sleepers is counted while no thread has a tick and could write a checkpoint.  One
   of them is woken to do so, because files are written by the program's threads, with their
   rights. */
static void
ask_for_checkpoint (struct bbp_timer *timer, uint64_t now)
{
  uint64_t due = bbp_sample_above.checkpoint_due ();
  int tid;
  struct bbp_ticked *sleeper = now < due ? NULL : find_sleeper (&tid);
  if (sleeper)
    {
      sleeper->state = BBP_WOKEN;
      wake (sleeper, tid, now);
    }
  bbp_timers_put (&queue, timer, now < due ? due : now + ASK_AGAIN);
}

void
bbp_round_begin (uint64_t now)
{
  last = now;
  planned = bbp_ticker.interval;
  rest = 0;
  alone = false;
  bbp_timers_put (&queue, &round_timer, now + bbp_ticker.interval);
  bbp_timers_put (&queue, &scan_timer, now + SCAN_INTERVAL);
  bbp_timers_remove (&queue, &live_timer);
  bbp_timers_remove (&queue, &checkpoint_timer);
  if (bbp_options.checkpoint && bbp_ticker.clock == BBP_CLOCK_WALL)
    bbp_timers_put (&queue, &checkpoint_timer, bbp_sample_above.checkpoint_due ());
}

bool
bbp_round_wait (int *word, int value)
{
  if (alone || !bbp_wait_until (&bbp_ticker_waiter, bbp_timers_due (&queue), word, value))
    return false;
  if (__atomic_load_n (word, __ATOMIC_ACQUIRE) == value)
    bbp_timers_run (&queue, bbp_ticker_now ());
  return true;
}
