/* SPDX-License-Identifier: MIT */
/* Start, stop and end of profiling, and in which order the rooms start.  Context: cold.

   The first of these starts: the start-up file of gcc -pg (__monstartup), a unit's constructor
   (__bb_init_func), bbprof record's preloaded library, a call of bbprof_sampling_start.  Counting
   needs no start: what ran before is counted as well.

   At exit the dump comes twice: by _mcleanup, which the start-up file registered, and as the last
   destructor, for what ran in between; the second does nothing if nothing ran. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/historic/zone.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/sample_queue.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/unwind/unwind.h"
#include "runtime/writer/writer.h"

BBP_PUBLIC_WEAK void __monstartup (unsigned long low, unsigned long high);
BBP_PUBLIC_WEAK void monstartup (unsigned long low, unsigned long high);

extern int __cxa_atexit (void (*) (void *), void *, void *);

bool bbp_is_instrumented;

/* True if the library stays inactive: under an emulator, in a program without instrumented code.
   An emulator lacks instructions and system calls that sampling needs, and the time would be that
   of the emulator. */
static bool
stays_inactive (void)
{
  return bbp_options.record && !bbp_is_instrumented && bbp_arch_is_emulated ();
}

/* Start what all rooms need.  Takes no lock that may be held by a thread that registers a unit
   inside dlopen. */
static void
start_rooms (void)
{
  bbp_process_start ();
  bbp_clock_start ();
  bbp_gs_base_start ();
  bbp_objects_start ();
  bbp_objects_refresh (false);
  bbp_run_begin ();
  bbp_message_start ();
  bbp_options_read ();
  if (bbp_arch_is_emulated ())
    bbp_options_forgo_samples ();
  bbp_environment_hide ();
  if (bbp_options.record && !bbp_options.children)
    bbp.replaced = bbp_options.process == (unsigned) bbp.pid ? bbp_options.image : 0;
  bbp_writer_find ();
  bbp_path_start ();
  if (bbp_options.historic)
    bbp_zone_start ();
  bbp_rights_start ();
  if (bbp_options.stacks)
    bbp_unwind_start ();
  bbp_sigset old = bbp_lock ();
  if (!stays_inactive ())
    bbp_live_start ();
  bbp_unlock (old);
}

/* The thread in start_rooms; 0: none. */
static int starting_thread;

/* True if this thread is in start_rooms: the program has a dl_iterate_phdr of its own, whose code
   registers its unit. */
static bool
is_starting (void)
{
  return __atomic_load_n (&starting_thread, __ATOMIC_RELAXED) == bbp_sys_gettid ();
}

/* The set-up of the process, once.  Without the lock, because libc takes locks of its own in here.
   A second thread waits only for the first part: if it is inside dlopen, the second part waits for
   it.  False: it is done elsewhere, or nothing is to start. */
static bool
set_up (void)
{
  static unsigned begun; /* a word: compilers call libatomic for less on some processors */
  static int rooms_started;
  if (bbp_is_second_copy ())
    return false;
  if (__atomic_exchange_n (&begun, 1, __ATOMIC_SEQ_CST))
    {
      while (!__atomic_load_n (&rooms_started, __ATOMIC_ACQUIRE))
        bbp_sys_futex (&rooms_started, FUTEX_WAIT_PRIVATE, 0);
      return false;
    }
  bbp_sigset old = bbp_signals_block (); /* a handler of this thread's would wait for ever */
  __atomic_store_n (&starting_thread, bbp_sys_gettid (), __ATOMIC_RELAXED);
  start_rooms ();
  __atomic_store_n (&starting_thread, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&rooms_started, 1, __ATOMIC_RELEASE);
  bbp_sys_futex (&rooms_started, FUTEX_WAKE_PRIVATE, INT_MAX);
  bbp_signals_restore (old);
  if (stays_inactive ())
    {
      bbp_process_disown ();
      return false;
    }
  bbp_exit_start ();
  bbp_sigaction_start ();
  bbp_unload_start ();
  bbp_fork_start ();
  return true;
}

/* Stop or start calls, blocks and samples.  Ticks start first and stop last, because their handler
   pauses the threads. */
void
bbp_stop_locked (bool stop)
{
  if (!stop)
    bbp_samples_enable (true);
  if (stop != bbp.stopped)
    {
      bbp_pause_begin ();
      while (bbp_pause_more ()) /* a sleeping thread may wake up while the others arrive */
        continue;
      bbp_threads_stop (stop);
      bbp_totals_stop (stop);
      bbp_live_save ();
      bbp_pause_end ();
    }
  if (stop)
    bbp_samples_enable (false);
}

