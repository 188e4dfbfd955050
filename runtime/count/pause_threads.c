/* SPDX-License-Identifier: MIT */
/* Threads pause while their counters are read, because counts derived from counters that change
   meanwhile would be wrong.  Only running threads are asked to pause.  A thread that waits in a
   system call continues to wait, undisturbed, and counts nothing.

   The dump queues the signal of ticks to each running thread.  The handler, which is that of the
   ticks, records where it interrupted the thread and waits for the end of the pause.  Some threads
   do not arrive: the program handles SIGPROF itself, where that is the signal, or the thread blocks
   it.  Such threads continue to run; the dump notices that by their counters (totals.c).  Every
   wait has a limit, in the dump and in the threads.

   A thread that sleeps inside a trace point, until there is room for the trace, has recorded
   where, and does not continue before the pause ends.

   Context: cold, lock held; in the threads that are asked, signal. */
#include <errno.h>
#include <linux/futex.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

/* Nanoseconds.  Where many threads share a processor, each needs its turn before it can arrive. */
#define PATIENCE 200000000UL
#define POLL_INTERVAL 2000000UL /* interval of checks whether asked threads still run */
#define LONGEST_STAY 1000000000UL

/* The value of the queued signal: this, and the number of the pause below. */
#define MAGIC 0x62627001UL

/* Asked threads wait on this word: the number of the pause while it lasts, else 0. */
static int current;
static int number;     /* of the last pause; lock */
static unsigned depth; /* lock */
static bool refused;   /* a thread runs that cannot be asked; lock */

/* The dump waits on this word, which changes with each arrival. */
static int arrivals;

static uint64_t
now (void)
{
  return bbp_sys_nanoseconds (CLOCK_MONOTONIC);
}

/* In this pause: asked, and not excused; arrived. */
static bool
is_asked (const struct bbp_thread *thread)
{
  return thread->pause_asked == number;
}

static bool
waits (const struct bbp_thread *thread)
{
  return __atomic_load_n (&thread->pause_arrived, __ATOMIC_ACQUIRE) == number;
}

/* True if THREAD is on a processor, or waits for one or for memory, outside of any system call.
   The kernel reports that ("running", or -1) instead of the system call in which a thread waits. */
static bool
runs (struct bbp_thread *thread)
{
  char path[64], word[8];
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  if (!thread->tid)
    return false;
  bbp_text_string (&text, "/proc/self/task/");
  bbp_text_number (&text, (unsigned) thread->tid);
  bbp_text_string (&text, "/syscall");
  long fd = bbp_sys_openat (AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (fd == -ENOENT && thread->leaving)
    thread->tid = 0; /* it has ended */
  if (fd < 0)
    return false;
  bool running = bbp_sys_read ((int) fd, word, sizeof word) == sizeof word
                 && (word[0] == 'r' || word[0] == '-');
  bbp_sys_close ((int) fd);
  return running;
}

/* True if the handler of the signal is the library's. */
static bool
can_ask (void)
{
  struct sigaction action;
  return bbp_sys_sigaction (bbp_sampling.signal, NULL, &action) == 0
         && action.sa_sigaction == bbp_on_tick;
}

static bool
ask (struct bbp_thread *thread)
{
  siginfo_t info = { .si_signo = bbp_sampling.signal, .si_code = SI_QUEUE };
  info.si_pid = bbp.pid;
  info.si_value.sival_ptr = (void *) (MAGIC << 32 | (unsigned) number);
  bool asked = bbp_sys_queue_to_thread (thread->tid, bbp_sampling.signal, &info) == 0;
  thread->pause_asked = asked ? number : 0;
  return asked;
}

/* Asks all threads that run and are not asked yet; returns their number. */
static size_t
ask_those_that_run (void)
{
  size_t n = 0;
  bool asks = bbp.threads && bbp.threads->next && can_ask ();
  refused = false;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread != __bb_thread && !is_asked (thread) && runs (thread))
      {
        bool asked = asks && ask (thread);
        n += asked;
        refused |= !asked;
      }
  return n;
}

