/* SPDX-License-Identifier: MIT */
/* The ticker's thread, unknown to the program and to libc.  The kernel's clone makes it, so for
   libc a program with one thread stays one.  It blocks all signals.  It has its own table of
   descriptors: its descriptors are not among the program's, and it keeps none of the program's
   open.  It has its own memory for thread-local words.  Once made it stays, and sleeps when
   there is nothing to do: nothing waits for its end, not even the end of the process.

   Context: see each function. */
#include <linux/futex.h>
#include <sched.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/ticker.h"

#define STACK_BYTES 65536
/* for thread-local words, including libc's, which are not far from the library's */
#define LOCAL_BYTES 65536
#define MOST_DESCRIPTORS 65536
#define REST_NANOSECONDS 200000000

/* Odd: it makes rounds.  It waits for a change of this word; writer: lock. */
static int order;

struct bbp_waiter bbp_ticker_waiter;

static struct {
  char *memory; /* its stack, then thread-local words */
  size_t bytes;
  uintptr_t pointer; /* its thread pointer: behind the thread-local words */
  int tid;           /* 0: there is none; cleared by the kernel */
  int ready;         /* futex: 1: it has its own descriptors */
} self;

int
bbp_ticker_tid (void)
{
  return __atomic_load_n (&self.tid, __ATOMIC_ACQUIRE);
}

static void
close_descriptors (void)
{
  struct rlimit limit;
  if (bbp_sys_close_from (0) == 0)
    return;
  int stop = MOST_DESCRIPTORS;
  if (bbp_sys_limit (RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_DESCRIPTORS)
    stop = (int) limit.rlim_cur;
  for (int fd = 0; fd < stop; fd++)
    bbp_sys_close (fd);
}

/* Lets the thread run at once when it is time, before the program's threads, as far as the kernel
   permits: by exact timers, and by real-time scheduling or a better niceness. */
static void
raise_priority (void)
{
  const struct sched_param first = { .sched_priority = 1 };
  bbp_sys_set_timer_slack (1);
  if (bbp_sys_set_scheduler (SCHED_FIFO, &first) != 0)
    bbp_sys_set_niceness (-10);
}

/* Sleeps while ORDER is VALUE; false: there is no way to wait.  It wakes up now and then.  The
   program may have given up system calls since, and this thread must not keep a process alive after
   its others have ended. */
static bool
rest (int value)
{
  return bbp_wait_until (&bbp_ticker_waiter, bbp_ticker_now () + REST_NANOSECONDS, &order, value);
}

static bool
go_round (int value)
{
  bbp_round_begin (bbp_ticker_now ());
  while (__atomic_load_n (&order, __ATOMIC_ACQUIRE) == value)
    if (!bbp_round_wait (&order, value))
      return false;
  return true;
}

/* Sets up its own thread-local words first: until then it uses those of its creator.  False: not
   possible. */
static bool
settle (void)
{
  if (bbp_sys_set_thread_pointer (self.pointer) != 0)
    return false;
  bbp_sandbox_exempt ();
  bbp_sys_clear_at_end (&self.tid);
  close_descriptors ();
  bbp_sys_set_thread_name ("bbprof-ticker");
  raise_priority ();
  __atomic_store_n (&self.tid, bbp_sys_gettid (), __ATOMIC_RELEASE);
  return true;
}

/* Context: the new thread. */
static int
tick (void *unused)
{
  (void) unused;
  bool able = settle ();
  __atomic_store_n (&self.ready, 1, __ATOMIC_RELEASE);
  bbp_sys_futex (&self.ready, FUTEX_WAKE_PRIVATE, 1);
  while (able)
    {
      int value = __atomic_load_n (&order, __ATOMIC_ACQUIRE);
      able = value & 1 ? go_round (value) : rest (value);
    }
  return 0;
}

/* Words of other files lie at the same distance from each thread's pointer.  The words that libc
   needs lie at the pointer itself. */
static bool
make_memory (void)
{
  uintptr_t pointer = bbp_arch_thread_pointer ();
  size_t below = pointer - (uintptr_t) &bbp_sampled + LOCAL_BYTES;
  if (self.memory)
    return true;
  self.bytes = (STACK_BYTES + below + 2 * BBP_PAGE_BYTES) & -(size_t) BBP_PAGE_BYTES;
  self.memory = bbp_pages_map (self.bytes);
  if (!self.memory)
    return false;
  self.pointer = (uintptr_t) self.memory + self.bytes - BBP_PAGE_BYTES;
  uintptr_t *words = (uintptr_t *) self.pointer;
  words[0] = words[2] = self.pointer;
  return true;
}

/* Signals are blocked, as the lock is held, and the new thread inherits that. */
static int
make_thread (void)
{
  if (!make_memory ())
    return -ENOMEM;
  self.ready = 0;
  self.tid = 0;
  long result = bbp_arch_clone (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD, self.memory + STACK_BYTES,
                                tick, NULL);
  if (result < 0)
    return (int) result;
  while (__atomic_load_n (&self.ready, __ATOMIC_ACQUIRE) == 0)
    bbp_sys_futex (&self.ready, FUTEX_WAIT_PRIVATE, 0);
  if (bbp_ticker_tid ())
    return 0;
  self.memory = NULL; /* the thread still uses it until it has ended */
  return -EPERM;
}

static void
change_order (void)
{
  __atomic_fetch_add (&order, 1, __ATOMIC_RELEASE);
  bbp_wait_end (&bbp_ticker_waiter, &order);
}

int
bbp_ticker_run (void)
{
  if (!(order & 1))
    change_order ();
  return bbp_ticker_tid () ? 0 : make_thread ();
}

void
bbp_ticker_rest (void)
{
  if (order & 1)
    change_order ();
}

void
bbp_ticker_forked (void)
{
  self.tid = 0;
  order &= ~1;
  bbp_ticker_waiter = (struct bbp_waiter) { 0 };
}
