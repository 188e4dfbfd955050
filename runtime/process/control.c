/* SPDX-License-Identifier: MIT */
/* Start, stop, dump: the names that start-up files and programs call, and in which order things
   happen.  Context: cold.

   Start is the first of: the start-up file of gcc -pg (__monstartup), a unit's constructor
   (__bb_init_func).  Counting needs none: what is called before is counted as well. The dump is
   one operation, under the lock.  At exit it comes twice, by _mcleanup, which the start-up file
   registered, and as the last destructor, for what ran in between; the second does nothing if
   nothing did. */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/historic/historic.h"
#include "runtime/historic/zone.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/observed.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/select/select.h"
#include "runtime/signals/signals.h"
#include "runtime/trace/trace.h"
#include "runtime/unwind/unwind.h"
#include "runtime/writer/writer.h"

BBP_PUBLIC_WEAK void __monstartup (unsigned long low, unsigned long high);
BBP_PUBLIC_WEAK void monstartup (unsigned long low, unsigned long high);
BBP_PUBLIC void __moncontrol (int on);
BBP_PUBLIC_WEAK void moncontrol (int on);
BBP_PUBLIC_WEAK void _mcleanup (void);
BBP_PUBLIC void __write_profiling (void);
BBP_PUBLIC_WEAK void write_profiling (void);
BBP_PUBLIC void __mcount_internal (unsigned long from, unsigned long self);
BBP_PUBLIC_WEAK void __bb_exit_func (void);
BBP_PUBLIC_WEAK void __bb_fork_func (void);

/* What libc's own library calls its state; nobody but libc looks into it.  Defined so that a
   static link finds it here and does not bring in libc's second set of all these functions. */
BBP_PUBLIC_WEAK long _gmonparam[16];

extern int __cxa_atexit (void (*) (void *), void *, void *);
extern int __register_atfork (void (*) (void), void (*) (void), void (*) (void), void *);

/* Too large for the stacks that the dump may be called on.  Lock. */
static char path[BBP_PATH_SIZE];

/* Like glibc, fall back on the plain name if the prefix's file cannot be made. */
static int
write_files (const struct bbp_profile *profile)
{
  if (bbp_path_prefixed (path, sizeof path) && bbp_write (path, profile) == 0)
    return 0;
  return bbp_path_plain (path, sizeof path) ? bbp_write (path, profile) : -ENAMETOOLONG;
}

/* At exit the dump comes more than once: what comes later replaces what came first. */
static void
number_dump (void)
{
  static bool last;
  if (!last)
    bbp.dumps++;
  last = bbp.exiting;
}

/* Of the dump that wrote gmon.out last, unless that has been done. */
static void
write_historic_files (const struct bbp_profile *profile, bool written)
{
  static bool due;
  due |= written && bbp_options.historic;
  if (due && !bbp.provisional)
    {
      due = false;
      bbp_historic_write (profile);
    }
}

/* Programs that do next to nothing, such as those that configure runs, leave no profile unless
   they ask for it (min-cpu). */
static bool
is_too_short (void)
{
  return bbp_sys_nanoseconds (CLOCK_PROCESS_CPUTIME_ID) < bbp_options.min_cpu * 1000000UL;
}

static int
merge_and_write (bool always)
{
  struct bbp_profile profile;
  int error = bbp_merge (&profile);
  if (error)
    {
      bbp.lost_dumps++;
      bbp_complain ("gmon.out not written", strerrordesc_np (-error));
      return error;
    }
  bool wanted = always || profile.sum != bbp.written || !bbp.written;
  if (wanted)
    {
      number_dump ();
      error = write_files (&profile);
      bbp.saved = !error;
      bbp_live_name_profile ();
      if (error)
        {
          bbp.lost_dumps++;
          bbp_complain (path, strerrordesc_np (-error));
        }
      else
        bbp_losses_say (path);
      bbp.written = profile.sum;
    }
  write_historic_files (&profile, wanted);
  bbp_merge_free (&profile);
  return error;
}

