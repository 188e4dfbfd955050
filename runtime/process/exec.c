/* SPDX-License-Identifier: MIT */
/* Replacements of the exec family.  The timer would survive exec, but not its handler, so the first
   tick would end the next program.  So sampling stops and the profile is written, because this
   program ends here; if exec fails, it continues as before.  A forked child writes no profile: what
   it did before exec is not worth a file for each program that a shell starts.

   In a dynamic program the call is passed on to the next definition, libc's or a wrapper's; also in
   a process that is not profiled and has the library only preloaded, like all that a shell starts.
   In a static program there is no next definition, so the family is built here on the system call
   execve.  Context: cold, but also a vfork child, which shares its parent's memory: nothing is
   written unless the process is the profiled one. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/live/live.h"
#include "runtime/observe/observe.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/trace/trace.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

static struct {
  int (*execve) (const char *, char *const[], char *const[]);
  int (*execvpe) (const char *, char *const[], char *const[]);
  int (*fexecve) (int, char *const[], char *const[]);
  int (*execveat) (int, const char *, char *const[], char *const[], int);
} next;

static void __attribute__ ((constructor (101))) find_next (void)
{
  if (!dlsym)
    return;
  next.execve = dlsym (RTLD_NEXT, "execve");
  next.execvpe = dlsym (RTLD_NEXT, "execvpe");
  next.fexecve = dlsym (RTLD_NEXT, "fexecve");
  next.execveat = dlsym (RTLD_NEXT, "execveat");
}

/* End the trace and the live file: this program ends here. */
static void
end_files (void)
{
  bbp_trace_end (true);
  bbp_rings_end ();
  bbp_live_remove ();
}

static void
resume_files (void)
{
  bbp_trace_resume ();
  bbp_rings_resume ();
  bbp_live_return ();
}

static void
with_lock (void (*action) (void))
{
  bbp_sigset old = bbp_lock ();
  action ();
  bbp_unlock (old);
}

static void
pause_ticks (void)
{
  bbp_sampler_pause (true);
}

static void
resume_ticks (void)
{
  bbp_sampler_pause (false);
}

/* A child of vfork has no timers, and must not change its parent's. */
void
bbp_exec_begin (void)
{
  if (bbp_own_process () && !bbp.forked)
    {
      bbp.exec_begun = bbp_options.record && !bbp_options.children;
      bbp_dump ();
      bbp.exec_begun = false;
    }
  if (bbp_own_process ())
    with_lock (end_files);
  bbp_sigmask_make_real (true);
  if (bbp_own_process ())
    with_lock (pause_ticks);
  if (bbp_sampler_runs ())
    bbp_sampler_drop_tick ();
  bbp_sandbox_end ();
}

int
bbp_exec_failed (int result)
{
  int error = errno;
  if (bbp_own_process ())
    {
      with_lock (resume_files);
      with_lock (resume_ticks);
    }
  bbp_sigmask_make_real (false);
  bbp_sandbox_resume ();
  errno = error;
  return result;
}

static int
run_at (int folder, const char *path, char *const argv[], char *const envp[], int flags)
{
  errno = (int) -bbp_arch_syscall (SYS_execveat, folder, (long) path, (long) argv, (long) envp,
                                   flags, 0);
  return -1;
}

static int
run_file (int fd, char *const argv[], char *const envp[])
{
  if (fd >= 0)
    return run_at (fd, "", argv, envp, AT_EMPTY_PATH);
  errno = EINVAL;
  return -1;
}

/* Not by execveat, which tracers and filters may not know. */
static int
run_path (const char *path, char *const argv[], char *const envp[])
{
  errno = (int) -bbp_arch_syscall (SYS_execve, (long) path, (long) argv, (long) envp, 0, 0, 0);
  return -1;
}

static int
run (const char *path, char *const argv[], char *const envp[])
{
  return (next.execve ? next.execve : run_path) (path, argv, envp);
}

/* A file that is not a program is run by the shell, as POSIX requires of execvp. */
static int
run_or_interpret (const char *path, char *const argv[], char *const envp[])
{
  run_path (path, argv, envp);
  if (errno != ENOEXEC)
    return -1;
  size_t n = 0;
  while (argv[n])
    n++;
  char *shell[n + 3];
  shell[0] = (char *) "/bin/sh";
  shell[1] = (char *) path;
  for (size_t i = 1; i < n; i++)
    shell[i + 1] = argv[i];
  shell[n > 1 ? n + 1 : 2] = NULL;
  return run_path (shell[0], shell, envp);
}

/* Search PATH for FILE.  An error other than "not here" ends the search; EACCES is returned if
   nothing else was found. */
