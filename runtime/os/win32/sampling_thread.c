/* SPDX-License-Identifier: MIT */
/* The sampler's thread, and the flags by which other threads control it, under one critical
   section.  The thread holds it during a round of samples, so whoever changes a flag waits for the
   end of the round, and owns the tree of contexts meanwhile. */
#include "runtime/os/win32/win32.h"

static struct {
  CRITICAL_SECTION lock;
  bool has_lock;
  bool terminate, enabled; /* lock */
  HANDLE thread;
  HANDLE wake;      /* TERMINATE is set */
  HANDLE ended;     /* by hand; the thread does nothing any more */
  uint64_t since;   /* lock: when it was enabled; 0: it is not */
  uint64_t running; /* lock: nanoseconds of the times before */
  const struct bbp_timer *timer;
  unsigned rate;
  bool periodic;
} sampler;

BOOLEAN NTAPI RtlDllShutdownInProgress (void);

/* The sampler's thread may have been in a round. */
void
bbp_sampler_lock (void)
{
  if (sampler.has_lock && !RtlDllShutdownInProgress ())
    EnterCriticalSection (&sampler.lock);
}

void
bbp_sampler_unlock (void)
{
  if (sampler.has_lock && !RtlDllShutdownInProgress ())
    LeaveCriticalSection (&sampler.lock);
}

unsigned
bbp_sampler_asked (void)
{
  return sampler.rate;
}

const char *
bbp_sampler_timer (void)
{
  return sampler.timer ? sampler.timer->name : "";
}

uint64_t
bbp_sampler_running (void)
{
  return sampler.running + (sampler.since ? bbp_clock_wall () - sampler.since : 0);
}

void
bbp_sampler_reset (void)
{
  sampler.running = 0;
  sampler.since = sampler.since ? bbp_clock_wall () : 0;
}

/* Lock held. */
static void
set_enabled (bool enabled)
{
  if (enabled == sampler.enabled)
    return;
  sampler.running = bbp_sampler_running ();
  sampler.since = enabled ? bbp_clock_wall () : 0;
  sampler.enabled = enabled;
}

enum { TICK_NS = 1000000, LEAST_NS = 5 * TICK_NS };

/* Delays a round by up to a millisecond, at random, unless rounds come more often than each 5 ms.
   Timers expire at ticks of the system, for the program as well: a thread that works for a part of
   a millisecond after each of its timers would be sampled always before that, or never.  Sleeps
   end at ticks, too, and a thread that yields its processor gets it back late, so the time passes
   in a loop. */
static void
leave_tick (void)
{
  static uint64_t random;
  if (1000000000 / sampler.rate < LEAST_NS)
    return;
  random = (random ^ bbp.run) * 0x9e3779b97f4a7c15 + 1;
  const uint64_t until = bbp_clock_wall () + (random >> 32) % TICK_NS;
  while (bbp_clock_wall () < until)
    YieldProcessor ();
}

/* One round, if it is enabled; false: the thread has to end. */
static bool
sample (void)
{
  bbp_sampler_lock ();
  const bool goes_on = !sampler.terminate;
  if (goes_on && sampler.enabled)
    bbp_collect_round ();
  bbp_sampler_unlock ();
  return goes_on;
}

/* A wait that fails ends the sampler, not the program. */
static DWORD WINAPI
run (void *unused)
{
  (void) unused;
  SetThreadPriority (GetCurrentThread (), THREAD_PRIORITY_TIME_CRITICAL);
  bool works = sampler.timer->start (1000000 / sampler.rate, sampler.periodic);
  while (works && (works = sampler.timer->wait (sampler.wake)))
    {
      leave_tick ();
      if (!sample ())
        break;
      works = sampler.timer->again ();
    }
  if (!works)
    bbp_complain_error ("cannot sample any further with the timer", sampler.timer->name,
                        GetLastError ());
  sampler.timer->end ();
  bbp_sampler_lock ();
  set_enabled (false);
  bbp_sampler_unlock ();
  SetEvent (sampler.ended);
  return 0;
}

bool
bbp_sampler_begin (const struct bbp_timer *timer, unsigned rate, bool periodic, bool enabled)
{
  if (!sampler.has_lock)
    InitializeCriticalSection (&sampler.lock);
  sampler.has_lock = true;
  if (!sampler.wake)
    sampler.wake = CreateEventW (NULL, TRUE, FALSE, NULL);
  if (!sampler.ended)
    sampler.ended = CreateEventW (NULL, TRUE, FALSE, NULL);
  sampler.timer = timer;
  sampler.rate = rate;
  sampler.periodic = periodic;
  sampler.terminate = false;
  if (!sampler.wake || !sampler.ended || !bbp_collect_make ())
    return false;
  ResetEvent (sampler.wake);
  ResetEvent (sampler.ended);
  set_enabled (enabled);
  DWORD tid;
  sampler.thread = CreateThread (NULL, 0, run, NULL, CREATE_SUSPENDED, &tid);
  if (!sampler.thread)
    return false;
  if (bbp_subject_is_own ())
    bbp_threads_spare (tid);
  ResumeThread (sampler.thread);
  return true;
}

void
bbp_sampler_enable (bool enabled)
{
  bbp_sampler_lock ();
  set_enabled (enabled);
  bbp_sampler_unlock ();
}

/* Waits for the event, because the thread itself may need the loader's lock, which the caller may
   hold; or for the thread, which the system has ended if the process ends. */
void
bbp_sampler_end (void)
{
  const HANDLE either[] = { sampler.ended, sampler.thread };
  if (!sampler.thread)
    return;
  bbp_sampler_lock ();
  sampler.terminate = true;
  bbp_sampler_unlock ();
  SetEvent (sampler.wake);
  WaitForMultipleObjects (2, either, FALSE, INFINITE);
  CloseHandle (sampler.thread);
  sampler.thread = NULL;
}

bool
bbp_sampler_has_ended (void)
{
  return !sampler.thread || WaitForSingleObject (sampler.ended, 0) == WAIT_OBJECT_0;
}
