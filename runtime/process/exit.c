/* SPDX-License-Identifier: MIT */
/* Ends of the process that exit's handlers do not see, and chroot, after which the old file names
   are gone: the profile is written before.  Each waits for a dump in progress instead of cutting it
   off.  _exit may be called in a signal handler, so the dump runs as in one: it reads neither the
   environment nor the loader's list, which the interrupted code may have locked, and it does not
   use the program's stack.

   libc's own calls of _exit cannot be intercepted in a dynamic program.  So daemon, in which the
   parent process ends by it, is defined here.  Context: any, also a vfork child, which just
   ends. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/process/process.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));
extern int __cxa_at_quick_exit (void (*) (void *), void *);
/* libc's own function, by the name that programs do not define. */
extern pid_t __fork (void);

static void (*next) (int);

void
bbp_exit_dump (void)
{
  if (bbp_own_process ())
    bbp_dump_at_end (true);
  bbp_sandbox_end ();
}

static void
on_quick_exit (void *unused)
{
  (void) unused;
  bbp_objects_refresh (false);
  bbp_exit_dump ();
}

static void __attribute__ ((constructor (101))) find_next (void)
{
  if (dlsym)
    next = dlsym (RTLD_NEXT, "_exit");
}

/* Handlers of quick_exit run in reverse order, this one after all that the program registers. */
void
bbp_exit_start (void)
{
  __cxa_at_quick_exit (on_quick_exit, NULL);
}

static _Noreturn void
leave (int status)
{
  bbp_exit_dump ();
  if (next)
    next (status);
  for (;;)
    bbp_arch_syscall (SYS_exit_group, status, 0, 0, 0, 0, 0);
}

BBP_PUBLIC_WEAK _Noreturn void
_exit (int status)
{
  leave (status);
}

BBP_PUBLIC_WEAK _Noreturn void
_Exit (int status)
{
  leave (status);
}

static int
set_errno (long result)
{
  if (result >= 0)
    return (int) result;
  errno = (int) -result;
  return -1;
}

/* Open /dev/null as descriptors 0 to 2.  ENODEV: the file of that name is something else. */
static long
use_null (void)
{
  struct stat st;
  long fd = bbp_arch_syscall (SYS_openat, AT_FDCWD, (long) "/dev/null", O_RDWR, 0, 0, 0);
  if (fd < 0)
    return fd;
  bool null = bbp_arch_syscall (SYS_fstat, fd, (long) &st, 0, 0, 0, 0) == 0 && S_ISCHR (st.st_mode)
              && st.st_rdev == makedev (1, 3);
  for (int i = 0; null && i < 3; i++)
    bbp_arch_syscall (SYS_dup3, fd, i, 0, 0, 0, 0);
  if (fd > 2 || !null)
    bbp_arch_syscall (SYS_close, fd, 0, 0, 0, 0, 0);
  return null ? 0 : -ENODEV;
}

/* See daemon (3). */
BBP_PUBLIC_WEAK int
daemon (int stay, int keep_open)
{
  bbp_objects_refresh (false);
  pid_t child = __fork ();
  if (child < 0)
    return -1;
  if (child > 0)
    leave (0);
  long result = bbp_arch_syscall (SYS_setsid, 0, 0, 0, 0, 0, 0);
  if (result >= 0 && !stay)
    bbp_arch_syscall (SYS_chdir, (long) "/", 0, 0, 0, 0, 0);
  if (result >= 0 && !keep_open)
    result = use_null ();
  return result < 0 ? set_errno (result) : 0;
}

/* The start folder may have no name after chroot.  It is not kept open, because that would be a way
   out of the new root. */
BBP_PUBLIC_WEAK int
chroot (const char *path)
{
  if (bbp_own_process ())
    bbp_dump ();
  return set_errno (bbp_arch_syscall (SYS_chroot, (long) path, 0, 0, 0, 0, 0));
}
