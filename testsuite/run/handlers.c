/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a program sees of the handlers that it sets: what the functions of the family say of
   the one before, with flags and mask; what a handler gets, and finds blocked; what it leaves in
   errno; what children find. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern char **environ;

static void plain (int);
static void with_info (int, siginfo_t *, void *);
static void other (int);

static const char *
name (void (*handler) (int))
{
  return handler == SIG_DFL                      ? "default"
         : handler == SIG_IGN                    ? "ignored"
         : handler == SIG_HOLD                   ? "held"
         : handler == SIG_ERR                    ? "error"
         : handler == plain                      ? "plain"
         : handler == other                      ? "other"
         : handler == (void (*) (int)) with_info ? "info"
                                                 : "somebody's";
}

static void
show_mask (const char *what, const sigset_t *mask)
{
  printf ("%s:", what);
  for (int i = 1; i < 32; i++)
    if (sigismember (mask, i))
      printf (" %d", i);
  puts ("");
}

static void
show (int number)
{
  struct sigaction now;
  int result = sigaction (number, NULL, &now);
  printf ("%d: %d %s %x ", number, result, name (now.sa_handler), now.sa_flags & ~0x04000000);
  show_mask ("mask", &now.sa_mask);
}

static void
show_blocked (void)
{
  sigset_t mask;
  sigprocmask (SIG_BLOCK, NULL, &mask);
  show_mask ("blocked", &mask);
}

static void
plain (int number)
{
  printf ("plain %d\n", number);
  show (number);
  show_blocked ();
  errno = 71;
}

static void
other (int number)
{
  printf ("other %d\n", number);
}

static void
with_info (int number, siginfo_t *info, void *context)
{
  ucontext_t *interrupted = context;
  printf ("info %d: %d %d %d\n", number, info->si_signo, info->si_code, info->si_value.sival_int);
  show_mask ("interrupted", &interrupted->uc_sigmask);
  show_blocked ();
}

static void
set (int number, void (*handler) (int), int flags, int masked)
{
  struct sigaction new = { .sa_handler = handler, .sa_flags = flags }, old;
  memset (&old, 0, sizeof old);
  if (masked)
    sigaddset (&new.sa_mask, masked);
  int result = sigaction (number, &new, &old);
  printf ("set %d %s: %d, was %s %x\n", number, name (handler), result, name (old.sa_handler),
          old.sa_flags & ~0x04000000);
}

static void
all_flags (void)
{
  static const int numbers[]
      = { SIGUSR1, SIGSEGV, SIGCHLD, SIGPROF, SIGURG, SIGABRT, SIGWINCH, 40 };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
      int number = numbers[i];
      set (number, plain, 0, SIGUSR2);
      show (number);
      errno = 5;
      raise (number);
      printf ("errno %d\n", errno);
      set (number, (void (*) (int)) with_info, SA_SIGINFO | SA_NODEFER | SA_RESTART, SIGHUP);
      if (number != SIGABRT)
        sigqueue (getpid (), number, (union sigval) { .sival_int = 77 });
      set (number, plain, SA_RESETHAND | SA_ONSTACK, 0);
      raise (number);
      show (number);
      set (number, other, SA_RESETHAND | SA_SIGINFO, 0);
      set (number, SIG_IGN, 0, 0);
      raise (number);
      set (number, SIG_DFL, 0, 0);
      show (number);
    }
  set (SIGKILL, plain, 0, 0);
  set (33, plain, 0, 0);
  set (0, plain, 0, 0);
  set (65, plain, 0, 0);
}

static void
older_functions (void)
{
  puts (name (signal (SIGUSR1, plain)));
  show (SIGUSR1);
  siginterrupt (SIGUSR1, 1);
  show (SIGUSR1);
  puts (name (signal (SIGUSR1, other)));
  puts (name (sysv_signal (SIGUSR1, plain)));
  raise (SIGUSR1);
  show (SIGUSR1);
  puts (name (sigset (SIGUSR1, other)));
  puts (name (sigset (SIGUSR1, SIG_HOLD)));
  raise (SIGUSR1);
  puts (name (sigset (SIGUSR1, plain)));
  puts (name (signal (SIGUSR1, SIG_IGN)));
  puts (name (signal (SIGKILL, plain)));
  puts (name (signal (SIGCHLD, plain)));
  puts (name (signal (SIGCHLD, SIG_DFL)));
}

/* A child's handlers are its own; a program that it executes finds the defaults. */
static void
children (void)
{
  set (SIGUSR1, plain, SA_RESTART, 0);
  set (SIGUSR2, other, 0, 0);
  fflush (stdout);
  pid_t child = vfork ();
  if (child == 0)
    {
      struct sigaction new = { .sa_handler = other }, old;
      sigaction (SIGUSR1, &new, &old);
      _exit (old.sa_handler == plain ? 0 : 1);
    }
  int status;
  waitpid (child, &status, 0);
  printf ("vfork: %x\n", status);
  show (SIGUSR1);
  raise (SIGUSR1);
  raise (SIGUSR2);
  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      show (SIGUSR2);
      raise (SIGUSR2);
      set (SIGUSR2, plain, 0, 0);
      raise (SIGUSR2);
      fflush (stdout);
      _exit (0);
    }
  waitpid (child, &status, 0);
  printf ("fork: %x\n", status);
  char *words[] = { "sh", "-c", "grep SigCgt /proc/self/status", NULL };
  fflush (stdout);
  if (posix_spawnp (&child, "sh", NULL, NULL, words, environ) == 0)
    waitpid (child, &status, 0);
  printf ("spawn: %x, system: %x\n", status, system ("exit 5"));
  show (SIGUSR1);
}

/* Two threads set one signal's handler again and again while it comes: always one of the two. */
static volatile int stop, came;

static void
a_little (int number)
{
  came += number == SIGUSR1;
}

static void *
setting (void *unused)
{
  while (!stop)
    {
      signal (SIGUSR1, a_little);
      signal (SIGUSR1, SIG_IGN);
    }
  return unused;
}

static void
race (void)
{
  pthread_t threads[2];
  signal (SIGUSR1, SIG_IGN);
  for (int i = 0; i < 2; i++)
    pthread_create (&threads[i], NULL, setting, NULL);
  for (int i = 0; i < 20000; i++)
    kill (getpid (), SIGUSR1);
  stop = 1;
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  puts ("race over");
}

int
main (void)
{
  signal (SIGUSR1, SIG_IGN);
  all_flags ();
  older_functions ();
  children ();
  race ();
  return 0;
}
