/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program as a child in the foreground.  It has this process's terminal, process group,
   descriptors, signal mask and dispositions.  It receives the terminal's signals itself; signals
   that are sent to this process alone are passed on. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/program/held_signals.h"
#include "tools/record/record.h"

void
record_hold_signals (void)
{
  static const int numbers[]
      = { SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT };
  held_signals_begin (numbers, sizeof numbers / sizeof *numbers);
}

/* A script without a #! line.  Returns if it cannot be run. */
static void
become_shell (const struct record_run *run, char **environment)
{
  static char shell[] = "/bin/sh";
  char **words = run->options->argv;
  size_t n = 0;
  while (words[n])
    n++;
  char *argv[n + 2]; /* the kernel has taken them from a stack as large */
  argv[0] = shell;
  argv[1] = (char *) run->file;
  memcpy (argv + 2, words + 1, n * sizeof *argv);
  execve (shell, argv, environment);
}

/* In the child: becomes the program when GATE (or -1) opens, or writes to FD why not.  Without a
   gate, the memory is that of this process, which keeps what is changed here. */
static _Noreturn void
become_program (struct record_run *run, int gate, int fd)
{
  char go;
  if (gate >= 0 && read (gate, &go, 1) != 1)
    _exit (STATUS_FAILED);
  if (run->library)
    run->environment = record_environment (run->options, run->library, run->output, getpid ());
  char **environment = run->library ? run->environment : environ;
  held_signals_give_back ();
  if (environment)
    execve (run->file, run->options->argv, environment);
  if (environment && errno == ENOEXEC)
    become_shell (run, environment);
  int error = errno;
  _exit (write (fd, &error, sizeof error) == sizeof error ? STATUS_NOT_EXECUTABLE : STATUS_FAILED);
}

