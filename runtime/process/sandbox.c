/* SPDX-License-Identifier: MIT */
/* Programs that restrict their system calls (seccomp).  A forbidden system call may end the
   program.  So after that sys.h makes only those that the filter certainly allows, and returns
   EPERM for the others.  If the profile could not be written any more, it is written before, and
   profiling ends: timer and signal handlers are removed, too.

   A filter binds the thread that installs it and the threads that it creates later.  The library
   does not know which those are, so it assumes all.

   A filter installed by a bare system-call instruction is not seen.  But a program without
   privileges must set PR_SET_NO_NEW_PRIVS before.  If the library sees that, such a filter is
   *expected*.  From then on a witness outside the process is asked before each system call
   (witness.c), and handlers make none.  Counts are made in a live file, from which the profile can
   be recovered if a filter is found at the end.  Context: cold; what sys.h calls, any. */
#include <linux/filter.h>

#include "runtime/base/allowed_calls.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/live/live.h"
#include "runtime/objects/objects.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/writer/witness.h"

static bool made_live; /* a live file was made for the witness; lock */
/* expecting a filter was interrupted by exec or exit; writer: the thread that calls it */
static bool interrupted;

/* True if a filter binds the calling thread. */
static bool
filter_binds_thread (void)
{
  return bbp_witness_sees_filter (bbp_sampled && bbp_sampled->tid ? bbp_sampled->tid : bbp.pid);
}

static void
expect (bool value)
{
  bbp_allowed_expect (value ? filter_binds_thread : NULL);
}

void
bbp_sandbox_expect (void)
{
  if (bbp_sandboxed || !bbp_own_process ())
    return;
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  if (bbp.started && !bbp.finished && bbp_witness_start ())
    {
      made_live = !bbp_options.live;
      bbp_options.live = true;
      if (made_live)
        bbp_live_start ();
      expect (true);
    }
  bbp_unlock (old);
}

/* Stop expecting a filter.  False: one has been found. */
static bool
end_expecting (void)
{
  if (!bbp_allowed_is_expecting () || !bbp_own_process ())
    return !bbp_avoid_syscalls;
  bbp_sigset old = bbp_lock ();
  bbp_witness_end ();
  expect (false);
  bbp_unlock (old);
  return true;
}

void
bbp_sandbox_end (void)
{
  interrupted = bbp_allowed_is_expecting ();
  end_expecting ();
}

void
bbp_sandbox_resume (void)
{
  if (interrupted)
    bbp_sandbox_expect ();
}

/* Until here the child's thread asks the parent's witness. */
void
bbp_sandbox_forked (bool unprofiled)
{
  if (!bbp_allowed_is_expecting ())
    return;
  bbp_sandbox_keep_answer (true);
  bbp_witness_leave ();
  if (unprofiled || !bbp_witness_start ())
    bbp_allowed_end_expecting ();
  bbp_sandbox_keep_answer (false);
}

/* True if all BYTES from START are readable: the kernel reads a signal mask before it rejects
   HOW. */
static bool
is_readable (const void *start, size_t bytes)
{
  uintptr_t last = (uintptr_t) start + bytes - sizeof (bbp_sigset);
  for (uintptr_t at = (uintptr_t) start; at < last; at += 4096)
    if (bbp_sys_sigmask (-1, (const bbp_sigset *) at, NULL) != -EINVAL)
      return false;
  return bbp_sys_sigmask (-1, (const bbp_sigset *) last, NULL) == -EINVAL;
}

/* True if the kernel will accept FILTER, as far as can be predicted. */
static bool
is_acceptable (const struct sock_fprog *filter)
{
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  bool may = bbp_sys_no_new_privileges () == 1
             || (bbp_sys_capget (rights) == 0 && (rights[0].effective >> CAP_SYS_ADMIN & 1));
  return may && is_readable (filter, sizeof *filter) && filter->len > 0
         && filter->len <= BPF_MAXINSNS
         && is_readable (filter->filter, filter->len * sizeof *filter->filter)
         && bbp_filter_is_closed (filter->filter, filter->len);
}

/* CALLS: the calls allowed now that FILTER allows, too; none if there is no memory to evaluate
   it. */
