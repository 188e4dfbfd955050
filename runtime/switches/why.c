/* SPDX-License-Identifier: MIT */
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "runtime/switches/why.h"

/* #ifdef: newer processors lack some calls (pause, poll ...), older headers some others. */
static const unsigned char of_call[] = {
  [SYS_futex] = BBP_WHY_BY_OPERATION,
#ifdef SYS_futex_waitv
  [SYS_futex_waitv] = BBS_WHY_LOCK,
#endif
#ifdef SYS_futex_wait
  [SYS_futex_wait] = BBS_WHY_LOCK,
#endif
  [SYS_flock] = BBS_WHY_LOCK,
  [SYS_fcntl] = BBS_WHY_LOCK,
#ifdef SYS_semop
  [SYS_semop] = BBS_WHY_LOCK,
#endif
#ifdef SYS_semtimedop
  [SYS_semtimedop] = BBS_WHY_LOCK,
#endif

  [SYS_nanosleep] = BBS_WHY_TIME,
  [SYS_clock_nanosleep] = BBS_WHY_TIME,

#ifdef SYS_poll
  [SYS_poll] = BBS_WHY_POLL,
#endif
#ifdef SYS_select
  [SYS_select] = BBS_WHY_POLL,
#endif
#ifdef SYS_epoll_wait
  [SYS_epoll_wait] = BBS_WHY_POLL,
#endif
#ifdef SYS_epoll_pwait2
  [SYS_epoll_pwait2] = BBS_WHY_POLL,
#endif
#ifdef SYS_io_uring_enter
  [SYS_io_uring_enter] = BBS_WHY_POLL,
#endif
  [SYS_ppoll] = BBS_WHY_POLL,
  [SYS_pselect6] = BBS_WHY_POLL,
  [SYS_epoll_pwait] = BBS_WHY_POLL,

  [SYS_read] = BBP_WHY_BY_DESCRIPTOR,
  [SYS_readv] = BBP_WHY_BY_DESCRIPTOR,
  [SYS_write] = BBP_WHY_BY_DESCRIPTOR,
  [SYS_writev] = BBP_WHY_BY_DESCRIPTOR,
  [SYS_tee] = BBS_WHY_PIPE,
  [SYS_vmsplice] = BBS_WHY_PIPE,
#ifdef SYS_accept
  [SYS_accept] = BBS_WHY_PIPE,
#endif
  [SYS_accept4] = BBS_WHY_PIPE,
  [SYS_connect] = BBS_WHY_PIPE,
  [SYS_recvfrom] = BBS_WHY_PIPE,
  [SYS_recvmsg] = BBS_WHY_PIPE,
  [SYS_recvmmsg] = BBS_WHY_PIPE,
  [SYS_sendto] = BBS_WHY_PIPE,
  [SYS_sendmsg] = BBS_WHY_PIPE,
  [SYS_sendmmsg] = BBS_WHY_PIPE,
  [SYS_mq_timedreceive] = BBS_WHY_PIPE,
  [SYS_mq_timedsend] = BBS_WHY_PIPE,
#ifdef SYS_msgrcv
  [SYS_msgrcv] = BBS_WHY_PIPE,
#endif
#ifdef SYS_msgsnd
  [SYS_msgsnd] = BBS_WHY_PIPE,
#endif

#ifdef SYS_open
  [SYS_open] = BBS_WHY_DISK,
#endif
#ifdef SYS_stat
  [SYS_stat] = BBS_WHY_DISK,
#endif
#ifdef SYS_rename
  [SYS_rename] = BBS_WHY_DISK,
#endif
#ifdef SYS_unlink
  [SYS_unlink] = BBS_WHY_DISK,
#endif
#ifdef SYS_newfstatat
  [SYS_newfstatat] = BBS_WHY_DISK,
#endif
  [SYS_openat] = BBS_WHY_DISK,
  [SYS_fsync] = BBS_WHY_DISK,
  [SYS_fdatasync] = BBS_WHY_DISK,
  [SYS_sync] = BBS_WHY_DISK,
  [SYS_syncfs] = BBS_WHY_DISK,
  [SYS_msync] = BBS_WHY_DISK,
  [SYS_pread64] = BBS_WHY_DISK,
  [SYS_preadv] = BBS_WHY_DISK,
  [SYS_pwrite64] = BBS_WHY_DISK,
  [SYS_pwritev] = BBS_WHY_DISK,
  [SYS_getdents64] = BBS_WHY_DISK,
  [SYS_ftruncate] = BBS_WHY_DISK,
  [SYS_fallocate] = BBS_WHY_DISK,
  [SYS_copy_file_range] = BBS_WHY_DISK,
  [SYS_statx] = BBS_WHY_DISK,

#ifdef SYS_wait4
  [SYS_wait4] = BBS_WHY_CHILD,
#endif
  [SYS_waitid] = BBS_WHY_CHILD,
#ifdef SYS_vfork
  [SYS_vfork] = BBS_WHY_CHILD,
#endif
  [SYS_clone] = BBS_WHY_CHILD, /* until a child with shared memory has called exec */
#ifdef SYS_clone3
  [SYS_clone3] = BBS_WHY_CHILD,
#endif

#ifdef SYS_pause
  [SYS_pause] = BBS_WHY_SIGNAL,
#endif
  [SYS_rt_sigsuspend] = BBS_WHY_SIGNAL,
  [SYS_rt_sigtimedwait] = BBS_WHY_SIGNAL,
};

