/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program, as a child in the foreground.  It has our terminal, process group, descriptors,
   mask and dispositions of signals: what the terminal sends it gets by itself; what somebody
   sends to us alone is passed on. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

/* The child: becomes the program, or says by FD why not. */
static _Noreturn void
become_program (const struct record_run *run, int fd)
{
  char **environment = record_environment (run->options, run->library, run->output, getpid ());
  held_signals_give_back ();
  if (environment)
    {
      environ = environment;
      char **argv = run->options->argv;
      execv (run->file, argv);
      if (errno == ENOEXEC) /* a script without a first line that says whose */
        {
          static char shell[] = "/bin/sh";
          argv[0] = (char *) run->file;
          argv[-1] = shell; /* in the place of the word before the program's name */
          execv (shell, argv - 1);
        }
    }
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

/* Children that have not been reaped; those that have ended stay as they are. */
static bool
has_children (void)
{
  siginfo_t info;
  return waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool
record_start (struct record_run *run, int *status, struct error *err)
{
  int ends[2], error = 0;
  *status = STATUS_FAILED;
  run->started = now ();
  run->strangers = has_children ();
  if (pipe2 (ends, O_CLOEXEC) != 0)
    return error_set (err, NULL, ERROR_NO_OFFSET, "%s", strerror (errno));
  run->pid = fork ();
  if (run->pid == 0)
    become_program (run, ends[1]);
  int failed = run->pid < 0 ? errno : 0;
  close (ends[1]);
  if (!failed && read (ends[0], &error, sizeof error) == sizeof error)
    {
      waitpid (run->pid, NULL, 0);
      *status = STATUS_NOT_EXECUTABLE;
      failed = error;
    }
  close (ends[0]);
  return !failed || error_set (err, run->file, ERROR_NO_OFFSET, "%s", strerror (failed));
}

/* The terminal has stopped the program: so it is with us, whom the shell waits for. */
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

/* True: the program has ended.  Its writers (runtime/writer/writer.c) are children, too, and are
   reaped. */
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

/* Those of a program that was killed have something left to write.  One whose disk hangs is
   waited for no longer; nor is any, where this process had children already when it became this
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

/* By which signal somebody wants this process, or the program, to end; 0: not.  It may come when
   the program has ended by itself, or be handled there: for one run that is all, but many are to
   end with it. */
static int ending;

static bool
is_ending (int number)
{
  return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
}

void
record_wait (struct record_run *run)
{
  for (;;)
    {
      siginfo_t info;
      int number = sigwaitinfo (held_signals (), &info);
      if (is_ending (number))
        ending = number;
      if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL)
        kill (run->pid, number);
      if (look_at_children (run))
        break;
    }
  wait_for_writers (run);
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

static int asked; /* by which signal; 0: not */

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

/* By the signal that the program has died of, and without a second core. */
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
  enum { COARSE = 10000000 }; /* nanoseconds that the times of files may be behind */
  struct stat st;
  return stat (name, &st) == 0
         && (int64_t) st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec >= run->started - COARSE;
}
