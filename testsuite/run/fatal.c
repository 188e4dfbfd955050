/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends in the way that argv[1] names, most by signal argv[2], or survives it.  Calls f ten times
   first, and once in each handler that runs; in threads ten times each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* siginterrupt, sigset: old, and still there. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define NOIPA __attribute__ ((noipa))

static int number;
static sigjmp_buf jump;
static pthread_barrier_t barrier;

NOIPA void f (void);
NOIPA void
f (void)
{
  __asm__ volatile ("");
}

static void
call_f_ten_times (void)
{
  for (int i = 0; i < 10; i++)
    f ();
}

/* The old way to die of a signal after one's own work. */
static void
die_by_default (int n)
{
  f ();
  signal (n, SIG_DFL);
  raise (n);
}

static void
call_and_return (int n)
{
  (void) n;
  f ();
}

static void
raise_again (int n)
{
  f ();
  raise (n);
}

static void
jump_out (int n)
{
  f ();
  siglongjmp (jump, n);
}

static void
handle (void (*function) (int), int flags)
{
  struct sigaction action = { .sa_handler = function, .sa_flags = flags };
  sigaction (number, &action, NULL);
}

static void
block (int how)
{
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, number);
  pthread_sigmask (how, &set, NULL);
}

static void
ignored (void)
{
  signal (number, SIG_IGN);
  raise (number);
}

static void
handler (void)
{
  signal (number, die_by_default);
  raise (number);
}

static void
once (void)
{
  handle (raise_again, SA_RESETHAND);
  raise (number);
}

static void
returning (void)
{
  handle (call_and_return, 0);
  raise (number);
  handle (call_and_return, SA_RESETHAND | SA_SIGINFO);
  raise (number);
  struct sigaction now;
  sigaction (number, NULL, &now);
  printf ("%d\n", now.sa_handler == SIG_DFL);
}

static void
jumping (void)
{
  for (volatile int i = 0; i < 3; i++)
    {
      handle (jump_out, SA_RESETHAND | SA_NODEFER);
      if (!sigsetjmp (jump, 1))
        raise (number);
    }
  handle (SIG_DFL, 0);
  raise (number);
}

NOIPA static void
fault (void)
{
  *(volatile int *) 8 = 1;
}

/* Blocked, a signal waits, and can be waited for. */
static void
waiting (void)
{
  sigset_t set;
  int came = 0;
  block (SIG_BLOCK);
  raise (number);
  sigpending (&set);
  printf ("pending: %d\n", sigismember (&set, number));
  sigemptyset (&set);
  sigaddset (&set, number);
  sigwait (&set, &came);
  printf ("came: %d\n", came == number);
  int fd = signalfd (-1, &set, 0);
  struct signalfd_siginfo info;
  raise (number);
  if (read (fd, &info, sizeof info) == sizeof info)
    printf ("read: %d\n", (int) info.ssi_signo == number);
  block (SIG_UNBLOCK);
}

static void
show_mask (const char *what)
{
  sigset_t now;
  sigprocmask (SIG_BLOCK, NULL, &now);
  printf ("%s: %d\n", what, sigismember (&now, number));
}

/* All ways to block and to open it are about the same mask. */
static void
held (void)
{
  block (SIG_BLOCK);
  show_mask ("blocked");
  sigrelse (number);
  show_mask ("released");
  block (SIG_BLOCK);
  printf ("sigset: %d", sigset (number, SIG_HOLD) == SIG_HOLD);
  printf (" %d\n", sigset (number, SIG_DFL) == SIG_HOLD);
  show_mask ("set");
  sighold (number);
  show_mask ("held");
  printf ("wrong: %d %d %d\n", sighold (65), sigrelse (0), sighold (33));
  block (SIG_UNBLOCK);
  show_mask ("open");
  raise (number);
}

static void
suspended (void)
{
  sigset_t open;
  block (SIG_BLOCK);
  raise (number);
  sigfillset (&open);
  sigdelset (&open, number);
  sigsuspend (&open);
}

static void *
raise_in_thread (void *own)
{
  call_f_ten_times ();
  pthread_barrier_wait (&barrier);
  raise (own ? SIGTERM : number);
  pause ();
  return NULL;
}

/* In four threads at the same time: SIGTERM, or the given signal. */
static void
threads (void)
{
  pthread_t thread[4];
  pthread_barrier_init (&barrier, NULL, 4);
  for (long i = 0; i < 4; i++)
    pthread_create (&thread[i], NULL, raise_in_thread, (void *) (i % 2));
  pthread_join (thread[0], NULL);
}

NOIPA static int
overflow (int n)
{
  char room[4096];
  memset (room, n, sizeof room);
  return n ? overflow (n + 1) + room[n & 4095] : 0;
}

