/* SPDX-License-Identifier: MIT */
/* All system calls that the library makes.  Each function returns the kernel's result, or -errno.
   Tests replace this layer to simulate failures.  Context: any. */
#ifndef BBP_SYS_H
#define BBP_SYS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/wait.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h> /* RENAME_EXCHANGE */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#include "arch.h"
#include "runtime/base/state.h"

/* allowed_calls.c: set while system calls are restricted by seccomp; whether NUMBER is allowed. */
extern bool bbp_sandboxed __attribute__ ((visibility ("hidden")));
bool bbp_sandbox_allows (long number) __attribute__ ((visibility ("hidden")));

/* A filter may bind the process without the library's knowledge.  Frequent code in handlers then
   makes no system calls, because each one needs a check first. */
extern bool bbp_avoid_syscalls __attribute__ ((visibility ("hidden")));

#define BBP_IS_ALLOWED(number) \
  (__builtin_expect (!bbp_sandboxed, true) || bbp_sandbox_allows (number))
#define BBP_SYSCALL(number, a, b, c, d, e, f)                                              \
  (BBP_IS_ALLOWED (number) ? bbp_arch_syscall (number, (long) (a), (long) (b), (long) (c), \
                                               (long) (d), (long) (e), (long) (f))         \
                           : -EPERM)

/* Results of some of these calls, for callers on small stacks. */
struct bbp_sys_scratch {
  struct stat st;
  struct rlimit limit;
};

static inline long
bbp_sys_mmap (size_t bytes)
{
  return BBP_SYSCALL (SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0);
}

