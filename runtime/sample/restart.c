/* SPDX-License-Identifier: MIT */
/* Restarts system calls that a tick has interrupted.  Many waiting calls fail with EINTR after
   any handler, whatever its flags say.  So the thread is made to call again, with the time that
   is left.  The kernel itself restarts the other calls.

   Where the kernel writes the time that is left into the program's argument, that argument is
   used.  Otherwise the call gets a time in the library's memory.  At its first interruption it
   gets the whole time that it asked for: so it may end late, by the time up to that first tick,
   but never early.  The address of that time identifies the call at later interruptions.  Calls
   with milliseconds in a register are replaced by their variants that take an address.

   Not restarted: calls with unknown numbers, calls on sockets with their own time limit
   (SO_RCVTIMEO), and calls that are partly done.

   If a handler of the program runs before the call is made again, that handler has interrupted
   the call after all.  Where a thread that has not made its call yet looks the same
   (BBP_ARCH_RESTARTS), this holds only for calls that may fail with EINTR at any time.
   Context: signal. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

#define SECOND 1000000000UL

enum way {
  NEVER,
  AS_IT_IS,  /* no time limit, or a point in time, or the kernel has written the rest */
  TIMEVAL,   /* the same, but the kernel has rounded the rest down */
  RELATIVE,  /* a struct timespec of the program with the duration */
  EVENTS,    /* the same, if flags say that it is there, in a struct io_uring_getevents_arg */
  SLEEP,     /* the same; the next argument may say where the kernel writes the rest */
  POLL,      /* milliseconds: ppoll */
  EPOLL,     /* milliseconds: epoll_pwait2, with the same mask */
  EPOLL_ALL, /* the same, without a mask */
};

/* By number of the call: how to restart it, and which argument is the time.  Newer processors have
   only one of several calls that do the same. */
static const struct {
  short number;
  unsigned char way, argument;
} calls[] = {
  { SYS_nanosleep, SLEEP, 0 },
  { SYS_clock_nanosleep, SLEEP, 2 },
#ifdef SYS_poll
  { SYS_poll, POLL, 2 },
#endif
  { SYS_ppoll, AS_IT_IS, 2 },
#ifdef SYS_select
  { SYS_select, TIMEVAL, 4 },
#endif
  { SYS_pselect6, AS_IT_IS, 4 },
#ifdef SYS_epoll_wait
  { SYS_epoll_wait, EPOLL_ALL, 3 },
#endif
  { SYS_epoll_pwait, EPOLL, 3 },
  { SYS_epoll_pwait2, RELATIVE, 3 },
  { SYS_futex, RELATIVE, 3 },
  { SYS_rt_sigtimedwait, RELATIVE, 2 },
  { SYS_semop, AS_IT_IS, 0 },
  { SYS_semtimedop, RELATIVE, 3 },
  { SYS_msgrcv, AS_IT_IS, 0 },
  { SYS_msgsnd, AS_IT_IS, 0 },
  { SYS_io_getevents, RELATIVE, 4 },
  { SYS_io_pgetevents, RELATIVE, 4 },
#ifdef SYS_pause
  { SYS_pause, AS_IT_IS, 0 },
#endif
  { SYS_rt_sigsuspend, AS_IT_IS, 0 },
  { SYS_read, AS_IT_IS, 0 },
  { SYS_getrandom, AS_IT_IS, 0 },
  { SYS_io_uring_enter, EVENTS, 4 },
};

static unsigned long
argument (void *context, int i)
{
  return (unsigned long) *bbp_arch_call_argument (context, i);
}

static void
set_argument (void *context, int i, unsigned long value)
{
  *bbp_arch_call_argument (context, i) = (bbp_arch_value) value;
}

static bool
is_socket (unsigned long fd)
{
  struct timeval time;
  socklen_t bytes = sizeof time;
  return BBP_SYSCALL (SYS_getsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &time, &bytes, 0) != -ENOTSOCK;
}