static bool
some_are_missing (void)
{
  struct bbp_thread *thread = bbp.threads;
  while (thread && (!is_asked (thread) || waits (thread)))
    thread = thread->next;
  return thread;
}

/* Threads that went to sleep since, perhaps to wait for the lock, count nothing either.  Should
   one wake up, it arrives. */
static void
excuse_sleepers (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (is_asked (thread) && !waits (thread) && !runs (thread))
      thread->pause_asked = 0;
}

static void
wait_for_asked (void)
{
  uint64_t until = now () + PATIENCE;
  int seen = __atomic_load_n (&arrivals, __ATOMIC_SEQ_CST);
  while (some_are_missing () && now () < until)
    {
      if (bbp_sys_futex_for (&arrivals, FUTEX_WAIT_PRIVATE, seen, POLL_INTERVAL) == -ETIMEDOUT)
        excuse_sleepers ();
      seen = __atomic_load_n (&arrivals, __ATOMIC_SEQ_CST);
    }
}

void
bbp_pause_begin (void)
{
  if (depth++)
    return;
  bbp_samples_pause (true);
  number = number < INT32_MAX ? number + 1 : 1;
  __atomic_store_n (&current, number, __ATOMIC_SEQ_CST);
}

bool
bbp_pause_more (void)
{
  bool more = ask_those_that_run ();
  if (more)
    wait_for_asked ();
  return more;
}

bool
bbp_pause_is_complete (void)
{
  return !refused && !some_are_missing ();
}

void
bbp_pause_end (void)
{
  if (--depth)
    return;
  __atomic_store_n (&current, 0, __ATOMIC_SEQ_CST);
  bbp_sys_futex (&current, FUTEX_WAKE_PRIVATE, INT32_MAX);
  bbp_samples_pause (false);
}

/* In a forked child there is no pause. */
void
bbp_pause_reset (void)
{
  depth = 0;
  current = 0;
}

/* A thread that waits for too long continues, whatever the dump does. */
static void
wait_for_end (struct bbp_thread *thread, int pause)
{
  uint64_t until = now () + LONGEST_STAY;
  __atomic_store_n (&thread->pause_arrived, pause, __ATOMIC_RELEASE);
  __atomic_fetch_add (&arrivals, 1, __ATOMIC_SEQ_CST);
  bbp_sys_futex (&arrivals, FUTEX_WAKE_PRIVATE, 1);
  while (__atomic_load_n (&current, __ATOMIC_SEQ_CST) == pause)
    if (now () < until)
      bbp_sys_futex_for (&current, FUTEX_WAIT_PRIVATE, pause, LONGEST_STAY);
    else
      {
        __atomic_store_n (&thread->pause_arrived, 0, __ATOMIC_RELEASE);
        break;
      }
}

/* Context: signal.  False: INFO is not a request to pause.  A request that comes too late has no
   effect. */
bool
bbp_pause_requested (const siginfo_t *info, void *context)
{
  uint64_t value = (uintptr_t) info->si_value.sival_ptr;
  if (info->si_code != SI_QUEUE || info->si_pid != bbp.pid || value >> 32 != MAGIC)
    return false;
  if (__bb_thread && __atomic_load_n (&current, __ATOMIC_SEQ_CST) == (int) value)
    {
      bbp_program_settle (context);
      bbp_thread_interrupt (context);
      wait_for_end (__bb_thread, (int) value);
      bbp_thread_interrupt (NULL);
    }
  return true;
}

void
bbp_pause_sleep_begins (struct bbp_thread *thread, uintptr_t pc)
{
  __atomic_store_n (&thread->sleep_pc, pc, __ATOMIC_RELEASE);
}

/* A pause that begins after this finds the thread running, and asks it. */
void
bbp_pause_sleep_ends (struct bbp_thread *thread)
{
  uint64_t until = now () + LONGEST_STAY;
  for (int pause; (pause = __atomic_load_n (&current, __ATOMIC_SEQ_CST)) != 0 && now () < until;)
    bbp_sys_futex_for (&current, FUTEX_WAIT_PRIVATE, pause, LONGEST_STAY);
  __atomic_store_n (&thread->sleep_pc, 0, __ATOMIC_RELEASE);
}