static void
find_allowed (const struct sock_fprog *filter, struct bbp_calls *calls)
{
  size_t bytes = bbp_filter_room (filter->len);
  struct bbp_filter_state *room = bbp_pages_map (bytes);
  for (long number = 0; room && number < BBP_CALL_NUMBERS; number++)
    if (BBP_IS_ALLOWED (number) && bbp_filter_allows (filter->filter, filter->len, number, room))
      bbp_calls_add (calls, number);
  bbp_pages_unmap (room, bytes);
}

/* The strict mode allows nothing else. */
static void
find_allowed_strictly (struct bbp_calls *calls)
{
  bbp_calls_add (calls, SYS_read);
  bbp_calls_add (calls, SYS_write);
  bbp_calls_add (calls, SYS_rt_sigreturn);
}

/* True if the system calls remain that are needed to write a profile and to handle signals. */
static bool
is_enough (const struct bbp_calls *calls)
{
  static const short needed[] = { SYS_getpid,       SYS_gettid, SYS_rt_sigprocmask,
                                  SYS_rt_sigaction, SYS_tgkill, SYS_rt_sigreturn,
                                  SYS_setitimer,    SYS_mmap,   SYS_openat,
                                  SYS_write,        SYS_close,  SYS_renameat2 };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!bbp_calls_have (calls, needed[i]))
      return false;
  return true;
}

/* A copy of the process, which has no profile of its own, only restores the signal handlers. */
static void
end_profile (void)
{
  bool own = bbp_own_process ();
  if (own)
    bbp_dump ();
  bbp_sampler_forbid (true);
  bbp_sigaction_stop ();
  bbp_sigset old = bbp_lock ();
  if (own)
    bbp_message_once (
        "gmon.out",
        "profiling ends here: the program's seccomp filter forbids system calls that it needs");
  bbp.started = false;
  bbp_unlock (old);
}

/* The kernel has rejected the filter after all. */
static void
resume_profile (void)
{
  bbp.started = true;
  bbp_sampler_forbid (false);
  bbp_sigaction_start ();
}

/* Stops the witness: a call that the library intercepts now installs the expected filter.  In a
   copy of the process the witness belongs to the parent. */
static void
stop_expecting (void)
{
  bool own = bbp_own_process ();
  if (!own && bbp_own_memory () && bbp_allowed_is_expecting ())
    {
      bbp_witness_leave ();
      expect (false);
    }
  if (!own || !end_expecting ())
    return;
  bbp_sigset old = bbp_lock ();
  if (made_live)
    {
      bbp_live_remove ();
      bbp_options.live = made_live = false;
    }
  bbp_unlock (old);
}

static long
enter (const struct sock_fprog *filter, long number, long a, long b, long c)
{
  struct bbp_calls calls = { { 0 } }, before = bbp_allowed_calls ();
  bool sandboxed = bbp_sandboxed, ending = false;
  if (bbp_own_memory () && (!filter || is_acceptable (filter)))
    {
      if (filter)
        find_allowed (filter, &calls);
      else
        find_allowed_strictly (&calls);
      ending = bbp.started && !is_enough (&calls);
      if (ending)
        end_profile ();
      else if (!bbp_calls_have (&calls, SYS_timer_settime)
               || !bbp_calls_have (&calls, SYS_timer_delete))
        bbp_sampler_confine ();
      bbp_allowed_set (true, &calls);
    }
  long result = bbp_arch_syscall (number, a, b, c, 0, 0, 0);
  if (result >= 0)
    return result;
  bbp_allowed_set (sandboxed, &before);
  if (ending)
    resume_profile ();
  return result;
}

/* Make the program's system call that installs FILTER, or the strict mode if that is null. */
long
bbp_sandbox_enter (const struct sock_fprog *filter, long number, long a, long b, long c)
{
  bool expected = bbp_allowed_is_expecting ();
  if (expected)
    stop_expecting ();
  long result = bbp_avoid_syscalls ? bbp_arch_syscall (number, a, b, c, 0, 0, 0)
                                   : enter (filter, number, a, b, c);
  if (expected && result < 0)
    bbp_sandbox_expect ();
  return result;
}