static bool ending; /* what comes next is the end of the trace; lock */

/* Write all that has been counted. */
int
bbp_dump_locked (bool always)
{
  if (!bbp.started || bbp.finished)
    return -EINVAL;
  bbp_samples_pause (true);
  bbp_jump_settle ();
  int error = always || !is_too_short () ? merge_and_write (always) : 0;
  bbp_raw_write ();
  bbp_samples_pause (false);
  if (!bbp.exiting && !ending)
    bbp_trace_dump ();
  return error;
}

static void
dump (void *unused)
{
  (void) unused;
  bbp_dump_locked (false);
}

/* What other processes write down ends, and what is left is said. */
static void
finish (void *unused)
{
  (void) unused;
  bbp_trace_end (false);
  bbp_rings_end ();
  bbp_raw_end ();
  bbp_choose_complain ();
}

void
bbp_dump_in_handler (void)
{
  bbp_on_handler_stack (dump, NULL);
}

/* Nobody may begin another one, because the end of the process would cut it off. */
void
bbp_dump_at_end (bool in_handler)
{
  bbp_sigset old = bbp_lock ();
  ending = true;
  bbp_trace_end_with_totals ();
  bbp_rings_close ();
  if (in_handler)
    {
      bbp_dump_in_handler ();
      bbp_on_handler_stack (finish, NULL);
    }
  else
    {
      bbp_dump_locked (false);
      finish (NULL);
    }
  ending = false;
  bbp.finished = true;
  if (bbp.saved || is_too_short ())
    bbp_live_remove ();
  bbp_unlock (old);
}

void
bbp_dump (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  bbp_dump_locked (false);
  bbp_unlock (old);
}

const char *
bbp_dump_name (void)
{
  return path;
}

static void
set_since (void)
{
  bbp.since = bbp_sys_nanoseconds (CLOCK_REALTIME) / 1000000000;
}

int
bbp_reset_locked (void)
{
  set_since ();
  bbp_raw_reset ();
  return bbp_merge_reset ();
}

/* Count from zero.  Where there is no memory to remember what was counted before, there is no
   profile from here on: it would hold that as well. */
static bool
count_from_zero (void)
{
  int error = bbp_reset_locked ();
  if (error)
    {
      bbp_complain ("gmon.out not written", strerrordesc_np (-error));
      bbp.started = false;
      bbp.stopped_before = true;
    }
  return !error;
}

/* fork.  The lock is not held meanwhile: other handlers of fork, and libc, wait for locks of
   their own, whose holders may be waiting for ours in a hook.  It need not be: the lists that
   the child goes by are changed by single stores, and what another thread was about to do with
   them, it was going to do for itself.  Signals wait until the child has put its house in order.
   Writer: the thread that forks. */
static __thread bbp_sigset fork_mask __attribute__ ((tls_model ("initial-exec")));

static void
before_fork (void)
{
  bbp_objects_refresh (false); /* the child may not be able to */
  fork_mask = bbp_signals_block ();
  bbp_stream_pause (true);
}

static void
after_fork_in_parent (void)
{
  bbp_stream_pause (false);
  bbp_signals_restore (fork_mask);
}

/* Something in the program counts, or would: it is not just sampled from outside.  Writer:
   whoever starts. */
static bool instrumented;

/* A child of a program that nothing but bbprof record makes a profile of, unless those of
   children are wanted: shells would leave a file for each.  If it registers units later it
   counts all the same, and writes nothing. */
static bool
is_let_go (void)
{
  return bbp_options.record && !bbp_options.children && !instrumented;
}

static void
let_go (void)
{
  bbp_options.live = bbp_options.times = false;
  bbp_raw_queue = NULL;
  bbp_sampler_forbid (true);
  bbp_live_forked ();
  bbp.finished = true;
}