/* How to restart the call NUMBER with its arguments. */
static enum way
way_of (struct bbp_sampled *thread, long number, void *context, int *time)
{
  unsigned long ours = (uintptr_t) &thread->restart_left;
  enum way way = NEVER;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].number == number)
      {
        way = calls[i].way;
        *time = calls[i].argument;
      }
  if (number == SYS_clock_nanosleep && (argument (context, 1) & TIMER_ABSTIME))
    return AS_IT_IS;
  if (number == SYS_futex && (argument (context, 1) & FUTEX_CMD_MASK) != FUTEX_WAIT)
    return AS_IT_IS;
  if (number == SYS_read && is_socket (argument (context, 0)))
    return NEVER;
  if (way >= POLL && argument (context, *time) != ours && (int) argument (context, *time) < 0)
    return AS_IT_IS;
  return way;
}

/* Reads BYTES of the program's memory, which may be unmapped since.  Where that cannot be found
   out, it is taken as mapped. */
static bool
read_argument (void *to, unsigned long address, size_t bytes)
{
  long n = bbp_sys_read_own (to, (const void *) address, bytes);
  if (n == -EPERM || n == -ENOSYS)
    bbp_copy_bytes (to, (const void *) address, bytes);
  return n == (long) bytes || n == -EPERM || n == -ENOSYS;
}

static bool
read_time (struct timespec *time, unsigned long address)
{
  return read_argument (time, address, sizeof *time);
}

static struct timespec
timespec_of (uint64_t nanoseconds)
{
  return (struct timespec) { (long) (nanoseconds / SECOND), (long) (nanoseconds % SECOND) };
}

/* LEFT is the requested duration.  A year or more counts as no limit. */
static void
note_deadline (struct bbp_sampled *thread)
{
  const uint64_t most = 1UL << 55;
  uint64_t seconds = (uint64_t) thread->restart_left.tv_sec;
  uint64_t asked
      = seconds > most / SECOND ? most : seconds * SECOND + (uint64_t) thread->restart_left.tv_nsec;
  thread->restart_until = bbp_clock_now () + asked;
}

static void
wait_for_rest (struct bbp_sampled *thread)
{
  uint64_t now = bbp_clock_now ();
  thread->restart_left
      = timespec_of (thread->restart_until > now ? thread->restart_until - now : 0);
}

/* Argument I is the address of the time, which the kernel only reads. */
static bool
go_on_relative (struct bbp_sampled *thread, void *context, int i)
{
  unsigned long ours = (uintptr_t) &thread->restart_left, given = argument (context, i);
  if (given == ours)
    wait_for_rest (thread);
  else if (given)
    {
      if (!read_time (&thread->restart_left, given))
        return false;
      note_deadline (thread);
      set_argument (context, i, ours);
    }
  return true;
}

/* Flags of io_uring_enter about its fifth argument, besides IORING_ENTER_EXT_ARG; of newer
   kernels. */
#define TIME_IS_POINT (1U << 5)
#define IS_OFFSET (1U << 6)

/* The call fails only if it has submitted nothing.  Otherwise it returns early with success, and
   is not restarted. */
static bool
go_on_with_completions (struct bbp_sampled *thread, void *context, int i)
{
  unsigned long flags = argument (context, 3), given = argument (context, i),
                ours = (uintptr_t) &thread->restart_events;
  if (given == ours)
    wait_for_rest (thread);
  else if ((flags & IORING_ENTER_EXT_ARG) && !(flags & TIME_IS_POINT))
    {
      if ((flags & IS_OFFSET)
          || !read_argument (&thread->restart_events, given, sizeof thread->restart_events))
        return false;
      if (thread->restart_events.ts == 0)
        return true;
      if (!read_time (&thread->restart_left, thread->restart_events.ts))
        return false;
      note_deadline (thread);
      thread->restart_events.ts = (uintptr_t) &thread->restart_left;
      set_argument (context, i, ours);
    }
  return true;
}

