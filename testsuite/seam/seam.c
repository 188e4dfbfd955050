/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's system calls, with injected failures: by bbp_seam_plan, or, in a whole program, by
   the environment.

     BBP_SEAM=NUMBER:NTH:ERROR    as the arguments of bbp_seam_plan; NTH+ for onwards
     BBP_SEAM_KILL=NTH            SIGKILL instead of the NTH call, whatever its number
     BBP_SEAM_LOG=FILE            appends the number of each call to FILE, which must exist

   Compiled as the library is, and called where it makes its calls: hooks and handlers, any
   thread, before start-up.  So this code calls no function of libc, and reads the environment
   from memory. */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>

/* Not the one beside this file: by the include path, from which that one finds the library's. */
#include <arch.h>

#include "testsuite/seam/seam.h"

/* libc's own; null until libc has been started. */
extern char **__environ;

static struct {
  long number;
  unsigned nth;
  bool onwards;
  int error;
  unsigned seen; /* calls with this number; writers: all threads, atomically */
} plan = { .number = -1 };

static unsigned kill_at; /* the call that kills the process; 0: never */
static unsigned calls;   /* writers: all threads, atomically */
static const char *log_name;
static bool environment_read;

void
bbp_seam_plan (long number, unsigned nth, bool onwards, int error)
{
  plan.nth = 0;
  plan.number = number;
  plan.onwards = onwards;
  plan.error = error;
  plan.seen = 0;
  plan.nth = nth;
}

/* The value if VARIABLE, "name=value", has the NAME "name="; else null. */
static const char *
value_of (const char *variable, const char *name)
{
  while (*name && *name == *variable)
    name++, variable++;
  return *name ? NULL : variable;
}

static unsigned
take_number (const char **text)
{
  unsigned n = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    n = n * 10 + (unsigned) (**text - '0');
  return n;
}

static void
read_plan (const char *text)
{
  long number = take_number (&text);
  text++;
  unsigned nth = take_number (&text);
  bool onwards = *text == '+';
  text += onwards + 1;
  bbp_seam_plan (number, nth, onwards, (int) take_number (&text));
}

static void
read_environment (void)
{
  environment_read = true;
  for (char **variable = __environ; *variable; variable++)
    {
      const char *text = value_of (*variable, "BBP_SEAM=");
      if (text)
        read_plan (text);
      if ((text = value_of (*variable, "BBP_SEAM_KILL=")))
        kill_at = take_number (&text);
      if ((text = value_of (*variable, "BBP_SEAM_LOG=")))
        log_name = text;
    }
}

static void
log_call (long number)
{
  char line[4] = { (char) ('0' + number / 100 % 10), (char) ('0' + number / 10 % 10),
                   (char) ('0' + number % 10), '\n' };
  long fd = bbp_seam_kernel (SYS_openat, AT_FDCWD, (long) log_name, O_WRONLY | O_APPEND | O_CLOEXEC,
                             0, 0, 0);
  bbp_seam_kernel (SYS_write, fd, (long) line, sizeof line, 0, 0, 0);
  bbp_seam_kernel (SYS_close, fd, 0, 0, 0, 0, 0);
}

static bool
is_to_fail (long number)
{
  if (number != plan.number || !plan.nth)
    return false;
  unsigned n = __atomic_add_fetch (&plan.seen, 1, __ATOMIC_RELAXED);
  return n == plan.nth || (plan.onwards && n > plan.nth);
}

long
bbp_arch_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  if (!environment_read && __environ)
    read_environment ();
  if (log_name)
    log_call (number);
  if (kill_at && __atomic_add_fetch (&calls, 1, __ATOMIC_RELAXED) == kill_at)
    bbp_seam_kernel (SYS_kill, bbp_seam_kernel (SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
  if (!is_to_fail (number))
    return bbp_seam_kernel (number, a, b, c, d, e, f);
  if (plan.error)
    return -plan.error;
  return bbp_seam_kernel (number, a, b, (c + 1) / 2, d, e, f);
}