/* The library's own code, in a section that Makefile.am makes. */
extern const char __start_bbprof_text[], __stop_bbprof_text[];

/* Profile the addresses from LOW to HIGH, from zero.  Lock held. */
static void
start_locked (uintptr_t low, uintptr_t high)
{
  if (bbp.stopped_before && !bbp_count_from_zero ())
    return;
  bbp.low = low & -(uintptr_t) 4;
  bbp.high = (high + 3) & -(uintptr_t) 4;
  bbp.own_low = (uintptr_t) __start_bbprof_text;
  bbp.own_high = (uintptr_t) __stop_bbprof_text;
  bbp.started = true;
  if (!bbp_samples_make ())
    bbp_message ("time is not sampled", strerrordesc_np (ENOMEM));
  bbp_live_save ();
  bbp_rings_start ();
  bbp_raw_start ();
  bbp_stop_locked (!bbp_options.start && !bbp.stopped_before);
  if (!bbp.stopped_before)
    {
      bbp_dump_since_now ();
      bbp_checkpoint_run (true);
    }
}

/* Profile the executable's code, and with it all objects. */
static void
start_by_executable (void)
{
  if (!set_up ())
    return;
  const struct bbp_object *executable = bbp_object_executable ();
  bbp_sigset old = bbp_lock ();
  if (!bbp.started)
    start_locked (executable->text_start + executable->bias,
                  executable->text_end + executable->bias);
  bbp_unlock (old);
  bbp_sampled_begin_self ();
}

/* The first unit registers; this is the start, unless a start-up file came before. */
bool
bbp_start_by_unit (void)
{
  bbp_is_instrumented = true;
  if (is_starting ())
    return false;
  start_by_executable ();
  return true;
}

void
bbp_start_by_call (void)
{
  start_by_executable ();
}

/* The range that the start-up file asked for before libc was initialised, and whether that has
   happened. */
static struct {
  uintptr_t low, high;
  bool over;
} early;

/* As in glibc: ignored while running.  If the program exports the symbols of its start-up file,
   that code is called by each library that is initialised; also by one that is initialised before
   libc, when there is no environment yet. */
void
__monstartup (unsigned long low, unsigned long high)
{
  if (!environ && !early.over)
    {
      early.low = low;
      early.high = high;
      return;
    }
  bbp_is_instrumented = true;
  set_up ();
  bbp_sigset old = bbp_lock ();
  if (!bbp.started && low < high && !bbp_is_second_copy ())
    start_locked (low, high);
  bbp_unlock (old);
}

void
monstartup (unsigned long low, unsigned long high)
{
  __monstartup (low, high);
}

void
bbp_stop (bool stop)
{
  bbp_sigset old = bbp_lock ();
  if (bbp.started)
    bbp_stop_locked (stop);
  bbp_unlock (old);
}

static void
note_exit (void *unused)
{
  (void) unused;
  if (bbp_own_process ()) /* not in a child of vfork that calls exit, although it must not */
    bbp.exiting = true;
}

/* Exit handlers run in reverse order: this one, registered after the start-up file's, runs before
   _mcleanup. */
static void __attribute__ ((constructor)) watch_for_exit (void)
{
  if (bbp_is_second_copy ())
    return;
  __cxa_atexit (note_exit, NULL, NULL);
  early.over = true;
  if (early.low < early.high)
    __monstartup (early.low, early.high);
  const char *options = secure_getenv ("BBPROF_OPTIONS");
  if (bbp_record_is_preloaded () || (options && bbp_options_of_record (options)))
    start_by_executable ();
  /* Nothing else may start the library, so report mistakes in the options now, and answer
     help=1. */
  else if (options)
    {
      bbp_message_start ();
      bbp_options_read ();
    }
}

/* The last of the executable's destructors, after exit handlers and C++ destructors. */
static void __attribute__ ((destructor (101))) dump_at_last (void)
{
  if (bbp_is_second_copy ())
    return;
  if (!bbp_own_process ())
    {
      bbp_dump ();
      return;
    }
  bbp_objects_refresh (false);
  bbp_dump_at_end (false);
  bbp_sigset old = bbp_lock ();
  bbp_samples_enable (false);
  bbp_checkpoint_run (false);
  bbp_unlock (old);
  bbp_sandbox_end ();
}