/* The child counts from zero, into a file of its own. */
static void
after_fork_in_child (void)
{
  bbp_lock_reset ();
  bbp.forked = true;
  bbp.finished = false;
  bbp.dumps = 0;
  bbp_process_start ();
  bbp.loader_in_doubt = !__libc_single_threaded;
  bbp_hold_reset ();
  bbp_threads_forked ();
  bbp_run_begin ();
  bbp_rings_forked ();
  bbp_observed_forked ();
  bbp_mappings_forked ();
  if (is_let_go ())
    let_go ();
  else
    {
      bbp_live_forked ();
      bbp_raw_forked ();
      if (count_from_zero ())
        bbp_sampler_forked ();
    }
  bbp_stream_pause (false);
  bbp_trace_forked ();
  bbp_signals_restore (fork_mask);
  bbp_sandbox_forked (is_let_go ());
}

/* An emulator lacks instructions and system calls that sampling needs, and what a program's time
   is spent on is the emulator's work.  A program that was not compiled to count has no other
   profile, and runs as if the library were not there. */
static bool
keeps_still (void)
{
  return bbp_options.record && !instrumented && bbp_arch_is_emulated ();
}

/* What all others need to be there.  It takes no lock that a thread may hold that registers a
   unit inside of dlopen. */
static void
find_out (void)
{
  bbp_process_start ();
  bbp_clock_start ();
  bbp_base_start ();
  bbp_objects_start ();
  bbp_objects_refresh (false);
  bbp_run_begin ();
  bbp_message_start ();
  bbp_options_read ();
  if (bbp_arch_is_emulated ())
    bbp_options_forgo_samples ();
  bbp_environment_leave ();
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
  if (!keeps_still ())
    bbp_live_start ();
  bbp_unlock (old);
}

/* What is done once in the life of the process.  Outside of the lock, because libc takes locks
   of its own in here.  A second thread that comes meanwhile waits for the first part only: if it
   is inside of dlopen, the second part waits for it.  False: another thread does it, and starts;
   or nothing is to start. */
static bool
set_up (void)
{
  static bool begun;
  static int found_out;
  if (bbp_is_second_copy ())
    return false;
  if (__atomic_exchange_n (&begun, true, __ATOMIC_SEQ_CST))
    {
      while (!__atomic_load_n (&found_out, __ATOMIC_ACQUIRE))
        bbp_sys_futex (&found_out, FUTEX_WAIT_PRIVATE, 0);
      return false;
    }
  bbp_sigset old = bbp_signals_block (); /* a handler of this thread's would wait for ever */
  find_out ();
  __atomic_store_n (&found_out, 1, __ATOMIC_RELEASE);
  bbp_sys_futex (&found_out, FUTEX_WAKE_PRIVATE, INT_MAX);
  bbp_signals_restore (old);
  if (keeps_still ())
    {
      bbp_process_disown ();
      return false;
    }
  bbp_exit_start ();
  bbp_sigaction_start ();
  bbp_unload_start ();
  /* Not pthread_atfork: that makes the handlers the executable's, and libc forgets those when
     its destructors run.  A thread that forks just then would take the lock and never give it
     back (glibc 2.36). */
  __register_atfork (before_fork, after_fork_in_parent, after_fork_in_child, NULL);
  return true;
}

/* Calls, blocks and samples.  Ticks come first and go last, because threads are held by their
   handler. */
void
bbp_stop_locked (bool stop)
{
  if (!stop)
    bbp_samples_enable (true);
  if (stop != bbp.stopped)
    {
      bbp_hold ();
      while (bbp_hold_more ()) /* who sleeps may wake while the others come */
        continue;
      bbp_threads_stop (stop);
      bbp_totals_stop (stop);
      bbp_live_save ();
      bbp_release ();
    }
  if (stop)
    bbp_samples_enable (false);
}

/* The library's own code; Makefile.am makes the section. */
extern const char __start_bbprof_text[], __stop_bbprof_text[];