/* A stack for handlers, with nothing below it. */
static void
use_other_stack (size_t bytes)
{
  char *room
      = mmap (NULL, 65536 + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t other = { .ss_sp = room + 65536, .ss_size = bytes };
  mprotect (room, 65536, PROT_NONE);
  if (sigaltstack (&other, NULL) != 0)
    exit (2);
}

/* With hardly more room for handlers than the kernel needs. */
static void
stack (void)
{
  struct rlimit limit = { 256 << 10, 256 << 10 };
  setrlimit (RLIMIT_STACK, &limit);
  use_other_stack (getauxval (AT_MINSIGSTKSZ) + 512);
  overflow (1);
}

/* With less than that. */
static void
small (void)
{
  use_other_stack (2048);
  raise (number);
}

/* The dispositions of a vfork child are its own; nothing of what it does to them is seen in the
   parent. */
static void
vforked (void)
{
  int status;
  handle (call_and_return, SA_RESETHAND);
  if (vfork () == 0)
    {
      signal (SIGUSR1, call_and_return);
      signal (number, SIG_DFL);
      raise (number);
      _exit (99);
    }
  wait (&status);
  printf ("child: %d\n", WTERMSIG (status) == number);
  struct sigaction now;
  sigaction (number, NULL, &now);
  printf ("parent: %d\n", now.sa_handler == call_and_return);
  raise (number);
  raise (number);
}

static void
shell (void)
{
  printf ("status: %d\n", system ("exit 3"));
  printf ("killed: %d\n", WTERMSIG (system ("kill -INT $$")));
  FILE *pipe = popen ("kill -TERM $$", "r");
  printf ("killed: %d\n", WTERMSIG (pclose (pipe)));
}

static void
forked (void)
{
  int status;
  pid_t child = fork ();
  if (child == 0)
    {
      f ();
      raise (number);
    }
  wait (&status);
  printf ("child: %d %d\n", WIFSIGNALED (status), WTERMSIG (status) == number);
  fprintf (stderr, "%d\n", child);
}

/* Prints the disposition of a signal whose handler was set with FLAGS, without the flags and the
   address that libc adds. */
static void
show (const char *what, void (*answer) (int))
{
  struct sigaction now;
  sigaction (number, NULL, &now);
  printf ("%s: %d %d; now %d %d, flags %x, mask %d %d, %d\n", what, answer == SIG_DFL,
          answer == call_and_return, now.sa_handler == SIG_DFL, now.sa_handler == call_and_return,
          (unsigned) now.sa_flags, sigismember (&now.sa_mask, number),
          sigismember (&now.sa_mask, SIGCHLD), now.sa_restorer != NULL);
}

static void
view (void)
{
  show ("start", NULL);
  show ("signal", signal (number, call_and_return));
  show ("signal", signal (number, SIG_DFL));
  struct sigaction action
      = { .sa_handler = SIG_DFL, .sa_flags = SA_RESTART | SA_SIGINFO | SA_RESETHAND },
      old;
  sigaddset (&action.sa_mask, SIGCHLD);
  sigaction (number, &action, &old);
  show ("sigaction", old.sa_handler);
  action.sa_handler = call_and_return;
  sigaction (number, &action, &action);
  show ("both", action.sa_handler);
  sigaction (number, &action, &old);
  show ("restored", old.sa_handler);
  siginterrupt (number, 1);
  show ("interrupt", NULL);
  show ("signal", signal (number, call_and_return));
  show ("signal", signal (number, SIG_IGN));
  siginterrupt (number, 0);
  show ("sysv", sysv_signal (number, call_and_return));
  show ("sysv", sysv_signal (number, SIG_DFL));
  show ("sigset", sigset (number, SIG_HOLD));
  raise (number);
  printf ("held: %d\n", sigset (number, call_and_return) == SIG_HOLD);
  sigignore (number);
  show ("ignore", ssignal (number, SIG_DFL));
  printf ("wrong: %d %d\n", signal (65, SIG_DFL) == SIG_ERR, sigaction (SIGKILL, &action, NULL));
  raise (number);
}

static void raised (void) { raise (number); }
static void killed (void) { kill (getpid (), number); pause (); }
static void alarmed (void) { ualarm (1000, 0); for (;;) ; }
static void aborted (void) { abort (); }

/* A handler that returns does not keep abort from its end; nor raise from going on, or from a
   second time. */
static void
aborting (void)
{
  struct sigaction now;
  signal (number, call_and_return);
  raise (number);
  f ();
  sigaction (number, NULL, &now);
  printf ("%d\n", now.sa_handler == call_and_return);
  abort ();
}

static const struct {
  const char *name;
  void (*run) (void);
} ways[] = {
  { "raised", raised },   { "killed", killed },       { "alarmed", alarmed },
  { "aborted", aborted }, { "aborting", aborting },   { "ignored", ignored },
  { "handler", handler }, { "once", once },           { "returning", returning },
  { "jumping", jumping }, { "fault", fault },         { "waiting", waiting },
  { "held", held },       { "suspended", suspended }, { "threads", threads },
  { "stack", stack },     { "small", small },         { "vforked", vforked },
  { "shell", shell },     { "forked", forked },       { "view", view },
};

int
main (int argc, char **argv)
{
  struct rlimit none = { 0, 0 };
  setrlimit (RLIMIT_CORE, &none);
  setvbuf (stdout, NULL, _IONBF, 0);
  number = argc > 2 ? atoi (argv[2]) : SIGTERM;
  call_f_ten_times ();
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (!strcmp (argv[1], ways[i].name))
      {
        ways[i].run ();
        puts ("survived");
        return 0;
      }
  return 2;
}