/* The kernel has written the rest where argument I + 1 points, unless that is null. */
static bool
go_on_sleeping (struct bbp_sampled *thread, void *context, int i)
{
  unsigned long ours = (uintptr_t) &thread->restart_left, given = argument (context, i);
  int rest_at = i == 0 ? 1 : 3;
  unsigned long rest = argument (context, rest_at);
  if (rest != ours && !read_time (&thread->restart_left, rest ? rest : given))
    return false;
  set_argument (context, i, ours);
  if (!rest)
    set_argument (context, rest_at, ours);
  return true;
}

/* Argument I is a number of milliseconds, not infinite.  False: the time is the library's
   already. */
static bool
take_milliseconds (struct bbp_sampled *thread, void *context, int i)
{
  unsigned long ours = (uintptr_t) &thread->restart_left, asked = argument (context, i);
  if (asked == ours)
    return false;
  thread->restart_left = timespec_of ((asked & INT32_MAX) * 1000000);
  note_deadline (thread);
  set_argument (context, i, ours);
  return true;
}

/* The kernel itself writes the rest into the time. */
static bool
go_on_polling (struct bbp_sampled *thread, void *context, int i)
{
  if (!BBP_IS_ALLOWED (SYS_ppoll))
    return false;
  take_milliseconds (thread, context, i);
  set_argument (context, 3, 0);
  set_argument (context, 4, sizeof (bbp_sigset));
  return true;
}

/* True if the kernel has epoll_pwait2 (since 5.11). */
static bool
has_epoll_pwait2 (void)
{
  static int known; /* 1: it has; -1: it has not */
  if (!known)
    {
      long result = BBP_SYSCALL (SYS_epoll_pwait2, -1, 0, 1, 0, 0, 0);
      known = result == -ENOSYS || result == -EPERM ? -1 : 1;
    }
  return known > 0;
}

static bool
go_on_with_events (struct bbp_sampled *thread, void *context, int i, bool masked)
{
  if (!has_epoll_pwait2 ())
    return false;
  if (!take_milliseconds (thread, context, i))
    wait_for_rest (thread);
  if (!masked)
    set_argument (context, 4, 0);
  set_argument (context, 5, sizeof (bbp_sigset));
  return true;
}

static void
round_up (unsigned long timeval)
{
  struct timeval *left = (struct timeval *) timeval;
  if (!left)
    return;
  left->tv_sec += left->tv_usec == 999999;
  left->tv_usec = left->tv_usec == 999999 ? 0 : left->tv_usec + 1;
}

/* The number of the call that is made instead; -1: the call is not restarted. */
static long
go_on (struct bbp_sampled *thread, void *context, long number)
{
  int time = 0;
  switch (way_of (thread, number, context, &time))
    {
    case AS_IT_IS: return number;
    case TIMEVAL: round_up (argument (context, time)); return number;
    case RELATIVE: return go_on_relative (thread, context, time) ? number : -1;
    case EVENTS: return go_on_with_completions (thread, context, time) ? number : -1;
    case SLEEP: return go_on_sleeping (thread, context, time) ? number : -1;
    case POLL: return go_on_polling (thread, context, time) ? SYS_ppoll : -1;
    case EPOLL:
    case EPOLL_ALL:
      return go_on_with_events (thread, context, time, number == SYS_epoll_pwait) ? SYS_epoll_pwait2
                                                                                  : -1;
    case NEVER: break;
    }
  return -1;
}