/* At ADDRESS, a page's, if nothing is there; else anywhere. */
static inline long
bbp_sys_mmap_near (uintptr_t address, size_t bytes)
{
  return BBP_SYSCALL (SYS_mmap, address, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
}

/* Zeroed memory that is shared with all child processes made from now on. */
static inline long
bbp_sys_mmap_shared (size_t bytes)
{
  return BBP_SYSCALL (SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0);
}

/* BYTES of the file at OFFSET, as a shared mapping; at ADDRESS, replacing what was there, or
   anywhere if ADDRESS is null. */
static inline long
bbp_sys_mmap_file (void *address, size_t bytes, int fd, uint64_t offset)
{
  return BBP_SYSCALL (SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | (address ? MAP_FIXED : 0), fd, offset);
}

/* Map the shared file mapping at START at ADDRESS as well, replacing what was there. */
static inline long
bbp_sys_mmap_again (void *start, size_t bytes, void *address)
{
  return BBP_SYSCALL (SYS_mremap, start, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, address, 0);
}

/* Make a hole in the file in place of what is mapped, shared, at START. */
static inline long
bbp_sys_punch (void *start, size_t bytes)
{
  return BBP_SYSCALL (SYS_madvise, start, bytes, MADV_REMOVE, 0, 0, 0);
}

/* Replace the memory at ADDRESS by zeros. */
static inline long
bbp_sys_mmap_over (void *address, size_t bytes)
{
  return BBP_SYSCALL (SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

static inline long
bbp_sys_munmap (void *start, size_t bytes)
{
  return BBP_SYSCALL (SYS_munmap, start, bytes, 0, 0, 0, 0);
}

static inline long
bbp_sys_protect (void *start, size_t bytes, int protection)
{
  return BBP_SYSCALL (SYS_mprotect, start, bytes, protection, 0, 0, 0);
}

static inline long
bbp_sys_wipe_on_fork (void *start, size_t bytes)
{
  return BBP_SYSCALL (SYS_madvise, start, bytes, MADV_WIPEONFORK, 0, 0, 0);
}

static inline long
bbp_sys_openat (int folder, const char *path, int flags, int mode)
{
  return BBP_SYSCALL (SYS_openat, folder, path, flags, mode, 0, 0);
}

static inline long
bbp_sys_write (int fd, const void *bytes, size_t n)
{
  return BBP_SYSCALL (SYS_write, fd, bytes, n, 0, 0, 0);
}

static inline long
bbp_sys_skip (int fd, size_t bytes)
{
  return BBP_SYSCALL (SYS_lseek, fd, bytes, SEEK_CUR, 0, 0, 0);
}

static inline long
bbp_sys_write_at (int fd, const void *bytes, size_t n, uint64_t offset)
{
  return BBP_SYSCALL (SYS_pwrite64, fd, bytes, n, offset, 0, 0);
}

static inline long
bbp_sys_read (int fd, void *bytes, size_t n)
{
  return BBP_SYSCALL (SYS_read, fd, bytes, n, 0, 0, 0);
}

/* MODE: 0, or FALLOC_FL_... */
static inline long
bbp_sys_allocate (int fd, int mode, uint64_t offset, uint64_t bytes)
{
  return BBP_SYSCALL (SYS_fallocate, fd, mode, offset, bytes, 0, 0);
}

/* Duplicate the descriptor, with a number of at least LEAST. */
static inline long
bbp_sys_duplicate (int fd, int least)
{
  return BBP_SYSCALL (SYS_fcntl, fd, F_DUPFD_CLOEXEC, least, 0, 0, 0);
}

static inline long
bbp_sys_close (int fd)
{
  return BBP_SYSCALL (SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_rename (const char *from, const char *to)
{
  return BBP_SYSCALL (SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0, 0);
}

static inline long
bbp_sys_exchange (const char *one, const char *other)
{
  return BBP_SYSCALL (SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE, 0);
}

static inline long
bbp_sys_unlink (const char *path)
{
  return BBP_SYSCALL (SYS_unlinkat, AT_FDCWD, path, 0, 0, 0, 0);
}

static inline int
bbp_sys_getpid (void)
{
  return (int) BBP_SYSCALL (SYS_getpid, 0, 0, 0, 0, 0, 0);
}

/* Read the process's own memory as far as it is mapped; another thread may unmap it at any time.
   Page by page, because one read succeeds only as a whole. */
static inline long
bbp_sys_read_own (void *to, const void *from, size_t n)
{
  enum { MOST = 5, PAGE = 4096 };
  struct iovec whole = { to, n }, part[MOST];
  unsigned long parts = 0;
  for (const char *p = from, *stop = p + n; p < stop && parts < MOST; p += part[parts++].iov_len)
    {
      size_t left = (size_t) (stop - p), page = PAGE - (uintptr_t) p % PAGE;
      part[parts] = (struct iovec) { (void *) p, left < page ? left : page };
    }
  return BBP_SYSCALL (SYS_process_vm_readv, bbp_sys_getpid (), &whole, 1, part, parts, 0);
}

static inline long
bbp_sys_fstat (int fd, struct stat *st)
{
  return BBP_SYSCALL (SYS_newfstatat, fd, "", st, AT_EMPTY_PATH, 0, 0);
}

/* Of PATH itself, if it is a symbolic link. */
static inline long
bbp_sys_lstat (const char *path, struct stat *st)
{
  return BBP_SYSCALL (SYS_newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW, 0, 0);
}

static inline long
bbp_sys_stat (const char *path, struct stat *st)
{
  return BBP_SYSCALL (SYS_newfstatat, AT_FDCWD, path, st, 0, 0, 0);
}

static inline long
bbp_sys_readlink (const char *path, char *target, size_t size)
{
  return BBP_SYSCALL (SYS_readlinkat, AT_FDCWD, path, target, size, 0, 0);
}

static inline long
bbp_sys_getcwd (char *path, size_t size)
{
  return BBP_SYSCALL (SYS_getcwd, path, size, 0, 0, 0, 0);
}

static inline int
bbp_sys_getppid (void)
{
  return (int) BBP_SYSCALL (SYS_getppid, 0, 0, 0, 0, 0, 0);
}

static inline int
bbp_sys_gettid (void)
{
  return (int) BBP_SYSCALL (SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_getuid (void)
{
  return BBP_SYSCALL (SYS_getuid, 0, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_getgid (void)
{
  return BBP_SYSCALL (SYS_getgid, 0, 0, 0, 0, 0, 0);
}

/* Set the user id by which the calling thread accesses files; returns the previous one, whether or
   not it could be changed. */
static inline long
bbp_sys_setfsuid (long user)
{
  return BBP_SYSCALL (SYS_setfsuid, user, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_setfsgid (long group)
{
  return BBP_SYSCALL (SYS_setfsgid, group, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_capget (struct __user_cap_data_struct *capabilities)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  return BBP_SYSCALL (SYS_capget, &header, capabilities, 0, 0, 0, 0);
}

static inline long
bbp_sys_capset (const struct __user_cap_data_struct *capabilities)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  return BBP_SYSCALL (SYS_capset, &header, capabilities, 0, 0, 0, 0);
}

static inline long
bbp_sys_no_new_privileges (void)
{
  return BBP_SYSCALL (SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_limit (int resource, struct rlimit *limit)
{
  return BBP_SYSCALL (SYS_prlimit64, 0, resource, 0, limit, 0, 0);
}

static inline long
bbp_sys_sigmask (int how, const unsigned long *set, unsigned long *old)
{
  return BBP_SYSCALL (SYS_rt_sigprocmask, how, set, old, sizeof *set, 0, 0);
}

/* Send signal NUMBER to the calling thread again, with the kernel's INFO. */
static inline long
bbp_sys_queue_to_self (int number, const siginfo_t *info)
{
  return BBP_SYSCALL (SYS_rt_tgsigqueueinfo, bbp_sys_getpid (), bbp_sys_gettid (), number, info, 0,
                      0);
}

static inline long
bbp_sys_queue_to_thread (int tid, int number, const siginfo_t *info)
{
  return BBP_SYSCALL (SYS_rt_tgsigqueueinfo, bbp_sys_getpid (), tid, number, info, 0, 0);
}

static inline long
bbp_sys_queue_to_process (int number, const siginfo_t *info)
{
  return BBP_SYSCALL (SYS_rt_sigqueueinfo, bbp_sys_getpid (), number, info, 0, 0, 0);
}

static inline long
bbp_sys_pending (unsigned long *set)
{
  return BBP_SYSCALL (SYS_rt_sigpending, set, sizeof *set, 0, 0, 0, 0);
}

/* Take a pending signal out of SET; does not wait. */
static inline long
bbp_sys_take_pending (const unsigned long *set, siginfo_t *info)
{
  const struct timespec now = { 0, 0 };
  return BBP_SYSCALL (SYS_rt_sigtimedwait, set, info, &now, sizeof *set, 0, 0);
}

/* PAGE: its address. */
static inline bool
bbp_sys_is_mapped (uintptr_t page)
{
  unsigned char state;
  return BBP_SYSCALL (SYS_mincore, page, 4096, &state, 0, 0, 0) == 0;
}

static inline long
bbp_sys_tgkill (int pid, int tid, int number)
{
  return BBP_SYSCALL (SYS_tgkill, pid, tid, number, 0, 0, 0);
}

/* By libc, which knows the kernel's return trampoline. */
static inline int
bbp_sys_sigaction (int number, const struct sigaction *action, struct sigaction *old)
{
  return BBP_IS_ALLOWED (SYS_rt_sigaction) ? __sigaction (number, action, old) : -EPERM;
}

static inline long
bbp_sys_setitimer (int which, const struct itimerval *value, struct itimerval *old)
{
  return BBP_SYSCALL (SYS_setitimer, which, value, old, 0, 0, 0);
}

static inline long
bbp_sys_clock_resolution (int clock, struct timespec *resolution)
{
  return BBP_SYSCALL (SYS_clock_getres, clock, resolution, 0, 0, 0, 0);
}

/* Time of CLOCK in nanoseconds; 0: there is no such clock. */
static inline long
bbp_sys_clock (int clock, struct timespec *now)
{
  return BBP_SYSCALL (SYS_clock_gettime, clock, now, 0, 0, 0, 0);
}

static inline uint64_t
bbp_sys_nanoseconds (int clock)
{
  struct timespec now;
  if (bbp_sys_clock (clock, &now) != 0)
    return 0;
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* The CPU-time clock of another thread of this process. */
static inline int
bbp_sys_thread_clock (int tid)
{
  return (int) (~(unsigned) tid << 3 | 6);
}

/* Directory entries, in the kernel's format; returns the bytes; 0: end. */
static inline long
bbp_sys_entries (int fd, void *buffer, size_t bytes)
{
  return BBP_SYSCALL (SYS_getdents64, fd, buffer, bytes, 0, 0, 0);
}

static inline long
bbp_sys_uname (struct utsname *name)
{
  return BBP_SYSCALL (SYS_uname, name, 0, 0, 0, 0, 0);
}

/* Returns the number of bytes of the set, or -errno. */
static inline int
bbp_sys_sched_getaffinity (pid_t pid, size_t size, unsigned long *set)
{
  return BBP_SYSCALL (SYS_sched_getaffinity, pid, size, set, 0, 0, 0);
}

static inline long
bbp_sys_socket (int domain, int type)
{
  return BBP_SYSCALL (SYS_socket, domain, type, 0, 0, 0, 0);
}

static inline long
bbp_sys_sendto (int fd, const void *bytes, size_t n, int flags, const void *address,
                size_t address_size)
{
  return BBP_SYSCALL (SYS_sendto, fd, bytes, n, flags, address, address_size);
}

static inline long
bbp_sys_futex (int *word, int operation, int value)
{
  return BBP_SYSCALL (SYS_futex, word, operation, value, 0, 0, 0);
}

/* Likewise, for at most that many nanoseconds. */
static inline long
bbp_sys_futex_for (int *word, int operation, int value, uint64_t nanoseconds)
{
  const struct timespec most
      = { (long) (nanoseconds / 1000000000), (long) (nanoseconds % 1000000000) };
  return BBP_SYSCALL (SYS_futex, word, operation, value, &most, 0, 0);
}

/* Likewise, at most until END of CLOCK_MONOTONIC. */
static inline long
bbp_sys_futex_until (int *word, int operation, int value, const struct timespec *end)
{
  return BBP_SYSCALL (SYS_futex, word, operation, value, end, 0, ~0U);
}

static inline long
bbp_sys_sleep_until (int clock, const struct timespec *end)
{
  return BBP_SYSCALL (SYS_clock_nanosleep, clock, TIMER_ABSTIME, end, 0, 0, 0);
}

static inline long
bbp_sys_timer_file (int clock)
{
  return BBP_SYSCALL (SYS_timerfd_create, clock, O_CLOEXEC, 0, 0, 0, 0);
}

/* Absolute times. */
static inline long
bbp_sys_set_timer_file (int fd, const struct itimerspec *value)
{
  return BBP_SYSCALL (SYS_timerfd_settime, fd, TIMER_ABSTIME, value, 0, 0, 0);
}

/* A file in memory without a name. */
static inline long
bbp_sys_memory_file (const char *name)
{
  return BBP_SYSCALL (SYS_memfd_create, name, MFD_CLOEXEC, 0, 0, 0, 0);
}

static inline long
bbp_sys_truncate (int fd, size_t bytes)
{
  return BBP_SYSCALL (SYS_ftruncate, fd, bytes, 0, 0, 0, 0);
}

/* Allocate memory for the mapping at START. */
static inline long
bbp_sys_populate (void *start, size_t bytes)
{
  return BBP_SYSCALL (SYS_madvise, start, bytes, MADV_POPULATE_WRITE, 0, 0, 0);
}

static inline long
bbp_sys_copy_descriptor (int from, int to)
{
  return BBP_SYSCALL (SYS_dup3, from, to, 0, 0, 0, 0);
}

static inline long
bbp_sys_close_from (int first)
{
  return BBP_SYSCALL (SYS_close_range, first, ~0U, 0, 0, 0, 0);
}

static inline long
bbp_sys_own_group (void)
{
  return BBP_SYSCALL (SYS_setpgid, 0, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_execve (const char *path, char *const argv[], char *const envp[])
{
  return BBP_SYSCALL (SYS_execve, path, argv, envp, 0, 0, 0);
}

/* OPTIONS: __WCLONE for a child that sends no signal at its end.  With WNOHANG, 0: it has not
   ended. */
static inline long
bbp_sys_reap (int pid, int options)
{
  return BBP_SYSCALL (SYS_wait4, pid, 0, options, 0, 0, 0);
}

static inline long
bbp_sys_kill (int pid, int number)
{
  return BBP_SYSCALL (SYS_kill, pid, number, 0, 0, 0, 0);
}

/* Of the calling thread: 16 bytes. */
static inline long
bbp_sys_thread_name (char *name)
{
  return BBP_SYSCALL (SYS_prctl, PR_GET_NAME, name, 0, 0, 0, 0);
}

static inline long
bbp_sys_set_thread_name (const char *name)
{
  return BBP_SYSCALL (SYS_prctl, PR_SET_NAME, name, 0, 0, 0, 0);
}

/* The timer slack of the calling thread. */
static inline long
bbp_sys_set_timer_slack (unsigned long nanoseconds)
{
  return BBP_SYSCALL (SYS_prctl, PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0, 0);
}

/* Give the calling thread priority: a real-time POLICY, or a niceness. */
static inline long
bbp_sys_set_scheduler (int policy, const struct sched_param *parameter)
{
  return BBP_SYSCALL (SYS_sched_setscheduler, 0, policy, parameter, 0, 0, 0);
}

static inline long
bbp_sys_set_niceness (int niceness)
{
  return BBP_SYSCALL (SYS_setpriority, PRIO_PROCESS, 0, niceness, 0, 0, 0);
}

/* The kernel clears WORD when the calling thread ends. */
static inline long
bbp_sys_clear_at_end (int *word)
{
  return BBP_SYSCALL (SYS_set_tid_address, word, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_set_thread_pointer (uintptr_t pointer)
{
  return BBP_ARCH_SET_THREAD_POINTER (pointer);
}

static inline long
bbp_sys_read_at (int fd, void *bytes, size_t n, uint64_t offset)
{
  return BBP_SYSCALL (SYS_pread64, fd, bytes, n, offset, 0, 0);
}

/* Event of a thread.  The descriptor may be closed: a mapping of it keeps the event. */
static inline long
bbp_sys_perf_event (const struct perf_event_attr *attribute, int tid)
{
  return BBP_SYSCALL (SYS_perf_event_open, attribute, tid, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

/* The part of the event that is on processor CPU. */
static inline long
bbp_sys_perf_event_on (const struct perf_event_attr *attribute, int tid, int cpu)
{
  return BBP_SYSCALL (SYS_perf_event_open, attribute, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

/* configure --without-posix-timers: as if the kernel had none. */
#ifdef BBP_WITHOUT_POSIX_TIMERS
#define BBP_POSIX_TIMERS false
#else
#define BBP_POSIX_TIMERS true
#endif

static inline long
bbp_sys_make_timer (int clock, const struct sigevent *event, int *timer)
{
  if (!BBP_POSIX_TIMERS)
    return -ENOSYS;
  return BBP_SYSCALL (SYS_timer_create, clock, event, timer, 0, 0, 0);
}

static inline long
bbp_sys_set_timer (int timer, const struct itimerspec *value, struct itimerspec *old)
{
  return BBP_SYSCALL (SYS_timer_settime, timer, 0, value, old, 0, 0);
}

static inline long
bbp_sys_delete_timer (int timer)
{
  return BBP_SYSCALL (SYS_timer_delete, timer, 0, 0, 0, 0, 0);
}

static inline long
bbp_sys_control_file (int fd, int command, long argument)
{
  return BBP_SYSCALL (SYS_fcntl, fd, command, argument, 0, 0, 0);
}

static inline long
bbp_sys_mmap_to_read (size_t bytes, int fd)
{
  return BBP_SYSCALL (SYS_mmap, 0, bytes, PROT_READ, MAP_SHARED, fd, 0);
}

#endif
