/* SPDX-License-Identifier: MIT */
/* The sampler "perf": a kernel event for each thread, which counts the time that the thread is
   on a processor, and sends a signal after each period.  It uses a high-resolution timer, so it
   is not limited to the kernel tick.

   No descriptor stays open: a mapping keeps the event, so that the program can neither see nor
   close it; unmapping ends it.  The signal must be one that does not queue: during a long system
   call hundreds would.  When there is no more room for them, the kernel sends SIGIO instead,
   which ends the process.  The thread's CPU clock says how many ticks a signal stands for, so
   none is lost.

   Only code of the program is interrupted: a signal that arrives in a system call could end that
   call early.  Ticks that are due when the program returns from the kernel count as passed
   unseen.  A second timer, on the thread's CPU clock, identifies the call.  The kernel checks
   that timer once in each of its own ticks, and its signal comes where the call ends.

   Context: cold, lock held, unless a function says otherwise. */
#include <errno.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/samplers/samplers.h"

#define MOST_RATE 10000

/* Writer: lock, before it runs. */
static unsigned rate;

static struct perf_event_attr
event_of (unsigned hertz)
{
  return (struct perf_event_attr) {
    .type = PERF_TYPE_SOFTWARE,
    .size = sizeof (struct perf_event_attr),
    .config = PERF_COUNT_SW_TASK_CLOCK,
    .sample_period = 1000000000 / hertz,
    .exclude_kernel = 1,
    .exclude_hv = 1,
    .wakeup_events = 1,
  };
}

/* The event's descriptor, or -errno. */
static long
open_event (int tid, unsigned hertz)
{
  struct perf_event_attr event = event_of (hertz);
  return bbp_sys_perf_event (&event, tid);
}