/* Profile the addresses from LOW to HIGH, from zero.  Lock held. */
static void
start_locked (uintptr_t low, uintptr_t high)
{
  if (bbp.stopped_before && !count_from_zero ())
    return;
  bbp.low = low & -(uintptr_t) 4;
  bbp.high = (high + 3) & -(uintptr_t) 4;
  bbp.own_low = (uintptr_t) __start_bbprof_text;
  bbp.own_high = (uintptr_t) __stop_bbprof_text;
  bbp.started = true;
  if (!bbp_samples_make ())
    bbp_message ("no samples of time", strerrordesc_np (ENOMEM));
  bbp_live_save ();
  bbp_rings_start ();
  bbp_raw_start ();
  bbp_stop_locked (!bbp_options.start && !bbp.stopped_before);
  if (!bbp.stopped_before)
    {
      set_since ();
      bbp_checkpoint_run (true);
    }
}

/* The executable's code is what is profiled first of all. */
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

/* The first unit of the program is there; unless there was a start-up file, which came before,
   this is the start. */
void
bbp_start_by_unit (void)
{
  instrumented = true;
  start_by_executable ();
}

void
bbp_start_by_call (void)
{
  start_by_executable ();
}

/* What the start-up file wanted before libc was there, and whether that time is over. */
static struct {
  uintptr_t low, high;
  bool over;
} early;

/* As in glibc: ignored while running.  The start-up file's code is called by each library that
   is initialised, if the program exports its symbols; also by one that comes before libc, when
   there is no environment yet. */
void
__monstartup (unsigned long low, unsigned long high)
{
  if (!environ && !early.over)
    {
      early.low = low;
      early.high = high;
      return;
    }
  instrumented = true;
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

/* As in glibc, but that the blocks, which glibc does not have, stop with the rest. */
void
__moncontrol (int on)
{
  bbp_stop (!on);
}

void
moncontrol (int on)
{
  __moncontrol (on);
}

/* Called by the program: write, and stop.  Called by exit: write, and go on, for there may be
   more to count.  In a preloaded library the constructor below comes before the start-up file,
   so note_exit comes too late; but there exit is libc's, not the executable's. */
void
_mcleanup (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  if (!bbp_object_holds (bbp_object_executable (), (uintptr_t) __builtin_return_address (0)))
    bbp.exiting = true;
  if (bbp.started)
    {
      bbp.provisional = bbp.exiting;
      bbp_dump_locked (false);
      bbp.provisional = false;
      if (!bbp.exiting)
        {
          bbp_stop_locked (true);
          bbp.started = false;
          bbp.stopped_before = true;
        }
    }
  bbp_unlock (old);
}

/* Write without stopping. */
void
__write_profiling (void)
{
  bbp_dump ();
}

void
write_profiling (void)
{
  bbp_dump ();
}

/* The names of GCC 2.95's run-time library, where exit handlers and the code in front of a fork
   called them. */
void
__bb_exit_func (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  bbp_dump_locked (true);
  bbp_unlock (old);
}

/* If the dump fails, the counts stay, and the next dump writes them. */
void
__bb_fork_func (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  if (bbp_dump_locked (true) == 0)
    bbp_reset_locked ();
  bbp_unlock (old);
}

/* What libc's assembler calls; here for the link's sake, and right if somebody calls it. */
void
__mcount_internal (unsigned long from, unsigned long self)
{
  bbp_arc_slow (from, self);
}

static void
note_exit (void *unused)
{
  (void) unused;
  if (bbp_own_process ()) /* not a child of vfork that calls exit, as it must not */
    bbp.exiting = true;
}

/* Exit handlers run in reverse: this one, registered after the start-up file's, runs before
   _mcleanup does. */
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
  /* Nothing else may come that reads them: what is wrong with them is said, and help=1 answered. */
  else if (options)
    {
      bbp_message_start ();
      bbp_options_read ();
    }
}

/* The last of the executable's destructors, after exit handlers and those of C++. */
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