static int
search_and_run (const char *file, char *const argv[], char *const envp[])
{
  if (strchr (file, '/'))
    return run_or_interpret (file, argv, envp);
  const char *folder = getenv ("PATH");
  bool denied = false;
  if (!folder)
    folder = "/bin:/usr/bin";
  errno = ENOENT;
  for (const char *end; *file; folder = end + 1)
    {
      char buffer[4096];
      struct bbp_text name = { .buffer = buffer, .size = sizeof buffer };
      end = strchrnul (folder, ':');
      size_t length = (size_t) (end - folder);
      if (length < sizeof buffer)
        {
          bbp_copy_bytes (buffer, folder, length);
          name.used = length;
          bbp_text_string (&name, length ? "/" : "");
          bbp_text_string (&name, file);
          if (name.cut)
            errno = ENAMETOOLONG;
          else
            run_or_interpret (buffer, argv, envp);
          if (errno == EACCES)
            denied = true;
          else if (errno != ENOENT && errno != ENOTDIR && errno != ENODEV && errno != ESTALE
                   && errno != ETIMEDOUT)
            return -1;
        }
      if (!*end)
        break;
    }
  if (denied)
    errno = EACCES;
  return -1;
}

static int
run_by_path (const char *file, char *const argv[], char *const envp[])
{
  return next.execvpe ? next.execvpe (file, argv, envp) : search_and_run (file, argv, envp);
}

/* ENVP becomes the environment for the next program, in memory of the calling function. */
#define ENVIRONMENT(envp)                     \
  size_t room_ = bbp_environment_room (envp); \
  char *environment_[room_ + 1];              \
  if (room_)                                  \
  envp = bbp_environment_restore (environment_, room_, envp)

/* The common part of the public functions below.  They do not call each other: a program may define
   execve itself, and libc's execv does not call that either. */
static int
do_execve (const char *path, char *const argv[], char *const envp[])
{
  ENVIRONMENT (envp);
  bbp_exec_begin ();
  return bbp_exec_failed (run (path, argv, envp));
}

static int
do_execvpe (const char *file, char *const argv[], char *const envp[])
{
  ENVIRONMENT (envp);
  bbp_exec_begin ();
  return bbp_exec_failed (run_by_path (file, argv, envp));
}

BBP_PUBLIC_WEAK int
execve (const char *path, char *const argv[], char *const envp[])
{
  return do_execve (path, argv, envp);
}

BBP_PUBLIC_WEAK int
execv (const char *path, char *const argv[])
{
  return do_execve (path, argv, environ);
}

BBP_PUBLIC_WEAK int
execvpe (const char *file, char *const argv[], char *const envp[])
{
  return do_execvpe (file, argv, envp);
}

BBP_PUBLIC_WEAK int
execvp (const char *file, char *const argv[])
{
  return do_execvpe (file, argv, environ);
}

BBP_PUBLIC_WEAK int
fexecve (int fd, char *const argv[], char *const envp[])
{
  ENVIRONMENT (envp);
  bbp_exec_begin ();
  return bbp_exec_failed (next.fexecve ? next.fexecve (fd, argv, envp) : run_file (fd, argv, envp));
}

BBP_PUBLIC_WEAK int
execveat (int folder, const char *path, char *const argv[], char *const envp[], int flags)
{
  ENVIRONMENT (envp);
  bbp_exec_begin ();
  return bbp_exec_failed (next.execveat ? next.execveat (folder, path, argv, envp, flags)
                                        : run_at (folder, path, argv, envp, flags));
}

/* The number of arguments up to the null pointer, including it. */
static size_t
count_list (va_list list)
{
  size_t n = 1;
  while (va_arg (list, char *))
    n++;
  return n;
}

/* Declare ARGV: FIRST and the arguments after it; LIST is advanced behind the null pointer. */
#define ARGUMENTS(argv, list, first)  \
  va_list list;                       \
  va_start (list, first);             \
  char *argv[count_list (list) + 1];  \
  va_end (list);                      \
  va_start (list, first);             \
  argv[0] = (char *) first;           \
  for (size_t i_ = 0; argv[i_]; i_++) \
  argv[i_ + 1] = va_arg (list, char *)

BBP_PUBLIC_WEAK int
execl (const char *path, const char *arg, ...)
{
  ARGUMENTS (argv, list, arg);
  va_end (list);
  return do_execve (path, argv, environ);
}

BBP_PUBLIC_WEAK int
execlp (const char *file, const char *arg, ...)
{
  ARGUMENTS (argv, list, arg);
  va_end (list);
  return do_execvpe (file, argv, environ);
}

BBP_PUBLIC_WEAK int
execle (const char *path, const char *arg, ...)
{
  ARGUMENTS (argv, list, arg);
  char *const *envp = va_arg (list, char *const *);
  va_end (list);
  return do_execve (path, argv, envp);
}