unsigned
bbp_why_of_call (long call)
{
  if (call == -1)
    return BBS_WHY_MEMORY;
  if (call < 0)
    return BBS_WHY_NOT_KNOWN;
  size_t known = sizeof of_call / sizeof of_call[0];
  return (size_t) call < known && of_call[call] ? of_call[call] : BBS_WHY_OTHER;
}

static const char *const names[BBS_WHYS] = {
  [BBS_WHY_NOT_KNOWN] = "unknown", [BBS_WHY_LOCK] = "lock",
  [BBS_WHY_TIME] = "sleep",        [BBS_WHY_POLL] = "poll",
  [BBS_WHY_PIPE] = "pipe",         [BBS_WHY_DISK] = "disk",
  [BBS_WHY_CHILD] = "child",       [BBS_WHY_SIGNAL] = "signal",
  [BBS_WHY_MEMORY] = "fault",      [BBS_WHY_STOPPED] = "stopped",
  [BBS_WHY_OTHER] = "other",       [BBS_WHY_CONDITION] = "condition",
  [BBS_WHY_RWLOCK] = "rwlock",     [BBS_WHY_SEMAPHORE] = "semaphore",
  [BBS_WHY_THREAD] = "thread",     [BBS_WHY_BARRIER] = "barrier",
  [BBS_WHY_PROFILER] = "profiler",
};

const char *
bbp_why_name (enum bbs_why why)
{
  return names[why < BBS_WHYS ? why : BBS_WHY_NOT_KNOWN];
}

/* libc's mutexes wait with the plain operation, or with one that the kernel orders by priority.
   Conditions, semaphores, read-write locks and joins wait with a bit set, because only that
   operation takes an absolute time. */
enum bbs_why
bbp_why_of_futex (unsigned long operation)
{
  switch (operation & (unsigned long) FUTEX_CMD_MASK)
    {
    case FUTEX_WAIT_BITSET:
    case FUTEX_WAIT_REQUEUE_PI: return BBS_WHY_CONDITION;
    default: return BBS_WHY_LOCK;
    }
}

/* In a condition's function the plain operation waits for the condition's mutex. */
enum bbs_why
bbp_why_of_wait (unsigned long operation, enum bbs_why function)
{
  const enum bbs_why why = bbp_why_of_futex (operation);
  return function == BBS_WHY_NOT_KNOWN || (function == BBS_WHY_CONDITION && why == BBS_WHY_LOCK)
             ? why
             : function;
}

