/* SPDX-License-Identifier: MIT */
/* fork: the child counts from zero, into a file of its own.  Context: cold. */
#include <sys/single_threaded.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/count/count.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/sample_queue.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/trace/trace.h"

extern int __register_atfork (void (*) (void), void (*) (void), void (*) (void), void *);

/* The lock is not held during fork: other fork handlers, and libc, wait for locks with holders that
   may be waiting for this one in a hook.  It is not needed: the lists that the child uses are
   changed by single stores, and a change that another thread had not finished concerned only that
   thread.  Signals are blocked until the child is set up.  Writer: the thread that forks. */
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

/* True if the child is not profiled: its program is profiled only by bbprof record, and children
   are not requested.  Otherwise shells would leave a file for each command.  If the child registers
   units later, it counts but writes nothing. */
static bool
is_unprofiled (void)
{
  return bbp_options.record && !bbp_options.children && !bbp_is_instrumented;
}

static void
stop_profiling (void)
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
  bbp_pause_reset ();
  bbp_threads_forked ();
  bbp_run_begin ();
  bbp_rings_forked ();
  bbp_observed_forked ();
  bbp_mappings_forked ();
  if (is_unprofiled ())
    stop_profiling ();
  else
    {
      bbp_live_forked ();
      bbp_raw_forked ();
      if (bbp_count_from_zero ())
        bbp_sampler_forked ();
    }
  bbp_stream_pause (false);
  bbp_trace_forked ();
  bbp_signals_restore (fork_mask);
  bbp_sandbox_forked (is_unprofiled ());
}

void
bbp_fork_start (void)
{
  /* Not pthread_atfork: it registers the handlers for the executable, and libc removes those when
     the executable's destructors run.  A thread that forks at that moment would take the lock and
     never release it (glibc 2.36). */
  __register_atfork (before_fork, after_fork_in_parent, after_fork_in_child, NULL);
}
