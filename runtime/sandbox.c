/* SPDX-License-Identifier: MIT */
/* Programs that give up system calls (seccomp).  One that was not foreseen may end the program, so from then on sys.h makes
   only those that the filter surely allows, and answers the others with EPERM.  If the profile could not be written any
   more, it is written before, and ends there: timer and signal handlers go too.

   A filter binds the thread that installs it and those that it makes; who those are is not known here, so it is taken
   to bind all.  Context: cold; what is asked by sys.h, any. */
#include <linux/filter.h>

#include "internal.h"
#include "sys.h"

#define NUMBERS 512

bool bbp_sandboxed;

struct bbp_calls {
  uint64_t word[NUMBERS / 64];
};
/* Those that are allowed once bbp_sandboxed is set.  Writer: lock. */
static struct bbp_calls allowed;

static bool
is_in (const struct bbp_calls *calls, long number)
{
  return number >= 0 && number < NUMBERS && (calls->word[number / 64] >> (number % 64) & 1);
}

static void
add (struct bbp_calls *calls, long number)
{
  calls->word[number / 64] |= 1UL << (number % 64);
}

bool
bbp_sandbox_allows (long number)
{
  return is_in (&allowed, number);
}

/* Whether all of BYTES from START on can be read: the kernel looks at a signal mask before it finds HOW wrong. */
static bool
is_readable (const void *start, size_t bytes)
{
  uintptr_t last = (uintptr_t) start + bytes - sizeof (bbp_sigset);
  for (uintptr_t at = (uintptr_t) start; at < last; at += 4096)
    if (bbp_sys_sigmask (-1, (const bbp_sigset *) at, NULL) != -EINVAL)
      return false;
  return bbp_sys_sigmask (-1, (const bbp_sigset *) last, NULL) == -EINVAL;
}

/* Whether the kernel will take FILTER, as far as can be told before it is asked. */
static bool
is_acceptable (const struct sock_fprog *filter)
{
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  bool may = bbp_sys_no_new_privileges () == 1
             || (bbp_sys_capget (rights) == 0 && (rights[0].effective >> CAP_SYS_ADMIN & 1));
  return may && is_readable (filter, sizeof *filter) && filter->len > 0 && filter->len <= BPF_MAXINSNS
         && is_readable (filter->filter, filter->len * sizeof *filter->filter)
         && bbp_filter_is_closed (filter->filter, filter->len);
}

/* Which of the calls that are allowed now are still allowed by FILTER; none if there is no memory to tell. */
static void
judge (const struct sock_fprog *filter, struct bbp_calls *calls)
{
  size_t bytes = bbp_filter_room (filter->len);
  struct bbp_filter_state *room = bbp_pages_map (bytes);
  for (long number = 0; room && number < NUMBERS; number++)
    if (BBP_IS_ALLOWED (number) && bbp_filter_allows (filter->filter, filter->len, number, room))
      add (calls, number);
  bbp_pages_unmap (room, bytes);
}

/* In the strict mode nothing else is left. */
static void
judge_strict_mode (struct bbp_calls *calls)
{
  add (calls, SYS_read);
  add (calls, SYS_write);
  add (calls, SYS_rt_sigreturn);
}

/* What no profile can be written without, nor a signal be handled. */
static bool
is_enough (const struct bbp_calls *calls)
{
  static const short needed[] = { SYS_getpid,  SYS_gettid,       SYS_rt_sigprocmask, SYS_rt_sigaction,
                                  SYS_tgkill,  SYS_rt_sigreturn, SYS_setitimer,      SYS_mmap,
                                  SYS_openat,  SYS_write,        SYS_close,          SYS_renameat2 };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!is_in (calls, needed[i]))
      return false;
  return true;
}

/* A thread that blocks signals at this very moment could stay so, if the filter forbids to change the mask; nothing can be
   done about that, because it may be bound by now. */
static void
switch_to (bool sandboxed, const struct bbp_calls *calls)
{
  allowed = *calls;
  __atomic_store_n (&bbp_sandboxed, sandboxed, __ATOMIC_RELEASE);
}

/* A copy of the process, which has no profile of its own, only puts the signals back. */
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
    bbp_complain ("gmon.out", "the profile ends here, for the program gives up system calls that it takes (seccomp)");
  bbp.started = false;
  bbp_unlock (old);
}

/* The kernel has refused after all. */
static void
resume_profile (void)
{
  bbp.started = true;
  bbp_sampler_forbid (false);
  bbp_sigaction_start ();
}

/* Make the system call by which the program asks for FILTER, or if that is null for the strict mode. */
long
bbp_sandbox_enter (const struct sock_fprog *filter, long number, long a, long b, long c)
{
  struct bbp_calls calls = { { 0 } }, before = allowed;
  bool sandboxed = bbp_sandboxed, ending = false;
  if (bbp_own_memory () && (!filter || is_acceptable (filter)))
    {
      if (filter)
        judge (filter, &calls);
      else
        judge_strict_mode (&calls);
      ending = bbp.started && !is_enough (&calls);
      if (ending)
        end_profile ();
      else if (!is_in (&calls, SYS_timer_settime) || !is_in (&calls, SYS_timer_delete))
        bbp_sampler_confine ();
      switch_to (true, &calls);
    }
  long result = bbp_arch_syscall (number, a, b, c, 0, 0, 0);
  if (result >= 0)
    return result;
  switch_to (sandboxed, &before);
  if (ending)
    resume_profile ();
  return result;
}