static bool
same_text (const char *a, const char *b)
{
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

/* A reader that a signal can wake up does not read from a disk, whatever the file's name. */
enum bbs_why
bbp_why_of_descriptor (const char *what, char state)
{
  if (state == 'D')
    return BBS_WHY_DISK;
  if (same_text (what, "anon_inode:[timerfd]"))
    return BBS_WHY_TIME;
  if (same_text (what, "anon_inode:[signalfd]"))
    return BBS_WHY_SIGNAL;
  return BBS_WHY_PIPE;
}

/* A * at the end matches any text. */
static const struct {
  const char *name;
  enum bbs_why why;
} of_function[] = {
  { "futex_*", BBS_WHY_LOCK },
  { "__futex_*", BBS_WHY_LOCK },
  { "rt_mutex_*", BBS_WHY_LOCK },
  { "__rt_mutex_*", BBS_WHY_LOCK },
  { "flock_*", BBS_WHY_LOCK },
  { "posix_lock_*", BBS_WHY_LOCK },
  { "fcntl_setlk*", BBS_WHY_LOCK },
  { "do_lock_file_wait", BBS_WHY_LOCK },
  { "__do_semtimedop", BBS_WHY_LOCK },
  { "do_semtimedop", BBS_WHY_LOCK },
  { "hrtimer_nanosleep", BBS_WHY_TIME },
  { "do_nanosleep", BBS_WHY_TIME },
  { "common_nsleep", BBS_WHY_TIME },
  { "alarm_timer_nsleep", BBS_WHY_TIME },
  { "alarmtimer_do_nsleep", BBS_WHY_TIME },
  { "timerfd_read*", BBS_WHY_TIME },
  { "poll_schedule_timeout*", BBS_WHY_POLL },
  { "do_sys_poll", BBS_WHY_POLL },
  { "do_poll", BBS_WHY_POLL },
  { "do_select", BBS_WHY_POLL },
  { "ep_poll", BBS_WHY_POLL },
  { "do_epoll_wait", BBS_WHY_POLL },
  { "read_events", BBS_WHY_POLL },
  { "io_cqring_wait", BBS_WHY_POLL },
  { "pipe_*", BBS_WHY_PIPE },
  { "anon_pipe_*", BBS_WHY_PIPE },
  { "wait_for_partner", BBS_WHY_PIPE },
  { "fifo_open", BBS_WHY_PIPE },
  { "eventfd_*", BBS_WHY_PIPE },
  { "inotify_*", BBS_WHY_PIPE },
  { "unix_*", BBS_WHY_PIPE },
  { "sk_*", BBS_WHY_PIPE },
  { "__sk*", BBS_WHY_PIPE },
  { "skb_*", BBS_WHY_PIPE },
  { "sock_*", BBS_WHY_PIPE },
  { "inet_*", BBS_WHY_PIPE },
  { "tcp_*", BBS_WHY_PIPE },
  { "udp_*", BBS_WHY_PIPE },
  { "wait_woken", BBS_WHY_PIPE },
  { "n_tty_*", BBS_WHY_PIPE },
  { "tty_*", BBS_WHY_PIPE },
  { "do_msgrcv", BBS_WHY_PIPE },
  { "do_msgsnd", BBS_WHY_PIPE },
  { "wq_sleep", BBS_WHY_PIPE },
  { "folio_wait_*", BBS_WHY_DISK },
  { "wait_on_page_*", BBS_WHY_DISK },
  { "__filemap_*", BBS_WHY_DISK },
  { "filemap_*", BBS_WHY_DISK },
  { "bit_wait_io", BBS_WHY_DISK },
  { "submit_bio_wait", BBS_WHY_DISK },
  { "blk*", BBS_WHY_DISK },
  { "rq_qos_wait", BBS_WHY_DISK },
  { "balance_dirty_pages", BBS_WHY_DISK },
  { "jbd2_*", BBS_WHY_DISK },
  { "ext4_*", BBS_WHY_DISK },
  { "xfs_*", BBS_WHY_DISK },
  { "btrfs_*", BBS_WHY_DISK },
  { "nfs*", BBS_WHY_DISK },
  { "rpc_wait_*", BBS_WHY_DISK },
  { "request_wait_answer", BBS_WHY_DISK }, /* a file system in user space */
  { "do_wait", BBS_WHY_CHILD },
  { "wait_for_vfork_done", BBS_WHY_CHILD },
  { "do_sigtimedwait", BBS_WHY_SIGNAL },
  { "sigsuspend", BBS_WHY_SIGNAL },
  { "do_sigsuspend", BBS_WHY_SIGNAL },
  { "signalfd_*", BBS_WHY_SIGNAL },
  { "__x64_sys_pause", BBS_WHY_SIGNAL },
  { "__do_sys_pause", BBS_WHY_SIGNAL },
  { "__se_sys_pause", BBS_WHY_SIGNAL },
  { "sys_pause", BBS_WHY_SIGNAL },
  { "handle_userfault", BBS_WHY_MEMORY },
  { "do_swap_page", BBS_WHY_MEMORY },
  { "migration_entry_wait*", BBS_WHY_MEMORY },
  { "do_signal_stop", BBS_WHY_STOPPED },
  { "ptrace_*", BBS_WHY_STOPPED },
};

/* Compilers append .constprop.0 and the like. */
static bool
is_named (const char *function, const char *name)
{
  while (*name && *name != '*' && *function == *name)
    function++, name++;
  return *name == '*' || (!*name && (!*function || *function == '.'));
}

enum bbs_why
bbp_why_of_function (const char *function)
{
  for (size_t i = 0; i < sizeof of_function / sizeof of_function[0]; i++)
    if (is_named (function, of_function[i].name))
      return of_function[i].why;
  return BBS_WHY_NOT_KNOWN;
}
