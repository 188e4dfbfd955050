/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a program that is watched from its first instruction on: its process is made, waits until
   it is watched, and calls exec. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/program/held_signals.h"
#include "tools/top/top.h"

void
top_hold_signals (void)
{
  static const int numbers[]
      = { SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH };
  held_signals_begin (numbers, sizeof numbers / sizeof *numbers);
}

int
top_take_signal (bool *ours)
{
  static const struct timespec none;
  siginfo_t info;
  int number = sigtimedwait (held_signals (), &info, &none);
  *ours = number > 0 && info.si_code != SI_KERNEL;
  return number > 0 ? number : 0;
}

/* SIGTSTP is held; SIGSTOP means the same to the shell. */
void
top_stop (void)
{
  kill (getpid (), SIGSTOP);
}

/* Opens the file for the output; -1: ERR says why not. */
static int
open_output (const char *name, struct error *err)
{
  char unnamed[] = "/tmp/bbprof-top-XXXXXX";
  int fd = name ? open (name, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)
                : mkostemp (unnamed, O_APPEND | O_CLOEXEC);
  if (fd < 0)
    error_set (err, name ? name : "/tmp", ERROR_NO_OFFSET, "no file for the program's output: %s",
               strerror (errno));
  else if (!name)
    unlink (unnamed);
  return fd;
}

/* The child: reports by COMPLAINT that it is there (0), calls exec when it gets a byte from GATE,
   or reports why it cannot. */
static _Noreturn void
become_program (char **argv, int gate, int complaint, int output)
{
  char go;
  int error = 0, input = open ("/dev/null", O_RDONLY);
  held_signals_give_back ();
  if (write (complaint, &error, sizeof error) != sizeof error || read (gate, &go, 1) != 1)
    _exit (STATUS_FAILED);
  if (dup2 (input, STDIN_FILENO) >= 0 && dup2 (output, STDOUT_FILENO) >= 0
      && dup2 (output, STDERR_FILENO) >= 0)
    {
      if (input != STDIN_FILENO)
        close (input);
      execvp (argv[0], argv);
    }
  error = errno;
  _exit (write (complaint, &error, sizeof error) == sizeof error ? STATUS_NOT_EXECUTABLE
                                                                 : STATUS_FAILED);
}

bool
top_program_start (struct top_program *p, char **argv, const char *output, int *status,
                   struct error *err)
{
  int gate[2], complaint[2];
  *status = STATUS_FAILED;
  *p = (struct top_program) { .gate = -1, .complaint = -1, .output = open_output (output, err) };
  if (p->output < 0)
    return false;
  if (pipe2 (gate, O_CLOEXEC) != 0)
    return error_set (err, NULL, ERROR_NO_OFFSET, "%s", strerror (errno));
  if (pipe2 (complaint, O_CLOEXEC) == 0)
    {
      p->pid = fork ();
      if (p->pid == 0)
        {
          close (gate[1]);
          become_program (argv, gate[0], complaint[1], p->output);
        }
      p->gate = gate[1];
      p->complaint = complaint[0];
      close (complaint[1]);
    }
  int error = errno, nothing;
  close (gate[0]);
  if (p->pid > 0 && read (p->complaint, &nothing, sizeof nothing) == sizeof nothing)
    /* a process that has never run can be recognized in /proc only by its missing switches */
    return true;
  return error_set (err, NULL, ERROR_NO_OFFSET, "no process for the program: %s", strerror (error));
}

bool
top_program_go (struct top_program *p, const char *name, int *status, struct error *err)
{
  int error = 0;
  bool failed = write (p->gate, "", 1) != 1
                || read (p->complaint, &error, sizeof error) == sizeof error;
  close (p->gate);
  close (p->complaint);
  if (!failed)
    return true;
  waitpid (p->pid, NULL, 0);
  *status = error == ENOENT || error == ENOTDIR ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
  struct stat st;
  bool found = stat (name, &st) == 0, denied = error == EACCES;
  return error_set (err, name, ERROR_NO_OFFSET, "%s",
                    error == ENOENT ? "no such program; name a program, or the PID of a process"
                    : found && S_ISDIR (st.st_mode) ? "is a directory, not a program"
                    : denied && found && S_ISREG (st.st_mode)
                        ? "may not be run (chmod +x makes a file executable)"
                        : strerror (error));
}

bool
top_program_has_ended (struct top_program *p)
{
  if (!p->ended)
    p->ended = waitpid (p->pid, &p->status, WNOHANG) == p->pid;
  return p->ended;
}

void
top_program_print (const struct top_program *p, int fd)
{
  char buffer[65536];
  ssize_t n;
  for (off_t at = 0; (n = pread (p->output, buffer, sizeof buffer, at)) > 0; at += n)
    for (ssize_t done = 0, written; done < n; done += written)
      if ((written = write (fd, buffer + done, (size_t) (n - done))) <= 0)
        return;
}
