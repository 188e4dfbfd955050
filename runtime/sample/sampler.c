/* SPDX-License-Identifier: MIT */
/* Starts and stops the sampler, and has the one handler of all ticks.  Each sampler has its own
   file (sampler_....c); policy.c chooses one.

   Without any other request it is the process's CPU timer with SIGPROF.  If the program uses
   these itself, the program has priority, and no time is sampled.  The other samplers have a
   signal that the program does not use.  If the program handles that signal later, both get
   their own. */
#include <signal.h>
#include <string.h>

#include "arch.h"
#include "include/bbprof-control.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/live/live.h"
#include "runtime/sample/policy.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

/* Number of users of the ticks: the samples, profil (), checkpoints.  Ticks come as long as
   there is one.  Lock. */
static int users;

/* Ticks have come at some time, so one may be on its way, or pending in a thread that blocks it.
   Read in any context. */
static bool ever_ran;

/* The parts of the sampler "itimer" that the program itself uses: the signal's handler, the timer.
   Lock. */
static bool signal_taken, timer_taken;

static bool forbidden; /* sandbox.c; lock */

static unsigned pauses; /* pauses that have begun and not ended; lock */

static bool
is_classic (void)
{
  return !bbp_sampling.sampler || bbp_sampling.sampler == bbp_samplers[BBP_ITIMER];
}

/* For each sampler that the program has ended (bbp_sampler_change) the signal of its ticks; 0:
   none.  Writer: lock. */
static int ended[BBP_SAMPLERS];

/* True if INFO is a late tick of an ended sampler; it counts as no time. */
static bool
is_of_ended (const siginfo_t *info)
{
  for (int i = 0; i < BBP_SAMPLERS; i++)
    if (__atomic_load_n (&ended[i], __ATOMIC_RELAXED) == info->si_signo
        && bbp_samplers[i]->ticks (info) != BBP_NO_TICK)
      return true;
  return false;
}

static unsigned
ticks_of (const siginfo_t *info)
{
  const struct bbp_sampler *former = __atomic_load_n (&bbp_sampling.former, __ATOMIC_ACQUIRE);
  unsigned ticks
      = (bbp_sampling.sampler ? bbp_sampling.sampler : bbp_samplers[BBP_ITIMER])->ticks (info);
  if (ticks == BBP_NO_TICK && former)
    ticks = former->ticks (info);
  return ticks == BBP_NO_TICK && is_of_ended (info) ? 0 : ticks;
}

/* Continues the system call in which the thread waited. */
static void
go_on (void *context)
{
  struct bbp_sampled *thread = bbp_sampling.threads ? bbp_sampled_self () : NULL;
  if (thread)
    bbp_restart (thread, context);
}

/* The ticker replaces the sampler, with the same signal.  Lock, signal. */
static void
change_to_ticker (void *unused)
{
  const struct bbp_sampler *former = bbp_sampling.sampler;
  char line[128];
  struct bbp_text text = { .buffer = line, .size = sizeof line };
  (void) unused;
  bbp_sampled_stop ();
  former->stop ();
  __atomic_store_n (&bbp_sampling.former, former, __ATOMIC_RELEASE);
  bool able = !bbp_samplers[BBP_TICKER]->refuses (bbp_sampling.clock, bbp_sampling.asked);
  unsigned rate = able ? bbp_samplers[BBP_TICKER]->start (bbp_sampling.clock, bbp_sampling.asked)
                       : 0;
  bbp_sampling.sampler = bbp_samplers[BBP_TICKER];
  forbidden = !rate;
  bbp_text_string (&text, "its wake-ups use too much CPU time; ");
  if (rate)
    {
      bbp_sampling.rate = rate;
      bbp_collector_describe ();
      bbp_sampled_start ();
      bbp_text_string (&text, "ticker instead, ");
      bbp_text_number (&text, rate);
      bbp_text_string (&text, " a second");
    }
  else
    bbp_text_string (&text, "sampling has stopped");
  bbp_message ("sampler=thread", line);
}

/* If the lock is held, the next tick does it. */
static void
try_change_to_ticker (void)
{
  bbp_sigset old;
  if (!bbp_lock_try (&old))
    return;
  if (bbp_sampler_runs () && bbp_sampling.sampler != bbp_samplers[BBP_TICKER])
    bbp_on_handler_stack (change_to_ticker, NULL);
  bbp_unlock (old);
}