/* True if a call on the file FD may wait, unless its own flags prevent it. */
static bool
file_waits (unsigned long fd)
{
  struct stat st;
  const long flags = BBP_SYSCALL (SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
  return flags >= 0 && !(flags & O_NONBLOCK) && bbp_sys_fstat ((int) fd, &st) == 0
         && !S_ISREG (st.st_mode) && !S_ISBLK (st.st_mode);
}

/* True if the kernel makes the call NUMBER again after a tick, and EINTR is right even if the call
   has not been made yet: the program expects it from a call that waits, and nothing has begun.  Not
   so connect: the program would wait for a connection that nobody makes. */
static bool
may_wait (void *context, long number)
{
  const unsigned long fd = argument (context, 0), what = argument (context, 1),
                      operation = what & FUTEX_CMD_MASK;
  switch (number)
    {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_accept:
    case SYS_accept4: return file_waits (fd);
    case SYS_recvmsg:
    case SYS_sendmsg: return !(argument (context, 2) & MSG_DONTWAIT) && file_waits (fd);
    case SYS_recvfrom:
    case SYS_sendto: return !(argument (context, 3) & MSG_DONTWAIT) && file_waits (fd);
    case SYS_futex: return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET;
    case SYS_fcntl: return what == F_SETLKW || what == F_OFD_SETLKW;
    case SYS_flock: return !(what & LOCK_NB);
    case SYS_wait4: return !(argument (context, 2) & WNOHANG);
    case SYS_waitid: return !(argument (context, 3) & WNOHANG);
    default: return false;
    }
}

/* Records where the call is made again as soon as the handler returns. */
static void
note (struct bbp_sampled *thread, const void *context, bool by_kernel, long number)
{
  thread->restart_pc = bbp_arch_pc (context);
  thread->restart_sp = (uintptr_t) bbp_arch_register (context, BBP_ARCH_STACK);
  thread->restart_number = number;
  thread->restart_by_kernel = by_kernel;
}

/* Some calls are restarted as restart_syscall with a time that the kernel keeps, after a signal
   without a handler.  The return from any handler makes the kernel forget that time, and this
   call fails then. */
static void
fail_if_forgotten (void *context)
{
  bool again, entered = bbp_arch_entry (context, &again);
  if (entered && again && bbp_arch_call_number (context) == SYS_restart_syscall)
    bbp_arch_call_over (context, -EINTR);
}

/* True if the library's code runs deeper in the stack than the noted call: a handler of the program
   may be about to begin, and bbp_restart_cancel needs the note. */
static bool
may_begin_handler (const struct bbp_sampled *thread, const void *context)
{
  return bbp_is_own (bbp_arch_pc (context))
         && (uintptr_t) bbp_arch_register (context, BBP_ARCH_STACK) < thread->restart_sp;
}

void
bbp_restart (struct bbp_sampled *thread, void *context)
{
  fail_if_forgotten (context);
  long result = *bbp_arch_call_result (context);
  bool again, entered = bbp_arch_entry (context, &again);
  if (!may_begin_handler (thread, context))
    thread->restart_pc = 0;
  if (entered && again)
    {
      const long made = bbp_arch_call_number (context);
      if (BBP_ARCH_RESTARTS || may_wait (context, made))
        note (thread, context, true, made);
    }
  if (!BBP_ARCH_RESTARTS || result != -EINTR || !entered || again)
    return;
  long number = bbp_kernel_call (context);
  if (number >= 0)
    number = go_on (thread, context, number);
  if (number < 0)
    return;
  bbp_arch_call_again (context, number);
  note (thread, context, false, number);
}

void
bbp_restart_cancel (void *context, bool restarts)
{
  struct bbp_sampled *thread = bbp_sampled;
  bool again, entered = bbp_arch_entry (context, &again);
  if (!thread)
    return;
  if (thread->restart_pc == bbp_arch_pc (context)
      && thread->restart_sp == (uintptr_t) bbp_arch_register (context, BBP_ARCH_STACK)
      && thread->restart_number == bbp_arch_call_number (context) && entered && again
      && !(thread->restart_by_kernel && restarts))
    bbp_arch_call_over (context, -EINTR);
  if (entered && !again)
    bbp_arch_call_forget (context);
  thread->restart_pc = 0;
}