static int64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  return (int64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

/* True if there are children that were not reaped; this does not reap them. */
static bool
has_children (void)
{
  siginfo_t info;
  return waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Lets the child go on, behind GATE, when this process is ready.  False: it is not, and the child
   has ended. */
static bool
open_gate (struct record_run *run, int gate[2], struct error *err)
{
  close (gate[0]);
  const bool good = run->before (run, err) && write (gate[1], "", 1) == 1;
  close (gate[1]);
  if (!good)
    waitpid (run->pid, NULL, 0);
  return good;
}

bool
record_start (struct record_run *run, int *status, struct error *err)
{
  int ends[2], gate[2] = { -1, -1 }, error = 0;
  *status = STATUS_FAILED;
  run->started = now ();
  run->strangers = has_children ();
  if (pipe2 (ends, O_CLOEXEC) != 0 || (run->before && pipe2 (gate, O_CLOEXEC) != 0))
    return error_set (err, NULL, ERROR_NO_OFFSET, "%s", strerror (errno));
  run->environment = NULL;
  /* A copy of the memory, and of the pages that both write, took 0.3 ms.  Behind a gate, this
     process has to go on while the child waits. */
  run->pid = run->before ? fork () : vfork ();
  if (run->pid == 0)
    {
      if (run->before)
        close (gate[1]);
      become_program (run, gate[0], ends[1]);
    }
  free (run->environment);
  int failed = run->pid < 0 ? errno : 0;
  close (ends[1]);
  if (!failed && run->before && !open_gate (run, gate, err))
    {
      close (ends[0]);
      *status = STATUS_USAGE;
      return false;
    }
  if (!failed && read (ends[0], &error, sizeof error) == sizeof error)
    {
      waitpid (run->pid, NULL, 0);
      *status = STATUS_NOT_EXECUTABLE;
      failed = error;
    }
  close (ends[0]);
  return !failed || error_set (err, run->file, ERROR_NO_OFFSET, "%s", strerror (failed));
}

/* The terminal stopped the program.  Stops this process too, because the shell waits for it. */
static void
stop_too (const struct record_run *run, int number)
{
  sigset_t one, old;
  sigemptyset (&one);
  sigaddset (&one, number);
  raise (number);
  sigprocmask (SIG_UNBLOCK, &one, &old);
  sigprocmask (SIG_SETMASK, &old, NULL);
  kill (run->pid, SIGCONT);
}

/* True: the program ended.  Also reaps its writers (runtime/writer/writer.c), which became
   children of this process. */
static bool
look_at_children (struct record_run *run)
{
  int status;
  bool ended = false;
  for (pid_t pid; (pid = waitpid (-1, &status, WNOHANG | WUNTRACED)) > 0;)
    {
      if (pid != run->pid)
        continue;
      ended = !WIFSTOPPED (status);
      if (ended)
        run->status = status;
      else if (WSTOPSIG (status) == SIGTSTP || WSTOPSIG (status) == SIGTTIN
               || WSTOPSIG (status) == SIGTTOU)
        stop_too (run, WSTOPSIG (status));
    }
  return ended;
}

/* The writers of a killed program may still have data to write.  Waits for a limited time,
   because a disk may hang.  Does not wait if this process had children before it became this
   command. */
static void
wait_for_writers (struct record_run *run)
{
  enum { MOST_LOOKS = 150 };
  static const struct timespec pause = { .tv_nsec = 20000000 };
  sigset_t child;
  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  for (int i = 0; i < MOST_LOOKS && !run->strangers && has_children (); i++)
    {
      sigtimedwait (&child, NULL, &pause);
      look_at_children (run);
    }
}

/* The signal by which the user wants this process or the program to end; 0: none.  For one run
   it has no further effect: the program may handle it, or have ended already.  With --repeat it
   ends the series. */
static int ending;

static bool
is_ending (int number)
{
  return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

/* A signal has arrived.  True: the program has ended. */
static bool
attend (struct record_run *run, int number, const siginfo_t *info)
{
  if (is_ending (number))
    ending = number;
  if (number > 0 && number != SIGCHLD && info->si_code != SI_KERNEL)
    kill (run->pid, number);
  return look_at_children (run);
}

void
record_wait (struct record_run *run)
{
  for (;;)
    {
      siginfo_t info;
      int number = sigwaitinfo (held_signals (), &info);
      if (attend (run, number, &info))
        break;
    }
  wait_for_writers (run);
}

bool
record_has_ended (struct record_run *run)
{
  static const struct timespec none;
  siginfo_t info;
  for (int number; (number = sigtimedwait (held_signals (), &info, &none)) > 0;)
    if (attend (run, number, &info))
      return true;
  return false;
}

static int
take (void)
{
  static const struct timespec none;
  siginfo_t info;
  sigset_t ends = *held_signals ();
  sigdelset (&ends, SIGCHLD);
  sigdelset (&ends, SIGCONT);
  sigdelset (&ends, SIGTSTP);
  return sigtimedwait (&ends, &info, &none);
}

static int asked; /* the signal that requested the end; 0: none */

bool
record_is_asked_to_end (void)
{
  if (!asked)
    {
      int number = ending ? ending : take ();
      asked = number > 0 ? number : 0;
    }
  return asked;
}

/* Ends by the signal that killed the program, without a second core file. */
static void
die (int number)
{
  sigset_t all;
  prctl (PR_SET_DUMPABLE, 0);
  signal (number, SIG_DFL);
  sigfillset (&all);
  sigdelset (&all, number);
  sigprocmask (SIG_SETMASK, &all, NULL);
  raise (number);
}

void
record_leave (int status)
{
  fflush (NULL);
  if (asked && WIFEXITED (status))
    die (asked);
  if (WIFSIGNALED (status))
    die (WTERMSIG (status));
  _exit (WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status));
}

bool
record_is_since (const char *name, const struct record_run *run)
{
  enum { COARSE = 10000000 }; /* nanoseconds by which file times may lag behind */
  struct stat st;
  return stat (name, &st) == 0
         && (int64_t) st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec >= run->started - COARSE;
}