static void
tick (unsigned ticks, void *context)
{
  if (bbp_sampling.threads)
    bbp_sampled_self ();
  bbp_sample_above.tick_begins ();
  if (ticks)
    {
      bbp_collect (context, ticks);
      bbp_sample_above.profil (bbp_arch_pc (context), ticks);
    }
  bbp_live_tick (ticks);
  bbp_sample_above.tick_ends (context);
  bbp_sampled_tick ();
  go_on (context);
  if (bbp_sampling.sampler && bbp_sampling.sampler->collected)
    bbp_sampling.sampler->collected ();
  if (bbp_sampling.sampler && bbp_sampling.sampler->is_too_costly
      && bbp_sampling.sampler->is_too_costly ())
    try_change_to_ticker ();
}

/* Context: signal.  A signal that is no tick belongs to the program: its handler is called; or,
   if it left the signal to the default, the process must end. */
void
bbp_on_tick (int number, siginfo_t *info, void *context)
{
  bbp_arch_begin_handler (context);
  unsigned ticks = ticks_of (info);
  if (ticks != BBP_NO_TICK)
    tick (ticks, context);
  else if (bbp_sample_above.pause_requested (info, context))
    go_on (context);
  else if (!bbp_sigmask_defer (info, context) && !bbp_signal_forward (number, info, context))
    bbp_signals_above.on_fatal (number, info, context);
}

/* The resolution of a coarse clock; 100 if the kernel does not tell. */
unsigned
bbp_sampler_kernel_rate (void)
{
  static unsigned rate;
  struct timespec tick;
  if (!rate)
    {
      bool known = bbp_sys_clock_resolution (CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_sec == 0
                   && tick.tv_nsec > 0;
      unsigned found = known ? (unsigned) (1000000000 / tick.tv_nsec) : 100;
      rate = found < 1 || found > 1000 ? 100 : found;
    }
  return rate;
}

uint64_t
bbp_sampler_first (enum bbp_clock clock, unsigned rate)
{
  static uint64_t random;
  random = (random ? random : bbp.run) * 6364136223846793005 + 1442695040888963407;
  uint64_t interval = 1000000000 / rate, any = random >> 33,
           kernels = 1000000000 / bbp_sampler_kernel_rate ();
  if (clock == BBP_CLOCK_WALL)
    return 1 + any % interval;
  return 1 + any % ((interval + kernels / 2) / kernels + (interval < kernels / 2)) * kernels;
}

int
bbp_sampler_rate (void)
{
  return (int) (bbp_sampling.rate ? bbp_sampling.rate : bbp_sampler_kernel_rate ());
}

bool
bbp_sampler_runs (void)
{
  return users > 0 && !forbidden && !(is_classic () && (signal_taken || timer_taken));
}

/* True if the signal, left to its default, goes to bbp_on_tick. */
bool
bbp_sampler_stands_in (void)
{
  return ever_ran && !forbidden && !(is_classic () && timer_taken);
}

bool
bbp_sampler_takes_sigprof (void)
{
  return is_classic ();
}

/* True if the library's handler calls the program's, if it sets one for the signal. */
bool
bbp_sampler_shares_signal (int number)
{
  return number == bbp_sampling.signal && !is_classic () && bbp_sampler_stands_in ();
}

/* Faults use these signals whatever the program chooses; the library uses some more itself. */
static bool
may_be_signal (int number)
{
  switch (number)
    {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT:
    case BBC_SIGNAL: return false;
    default: return bbp_signal_is_watched (number);
    }
}

static bool
is_unused (int number)
{
  bbp_sigset pending = 0;
  bbp_sys_pending (&pending);
  return may_be_signal (number) && bbp_signal_is_free (number) && !(pending >> (number - 1) & 1);
}

static void
refuse_signal (void)
{
  char buffer[32];
  struct bbp_text subject = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&subject, "signal=");
  bbp_text_number (&subject, bbp_options.signal);
  bbp_message_once (buffer, "not available, or in use; another signal is used (signal=0 chooses)");
}

/* perf gets a signal that does not queue.  It sends ticks whether or not the previous one was
   handled, and queued ones could fill the process's share of the kernel's memory for queues. */
static int
choose_signal (const struct bbp_sampler *sampler)
{
  if (sampler == bbp_samplers[BBP_ITIMER])
    return SIGPROF;
  if (bbp_options.signal && bbp_options.signal <= BBP_LAST_SIGNAL
      && is_unused ((int) bbp_options.signal))
    return (int) bbp_options.signal;
  if (bbp_options.signal)
    refuse_signal ();
  if (sampler == bbp_samplers[BBP_PERF])
    return is_unused (SIGSTKFLT) ? SIGSTKFLT : 0;
  for (int number = BBP_LAST_SIGNAL - 1; number > 33; number--)
    if (is_unused (number))
      return number;
  return 0;
}

