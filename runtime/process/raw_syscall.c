/* SPDX-License-Identifier: MIT */
/* System calls by number (syscall), and prctl, as far as they concern the library:
   restrictions of system calls, the base of GS, exec, and the end of the process.  Context: any,
   also a vfork child. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/process/process.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

/* A sanitizer's, which needs to know the threads' names, or libc's. */
static int (*next_prctl) (int, ...);

static void __attribute__ ((constructor (101))) find_next (void)
{
  if (dlsym)
    next_prctl = dlsym (RTLD_NEXT, "prctl");
}

long
bbp_syscall_failed (long result)
{
  errno = (int) -result;
  return -1;
}

static long
answer (long result)
{
  return (unsigned long) result > -4096UL ? bbp_syscall_failed (result) : result;
}

static long
run (long number, long a, long b, long c, long d, long e)
{
  bbp_exec_begin ();
  return bbp_exec_failed ((int) answer (bbp_arch_syscall (number, a, b, c, d, e, 0)));
}

static bool
asks_for_filter (long number, long a, long b, long c)
{
  return number == SYS_prctl ? a == PR_SET_SECCOMP && b == SECCOMP_MODE_FILTER && c != 0
                             : a == SECCOMP_SET_MODE_FILTER && c != 0;
}

static bool
asks_for_strict_mode (long number, long a, long b)
{
  return number == SYS_prctl ? a == PR_SET_SECCOMP && b == SECCOMP_MODE_STRICT
                             : a == SECCOMP_SET_MODE_STRICT && b == 0;
}

static bool
asks_for_no_new_privileges (long number, long a, long b)
{
  return number == SYS_prctl && a == PR_SET_NO_NEW_PRIVS && b == 1;
}

/* Called by prctl, and by syscall for the numbers that concern the library. */
long
bbp_syscall_intercept (long number, long a, long b, long c, long d, long e, long f)
{
  if (number == SYS_execve || number == SYS_execveat)
    return run (number, a, b, c, d, e);
  bbp_gs_base_check (number, a, (uintptr_t) b);
  if (number == SYS_exit_group)
    bbp_exit_dump ();
  else if (asks_for_no_new_privileges (number, a, b))
    bbp_sandbox_expect ();
  else if (asks_for_filter (number, a, b, c))
    return answer (bbp_sandbox_enter ((const struct sock_fprog *) c, number, a, b, c));
  else if (asks_for_strict_mode (number, a, b))
    return answer (bbp_sandbox_enter (NULL, number, a, b, c));
  return answer (bbp_arch_syscall (number, a, b, c, d, e, f));
}

BBP_PUBLIC_WEAK int
prctl (int option, ...)
{
  va_list list;
  va_start (list, option);
  unsigned long a = va_arg (list, unsigned long), b = va_arg (list, unsigned long);
  unsigned long c = va_arg (list, unsigned long), d = va_arg (list, unsigned long);
  va_end (list);
  if (option == PR_SET_NO_NEW_PRIVS && a == 1)
    bbp_sandbox_expect ();
  if (next_prctl && option != PR_SET_SECCOMP)
    return next_prctl (option, a, b, c, d);
  return (int) bbp_syscall_intercept (SYS_prctl, option, (long) a, (long) b, (long) c, (long) d, 0);
}
