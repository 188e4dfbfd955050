/* SPDX-License-Identifier: MIT */
/* fork: the child counts from zero, into a file of its own.  Context: cold. */
#include <sys/single_threaded.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/count/count.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/observed.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/trace/trace.h"

extern int __register_atfork (void (*) (void), void (*) (void), void (*) (void), void *);

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

/* A child of a program that nothing but bbprof record makes a profile of, unless those of
   children are wanted: shells would leave a file for each.  If it registers units later it
   counts all the same, and writes nothing. */
static bool
is_let_go (void)
{
  return bbp_options.record && !bbp_options.children && !bbp_is_instrumented;
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
  bbp_pause_reset ();
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
      if (bbp_count_from_zero ())
        bbp_sampler_forked ();
    }
  bbp_stream_pause (false);
  bbp_trace_forked ();
  bbp_signals_restore (fork_mask);
  bbp_sandbox_forked (is_let_go ());
}

void
bbp_fork_start (void)
{
  /* Not pthread_atfork: that makes the handlers the executable's, and libc forgets those when
     its destructors run.  A thread that forks just then would take the lock and never give it
     back (glibc 2.36). */
  __register_atfork (before_fork, after_fork_in_parent, after_fork_in_child, NULL);
}