/* SAMPLER is started next: its signal must not end the process. */
static bool
prepare (const struct bbp_sampler *sampler)
{
  int number = choose_signal (sampler);
  if (!number || (sampler == bbp_samplers[BBP_ITIMER] && timer_taken))
    return false;
  bbp_sampling.sampler = sampler;
  bbp_sampling.signal = number;
  return bbp_signal_adopt (number);
}

/* The user's request.  Without a name, but with a clock or rate that the process's timer does
   not support, it means the best sampler. */
static struct bbp_wish
wish (void)
{
  bool more = bbp_options.record || bbp_options.wall || bbp_options.rate || bbp_options.signal;
  unsigned rate = bbp_options.rate;
  if (!rate || rate > 1000000)
    rate = rate ? 1000000 : bbp_sampler_kernel_rate ();
  return (struct bbp_wish) {
    .sampler = *bbp_options.sampler ? bbp_options.sampler
               : more               ? "auto"
                                    : bbp_samplers[BBP_ITIMER]->name,
    .clock = bbp_options.wall ? BBP_CLOCK_WALL : BBP_CLOCK_CPU,
    .rate = rate,
    .kernel_rate = bbp_sampler_kernel_rate (),
  };
}

/* Starts the chosen sampler; also after a stop. */
static unsigned
start_chosen (void)
{
  bool adopted = bbp_signal_adopt (bbp_sampling.signal);
  signal_taken = !adopted && is_classic ();
  return adopted ? bbp_sampling.sampler->start (bbp_sampling.clock, bbp_sampling.asked) : 0;
}

static struct bbp_choice
choose (const struct bbp_wish *wanted)
{
  struct bbp_choice choice = bbp_policy_start (wanted, bbp_samplers, prepare);
  bbp_sampling.clock = choice.clock;
  bbp_sampling.sampler = choice.sampler ? choice.sampler : bbp_samplers[BBP_ITIMER];
  signal_taken = !choice.sampler;
  return choice;
}

/* Chooses a sampler and starts it.  If the user asked for the process's timer and the program uses
   it, no other sampler replaces it. */
static void
choose_and_start (void)
{
  struct bbp_wish wanted = wish ();
  struct bbp_choice choice = { .sampler = bbp_samplers[BBP_ITIMER] };
  struct bbp_news news;
  bool classic = strcmp (wanted.sampler, bbp_samplers[BBP_ITIMER]->name) == 0
                 && wanted.clock == BBP_CLOCK_CPU;
  bbp_sampling.stacks = bbp_options.stacks;
  bbp_sampling.threads = !classic || bbp_options.record || bbp_options.stacks;
  bbp_sampling.asked = wanted.rate;
  if (classic)
    {
      bbp_sampling.sampler = bbp_samplers[BBP_ITIMER];
      choice.rate = start_chosen ();
    }
  else
    choice = choose (&wanted);
  bbp_sampling.rate = choice.rate;
  if ((!classic || choice.rate) && bbp_policy_news (&wanted, &choice, &news))
    bbp_message (news.subject, news.text);
}

/* Starts the ticks if they are wanted and the program does not use what they need. */
static void
start (void)
{
  ever_ran |= users > 0;
  if (!bbp_sampler_runs ())
    return;
  if (bbp_sampling.sampler)
    start_chosen ();
  else
    choose_and_start ();
  if (!bbp_sampler_runs ())
    return;
  if (bbp_altstack_small)
    bbp_signals_block_ticks ();
  bbp_sampled_start ();
}

static void
stop (void)
{
  bbp_sampled_stop ();
  bbp_sampling.sampler->stop ();
}

/* The handler stays in place when the ticks stop: one may still be on its way, and would end the
   program. */
void
bbp_sampler_run (bool run)
{
  bool ran = bbp_sampler_runs ();
  users += run ? 1 : -1;
  if (run && users == 1)
    start ();
  else if (ran && users == 0)
    stop ();
}

