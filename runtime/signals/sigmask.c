/* SPDX-License-Identifier: MIT */
/* Replacements of sigprocmask, pthread_sigmask and their relatives.  While sampling is on, no
   thread really blocks the tick's signal: a thread that asks for it is only told that it does.
   Otherwise the kernel would deliver a process-wide tick to another thread, which cuts that
   thread's system call short and samples the wrong code; or to a thread that waits for all
   signals.  A tick for one thread would stay pending.  Most threads that block it block all
   signals.  If the signal arrives in such a thread and is not a tick, it is queued again and really
   blocked.

   New threads inherit the real mask.  Programs started by exec get the mask that the program set.
   Context: any, also a vfork child, which shares its parent's words and does not change them. */
#include <dlfcn.h>
#include <errno.h>
#include <ucontext.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/signals/signals.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

static int (*next) (int, const sigset_t *, sigset_t *);

/* Signals of ticks that the program believes this thread blocks, but that are open. */
static __thread bbp_sigset believed __attribute__ ((tls_model ("initial-exec")));

static bbp_sigset
tick_bit (void)
{
  return 1UL << (bbp_sampling.signal - 1);
}

static const bbp_sigset libcs_own = 3UL << (32 - 1); /* 32 and 33, which must not be blocked */

static void __attribute__ ((constructor (101))) find_next (void)
{
  if (dlsym)
    next = dlsym (RTLD_NEXT, "pthread_sigmask");
}

/* As pthread_sigmask: returns 0 or an errno value. */
static int
call_next (int how, const sigset_t *set, sigset_t *old)
{
  if (next)
    return next (how, set, old);
  bbp_sigset open = set ? *(const bbp_sigset *) set & ~(how == SIG_UNBLOCK ? 0 : libcs_own) : 0;
  return (int) -bbp_arch_syscall (SYS_rt_sigprocmask, how, (long) (set ? &open : NULL), (long) old,
                                  sizeof open, 0, 0);
}

/* If the signal of ticks has changed, really block the former one. */
static void
settle_former (void)
{
  bbp_sigset former = believed & ~tick_bit ();
  if (!former || !bbp_own_memory ())
    return;
  bbp_sys_sigmask (SIG_BLOCK, &former, NULL);
  believed &= tick_bit ();
}

/* For the signal of ticks, SET only changes BELIEVED.  It is written before the kernel's mask
   changes, because a signal may arrive as soon as it is open. */
static int
change (int how, const sigset_t *set, sigset_t *old)
{
  sigset_t given;
  settle_former ();
  bbp_sigset before = believed;
  bool runs = bbp_signals_above.ticks_come (), ours = set && (runs || before) && bbp_own_memory ();
  bool blocks = set && how != SIG_UNBLOCK, named = set && (*(const bbp_sigset *) set & tick_bit ());
  if (ours && (named || how == SIG_SETMASK))
    believed = runs && blocks && named ? tick_bit () : 0;
  if (ours && runs && blocks)
    {
      *(bbp_sigset *) &given = *(const bbp_sigset *) set & ~tick_bit ();
      set = &given;
    }
  int error = call_next (how, set, old);
  if (error)
    believed = before;
  else if (old)
    *(bbp_sigset *) old |= before;
  return error;
}

/* Gives the kernel the mask that the program set, or undoes that. */
void
bbp_sigmask_make_real (bool real)
{
  bbp_sigset open = believed;
  if (open)
    bbp_sys_sigmask (real ? SIG_BLOCK : SIG_UNBLOCK, &open, NULL);
}

/* The new thread inherits its parent's belief, but has the signal open. */
void
bbp_sigmask_begin (bool blocks)
{
  bbp_sigset one = tick_bit (), mask = 0;
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
  return believed & tick_bit ();
}

/* From now on the program handles SIGPROF itself. */
void
bbp_sigmask_settle (void)
{
  bbp_sigset one = believed & 1UL << (SIGPROF - 1);
  if (one)
    bbp_sys_sigmask (SIG_BLOCK, &one, NULL);
  believed &= ~one;
}

/* Send a process-wide signal again, for another time or thread.  Only the main thread may send it
   with the original sender's code; other threads use SI_QUEUE, with the sender's pid. */
void
bbp_sigmask_requeue (const siginfo_t *info)
{
  siginfo_t queued = *info;
  queued.si_code = SI_QUEUE;
  if (bbp_sys_queue_to_process (info->si_signo, info) == -EPERM)
    bbp_sys_queue_to_process (info->si_signo, &queued);
}

/* The signal of ticks has arrived and is not a tick.  If the program believes that it is blocked,
   queue it again and return true.  Not if the program has opened it while it waits, in
   sigsuspend. */
bool
bbp_sigmask_defer (const siginfo_t *info, void *context)
{
  bbp_sigset *mask = (bbp_sigset *) &((ucontext_t *) context)->uc_sigmask,
             one = believed & 1UL << (info->si_signo - 1);
  if (!one || (*mask & one))
    return false;
  *mask |= one;
  if (info->si_code == SI_TKILL)
    bbp_sys_queue_to_self (info->si_signo, info);
  else
    bbp_sigmask_requeue (info);
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

/* Block or unblock one signal. */
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
