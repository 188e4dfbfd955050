/* SPDX-License-Identifier: MIT */
/* sigprocmask, pthread_sigmask and their relatives.  The kernel gives the tick of the process's
   timer to the thread that runs, unless that blocks SIGPROF: then to any other one, whose sleep
   it cuts short and in which the sample is taken, or to who waits for all signals.  A tick that
   is meant for one thread would wait there.  So while the sampler runs a thread that blocks its
   signal, mostly because it blocks all signals, is told so and has it open.  One that is no tick
   is put back in such a thread, and blocked in earnest.

   New threads inherit what is in earnest; programs that are started by exec are given what the
   program believes. Context: any, also a vfork child, which has its parent's words and leaves
   them alone. */
#include <dlfcn.h>
#include <errno.h>
#include <ucontext.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

/* Not there in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

static int (*next) (int, const sigset_t *, sigset_t *);

/* Signals of ticks that the program believes this thread to block. */
static __thread bbp_sigset believed __attribute__ ((tls_model ("initial-exec")));

static bbp_sigset
ticks (void)
{
  return 1UL << (bbp_sampling.signal - 1);
}

static const bbp_sigset libcs_own = 3UL << (32 - 1); /* 32, 33: not to be blocked */

static void __attribute__ ((constructor (101))) find_next (void)
{
  if (dlsym)
    next = dlsym (RTLD_NEXT, "pthread_sigmask");
}

/* As pthread_sigmask: 0 or the number of an error. */
static int
pass (int how, const sigset_t *set, sigset_t *old)
{
  if (next)
    return next (how, set, old);
  bbp_sigset open = set ? *(const bbp_sigset *) set & ~(how == SIG_UNBLOCK ? 0 : libcs_own) : 0;
  return (int) -bbp_arch_syscall (SYS_rt_sigprocmask, how, (long) (set ? &open : NULL), (long) old,
                                  sizeof open, 0, 0);
}

/* Ticks come by another signal than before: what is believed of the former one is so in earnest. */
static void
settle_former (void)
{
  bbp_sigset former = believed & ~ticks ();
  if (!former || !bbp_own_memory ())
    return;
  bbp_sys_sigmask (SIG_BLOCK, &former, NULL);
  believed &= ticks ();
}

/* What SET says of that signal is believed only.  The word is set before, because a signal may
   come as soon as it is open. */
static int
change (int how, const sigset_t *set, sigset_t *old)
{
  sigset_t given;
  settle_former ();
  bbp_sigset before = believed;
  bool runs = bbp_signals_above.ticks_come (), ours = set && (runs || before) && bbp_own_memory ();
  bool blocks = set && how != SIG_UNBLOCK, named = set && (*(const bbp_sigset *) set & ticks ());
  if (ours && (named || how == SIG_SETMASK))
    believed = runs && blocks && named ? ticks () : 0;
  if (ours && runs && blocks)
    {
      *(bbp_sigset *) &given = *(const bbp_sigset *) set & ~ticks ();
      set = &given;
    }
  int error = pass (how, set, old);
  if (error)
    believed = before;
  else if (old)
    *(bbp_sigset *) old |= before;
  return error;
}

/* Make the kernel know what the program believes of this thread, or forget it again. */
void
bbp_sigmask_tell (bool tell)
{
  bbp_sigset open = believed;
  if (open)
    bbp_sys_sigmask (tell ? SIG_BLOCK : SIG_UNBLOCK, &open, NULL);
}

/* It inherits what its parent believes, but the kernel has it open. */
void
bbp_sigmask_begin (bool blocks)
{
  bbp_sigset one = ticks (), mask = 0;
  settle_former ();
  if (!bbp_signals_above.ticks_come () || bbp_sys_sigmask (SIG_BLOCK, NULL, &mask) != 0)
    return;
  believed = blocks || (mask & one) ? one : 0;
  if (mask & one)
    bbp_sys_sigmask (SIG_UNBLOCK, &one, NULL);
}

bool
bbp_sigmask_blocks (void)
{
  settle_former ();
  return believed & ticks ();
}

/* The program handles SIGPROF itself from now on. */
void
bbp_sigmask_settle (void)
{
  bbp_sigset one = believed & 1UL << (SIGPROF - 1);
  if (one)
    bbp_sys_sigmask (SIG_BLOCK, &one, NULL);
  believed &= ~one;
}

/* The signal was for the process, for some other time or thread.  Only the main thread may say
   for whom who has sent it; the others name the sender, and that he queued it. */
void
bbp_sigmask_give_back (const siginfo_t *info)
{
  siginfo_t queued = *info;
  queued.si_code = SI_QUEUE;
  if (bbp_sys_queue_to_process (info->si_signo, info) == -EPERM)
    bbp_sys_queue_to_process (info->si_signo, &queued);
}

/* The signal of ticks has come and is none: whether it has to wait, and does.  It has not if the
   program has opened it for as long as it waits, in sigsuspend. */
bool
bbp_sigmask_put_back (const siginfo_t *info, void *context)
{
  bbp_sigset *mask = (bbp_sigset *) &((ucontext_t *) context)->uc_sigmask,
             one = believed & 1UL << (info->si_signo - 1);
  if (!one || (*mask & one))
    return false;
  *mask |= one;
  if (info->si_code == SI_TKILL)
    bbp_sys_queue_to_self (info->si_signo, info);
  else
    bbp_sigmask_give_back (info);
  return true;
}

BBP_PUBLIC_WEAK int
pthread_sigmask (int how, const sigset_t *set, sigset_t *old)
{
  return change (how, set, old);
}

BBP_PUBLIC_WEAK int
sigprocmask (int how, const sigset_t *set, sigset_t *old)
{
  int error = change (how, set, old);
  if (!error)
    return 0;
  errno = error;
  return -1;
}

/* Block or open one signal. */
int
bbp_sigmask_change_one (int how, int number)
{
  bbp_sigset one = number >= 1 && number <= BBP_LAST_SIGNAL ? 1UL << (number - 1) & ~libcs_own : 0;
  sigset_t set, old;
  *(bbp_sigset *) &set = one;
  int error = one ? change (how, &set, &old) : EINVAL;
  if (!error)
    return (*(bbp_sigset *) &old & one) != 0;
  errno = error;
  return -1;
}

BBP_PUBLIC_WEAK int
sighold (int number)
{
  return bbp_sigmask_change_one (SIG_BLOCK, number) < 0 ? -1 : 0;
}

BBP_PUBLIC_WEAK int
sigrelse (int number)
{
  return bbp_sigmask_change_one (SIG_UNBLOCK, number) < 0 ? -1 : 0;
}