/* Ticks of the former sampler that are still on their way stand for nothing. */
bool
bbp_sampler_change (bool only, struct bbp_news *news)
{
  struct bbp_sampling before = bbp_sampling;
  struct bbp_wish wanted = wish ();
  bool was_taken = signal_taken, ran = bbp_sampler_runs ();
  wanted.only = only;
  if (ran)
    stop ();
  bbp_sampler_drop_tick ();
  ever_ran = true;
  bbp_sampling.former = NULL;
  struct bbp_choice choice = choose (&wanted);
  if (!bbp_policy_news (&wanted, &choice, news))
    *news = (struct bbp_news) { "", "" };
  if (!choice.sampler)
    {
      bbp_sampling = before;
      signal_taken = was_taken;
      if (ran)
        start ();
      return false;
    }
  for (int i = 0; before.sampler && i < BBP_SAMPLERS; i++)
    if (bbp_samplers[i] == before.sampler || bbp_samplers[i] == before.former)
      __atomic_store_n (&ended[i], before.signal, __ATOMIC_RELAXED);
  bbp_sampling.stacks = bbp_options.stacks;
  bbp_sampling.threads = bbp_sampling.late = true;
  bbp_sampling.asked = wanted.rate;
  bbp_sampling.rate = choice.rate;
  choice.sampler->stop ();
  if (users > 0)
    start ();
  return true;
}

/* A tick that is pending, in a thread that blocks it, would reach the signal's next user, for
   example the program after exec.  A pending signal that is no tick is put back. */
void
bbp_sampler_drop_tick (void)
{
  bbp_sigset old = bbp_signals_block (), wanted = 1UL << (bbp_sampling.signal - 1);
  siginfo_t info, other;
  bool found = false;
  while (bbp_sys_take_pending (&wanted, &info) == bbp_sampling.signal && !found)
    if (ticks_of (&info) == BBP_NO_TICK)
      {
        found = true;
        other = info;
      }
  if (found)
    bbp_sigmask_requeue (&other);
  bbp_signals_restore (old);
}

/* WORD is a reason against ticks: when it is set, no tick comes or is pending.  Lock. */
static void
prevent (bool *word, bool value)
{
  if (value && bbp_sampler_runs ())
    {
      stop ();
      bbp_sampler_drop_tick ();
    }
  if (value != *word)
    {
      *word = value;
      start ();
    }
  bbp_samples_set_clocks ();
}

void
bbp_sampler_take_signal (bool taken)
{
  bbp_sigset old = bbp_lock ();
  if (is_classic ())
    prevent (&signal_taken, taken);
  bbp_unlock (old);
}

void
bbp_sampler_forbid (bool forbid)
{
  bbp_sigset old = bbp_lock ();
  prevent (&forbidden, forbid);
  bbp_unlock (old);
}

/* The program gives up the system calls of POSIX timers: the process's sampler continues without
   them. */
void
bbp_sampler_confine (void)
{
  bbp_sigset old = bbp_lock ();
  bool ran = is_classic () && bbp_sampler_runs ();
  if (ran)
    bbp_sampling.sampler->stop ();
  bbp_samplers[BBP_ITIMER]->confine ();
  if (ran)
    start_chosen ();
  bbp_unlock (old);
}

/* The program takes the profiling timer for itself, or gives it back.  Returns whether it had
   the timer before. */
bool
bbp_sampler_take_timer (bool taken)
{
  bbp_sigset old = bbp_lock ();
  bool before = timer_taken;
  if (!is_classic ())
    {
      timer_taken = taken;
      if (taken) /* its signals are not late ones of the library's */
        __atomic_store_n (&ended[BBP_ITIMER], 0, __ATOMIC_RELAXED);
    }
  else if (taken != before)
    {
      bool ran = bbp_sampler_runs ();
      prevent (&timer_taken, taken);
      if (ran && taken)
        bbp_signal_adopt (SIGPROF);
    }
  bbp_unlock (old);
  return before;
}

/* True if the profiling timer, as the kernel has it, is the library's. */
bool
bbp_sampler_has_timer (void)
{
  return is_classic () && bbp_sampler_runs ();
}

/* While the lock is held for long, with all signals blocked, its holder gets no ticks.  Nests;
   true: it was not paused before. */
bool
bbp_sampler_pause (bool pause)
{
  static bool ran;
  if (pause ? pauses++ : --pauses)
    return false;
  if (pause)
    ran = bbp_sampler_runs ();
  if (ran && bbp_sampler_runs () && bbp_sampling.sampler->pause)
    bbp_sampling.sampler->pause (pause);
  return true;
}

bool
bbp_sampler_is_paused (void)
{
  return pauses > 0;
}

/* In a forked child, which does not inherit any timer. */
void
bbp_sampler_forked (void)
{
  pauses = 0;
  timer_taken = false;
  if (bbp_sampling.sampler && bbp_sampling.sampler->forked)
    bbp_sampling.sampler->forked ();
  bbp_sampled_forked ();
  start ();
}