/* The restriction of unprivileged users, perf_event_paranoid; 9: unknown. */
static int
level (void)
{
  char text[8] = "";
  long fd
      = bbp_sys_openat (AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    return 9;
  long n = bbp_sys_read ((int) fd, text, sizeof text - 1);
  bbp_sys_close ((int) fd);
  return n > 0 && text[0] == '-'                     ? -1
         : n > 0 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0'
                                                     : 9;
}

static const char *
reason (long error)
{
  static const char *const levels[] = {
    "may not be used here, though perf_event_paranoid is 0",
    "may not be used here, though perf_event_paranoid is 1",
    "may not be used here, though perf_event_paranoid is 2",
    "may not be used by users (perf_event_paranoid is 3)",
    "may not be used by users (perf_event_paranoid is 4)",
  };
  int allowed = level ();
  switch (error)
    {
    case -EACCES:
    case -EPERM: return allowed >= 0 && allowed <= 4 ? levels[allowed] : "may not be used here";
    case -ENOSYS: return "is not in this kernel (perf_event_open)";
    case -EMFILE:
    case -ENFILE: return "finds no free descriptor (ulimit -n)";
    case -ENOENT:
    case -EOPNOTSUPP: return "finds no task clock in this kernel";
    default: return "is refused by the kernel";
    }
}

static void *
map_event (int fd)
{
  long page = bbp_sys_mmap_to_read (BBP_PAGE_BYTES, fd);
  return page < 0 && page > -BBP_PAGE_BYTES ? NULL : (void *) page;
}

static const char *
refuses (enum bbp_clock clock, unsigned hertz)
{
  if (clock != BBP_CLOCK_CPU)
    return "samples CPU time only (clock=cpu)";
  int tid = bbp_sys_gettid ();
  long fd = open_event (tid, hertz);
  if (fd < 0)
    return reason (fd);
  void *page = map_event ((int) fd);
  bbp_sys_close ((int) fd);
  bbp_pages_unmap (page, BBP_PAGE_BYTES);
  return page ? NULL : "finds no memory for events (perf_event_mlock_kb, ulimit -l)";
}

#define FIRST_QUEUED 32

static unsigned
start (enum bbp_clock clock, unsigned hertz)
{
  (void) clock;
  rate = hertz < MOST_RATE ? hertz : MOST_RATE;
  return bbp_sampling.signal < FIRST_QUEUED ? rate : 0;
}

static void
stop (void)
{
}

/* Directs the signal to that thread alone. */
static bool
direct (int fd, int tid)
{
  struct f_owner_ex owner = { F_OWNER_TID, tid };
  return bbp_sys_control_file (fd, F_SETOWN_EX, (long) &owner) == 0
         && bbp_sys_control_file (fd, F_SETSIG, bbp_sampling.signal) == 0
         && bbp_sys_control_file (fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

/* Without this timer the calls are not identified. */
static void
make_timer (struct bbp_sampled *thread)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = bbp_sampling.signal };
  const struct timespec tick = { 0, 1000000000 / bbp_sampler_kernel_rate () };
  const struct itimerspec value = { tick, tick };
  int timer;
  event.sigev_value.sival_ptr = thread;
  event._sigev_un._tid = thread->tid;
  if (bbp_sys_make_timer (bbp_sys_thread_clock (thread->tid), &event, &timer) != 0)
    return;
  thread->beside = timer + 1;
  bbp_sys_set_timer (timer, &value, NULL);
}

static void
thread_begin (struct bbp_sampled *thread)
{
  if (thread->page)
    return;
  long fd = open_event (thread->tid, rate);
  if (fd == -ESRCH)
    return;
  thread->accounted = bbp_sys_nanoseconds (bbp_sys_thread_clock (thread->tid));
  if (fd >= 0 && direct ((int) fd, thread->tid))
    thread->page = map_event ((int) fd);
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  if (thread->page)
    make_timer (thread);
  else
    {
      bbp_sampling.partial = true;
      bbp_message_once ("some threads are not sampled",
                        fd < 0 ? reason (fd)
                               : "no memory for events (perf_event_mlock_kb, ulimit -l)");
    }
}

static void
thread_end (struct bbp_sampled *thread)
{
  bbp_pages_unmap (thread->page, BBP_PAGE_BYTES);
  thread->page = NULL;
  if (thread->beside)
    bbp_sys_delete_timer (thread->beside - 1);
  thread->beside = 0;
}

/* Of the calling thread. */
static void
pause_event (bool pause)
{
  struct bbp_sampled *thread = bbp_sampled;
  if (thread && pause)
    thread_end (thread);
  else if (thread && thread->tid)
    thread_begin (thread);
}

/* A child inherits neither such mappings nor timers. */
static void
forked (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    {
      thread->page = NULL;
      thread->beside = 0;
    }
}

/* A signal that the kernel had no memory to describe has no sender.  Signal. */
static bool
is_event (const siginfo_t *info)
{
  return info->si_code == POLL_IN || (info->si_code == SI_USER && info->si_pid == 0);
}

/* A signal of the second timer, of THREAD or of a thread that has ended.  Signal. */
static bool
is_timer (const siginfo_t *info, const struct bbp_sampled *thread)
{
  if (info->si_code != SI_TIMER || (thread && thread == info->si_value.sival_ptr))
    return info->si_code == SI_TIMER;
  const struct bbp_sampled *other = __atomic_load_n (&bbp_sampled_all, __ATOMIC_ACQUIRE);
  while (other && other != info->si_value.sival_ptr)
    other = other->next;
  return other;
}

/* Signal.  A signal that was on its way when the event ended counts as no tick; where the clock
   must not be read, each signal stands for one tick. */
static unsigned
ticks (const siginfo_t *info)
{
  struct bbp_sampled *thread = bbp_sampled_self ();
  bool timer = is_timer (info, thread);
  if (!timer && !is_event (info))
    return BBP_NO_TICK;
  if (!thread || !thread->page || (timer && info->si_value.sival_ptr != thread))
    return 0;
  unsigned due = bbp_avoid_syscalls ? !timer : bbp_sampled_due (thread, rate, !timer);
  thread->unseen = timer || !due ? due : due - 1;
  return due;
}

const struct bbp_sampler bbp_sampler_perf = {
  .name = "perf",
  .per_thread = true,
  .clocks = { true, false },
  .refuses = refuses,
  .start = start,
  .stop = stop,
  .thread_begin = thread_begin,
  .thread_end = thread_end,
  .pause = pause_event,
  .forked = forked,
  .ticks = ticks,
};
