// SPDX-License-Identifier: GPL-3.0-or-later
// Does what is hard for a handler that interrupts a program at any time: in some threads, so many
// rounds, things in an order that SEED decides.
//
//   stress ROUNDS SEED    prints a sum of all that was computed, which depends on nothing else
//   stress once N         ends with status N % 100
//
// Each of these faults ends it with a line on stderr: a waiting call that was interrupted, a
// child that ended in another way, a lost signal.
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

enum { WORKERS = 3, STACK = 32768 };

static char *self;
extern char **environ;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

struct worker {
  uint64_t random, sum;
  sigjmp_buf back;
  volatile sig_atomic_t handled;
  ucontext_t main, other;
  volatile uint64_t exchanged;
  std::vector<char> alternate;
};
static thread_local worker *my;

[[noreturn]] static void
wrong (const char *what)
{
  fprintf (stderr, "stress: %s (%s)\n", what, strerror (errno));
  abort ();
}

static uint64_t
below (uint64_t n)
{
  my->random = my->random * 6364136223846793005 + 1442695040888963407;
  return (my->random >> 33) % n;
}

static void
add (uint64_t value)
{
  my->sum = (my->sum ^ value) * 1099511628211;
}

__attribute__ ((noipa)) static uint64_t
compute (uint64_t n)
{
  uint64_t sum = n;
  for (uint64_t i = 0; i < n; i++)
    sum = sum * 31 + (sum >> 7) + i;
  return sum;
}

static int
status_of (pid_t child)
{
  int status = -1;
  if (waitpid (child, &status, 0) != child)
    wrong ("waitpid");
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1000 + status;
}

static void
allocate ()
{
  std::vector<std::vector<uint64_t>> all;
  for (int i = 0; i < 50; i++)
    all.emplace_back (below (5000) + 1, below (1000));
  std::sort (all.begin (), all.end ());
  for (const auto &one : all)
    add (one.size () + one[0]);
}

__attribute__ ((noipa)) static uint64_t
throw_from (unsigned depth)
{
  if (depth == 0)
    throw std::runtime_error ("bottom");
  try
    {
      return throw_from (depth - 1) + 1;
    }
  catch (const std::logic_error &)
    {
      return 0;
    }
}

static void
throws ()
{
  for (int i = 0; i < 20; i++)
    try
      {
        add (throw_from ((unsigned) below (60)));
      }
    catch (const std::runtime_error &error)
      {
        add (strlen (error.what ()));
      }
}

static void
on_signal (int)
{
  my->handled = my->handled + 1;
  compute (1000);
}

static void
on_signal_leave (int)
{
  my->handled = my->handled + 1;
  compute (1000);
  siglongjmp (my->back, 1);
}

static void
jumps ()
{
  for (int i = 0; i < 20; i++)
    if (sigsetjmp (my->back, 1) == 0)
      pthread_kill (pthread_self (), SIGUSR2);
    else
      add (compute (below (2000)));
}

static void
signals ()
{
  int before = my->handled;
  for (int i = 0; i < 20; i++)
    pthread_kill (pthread_self (), SIGUSR1);
  if (my->handled - before != 20)
    wrong ("signals are missing");
  add (20);
}

static void
coroutine ()
{
  for (;;)
    {
      my->exchanged = compute (my->exchanged % 3000);
      swapcontext (&my->other, &my->main);
    }
}

static void
contexts ()
{
  std::vector<char> stack (STACK);
  getcontext (&my->other);
  my->other.uc_stack.ss_sp = stack.data ();
  my->other.uc_stack.ss_size = stack.size ();
  my->other.uc_link = nullptr;
  makecontext (&my->other, coroutine, 0);
  for (int i = 0; i < 50; i++)
    {
      my->exchanged = below (3000);
      swapcontext (&my->main, &my->other);
      add (my->exchanged);
    }
}

static void
loads ()
{
  pthread_mutex_lock (&loading);
  for (int i = 0; i < 3; i++)
    {
      const char *name = i % 2 ? "./libstress2.so" : "./libstress1.so";
      void *handle = dlopen (name, RTLD_NOW);
      auto call = handle ? (long (*) (long)) dlsym (handle, "loaded") : nullptr;
      if (!call)
        wrong ("dlopen");
      add ((uint64_t) call ((long) below (20000)));
      dlclose (handle);
    }
  pthread_mutex_unlock (&loading);
}

static void
forks ()
{
  uint64_t n = below (100);
  pid_t child = fork ();
  if (child == 0)
    {
      compute (20000);
      _exit ((int) n);
    }
  if (child < 0 || status_of (child) != (int) n)
    wrong ("a child ended in another way");
  add (n);
}

static void
spawns ()
{
  char number[16], once[] = "once";
  uint64_t n = below (100);
  snprintf (number, sizeof number, "%d", (int) n);
  char *argv[] = { self, once, number, nullptr };
  pid_t child;
  if (below (2))
    {
      if (posix_spawn (&child, self, nullptr, nullptr, argv, environ) != 0)
        wrong ("posix_spawn");
    }
  else if ((child = vfork ()) == 0)
    {
      execv (self, argv);
      _exit (126);
    }
  if (status_of (child) != (int) n)
    wrong ("another program ended in another way");
  add (n);
}

static void *
be_born (void *n)
{
  return (void *) compute ((uint64_t) n);
}

static void
threads ()
{
  pthread_t born[8];
  for (auto &one : born)
    if (pthread_create (&one, nullptr, be_born, (void *) below (20000)))
      wrong ("pthread_create");
  for (auto &one : born)
    {
      void *result;
      pthread_join (one, &result);
      add ((uint64_t) result);
    }
}

static void
waits ()
{
  int ends[2];
  timespec soon = { 0, (long) below (2000000) };
  if (nanosleep (&soon, nullptr) != 0)
    wrong ("nanosleep");
  pollfd none = { -1, 0, 0 };
  if (poll (&none, 1, (int) below (3)) != 0)
    wrong ("poll");
  if (pipe (ends) != 0)
    wrong ("pipe");
  pthread_t writer;
  pthread_create (&writer, nullptr, [] (void *fd) -> void * {
    usleep (500);
    return (void *) write ((int) (intptr_t) fd, "x", 1);
  }, (void *) (intptr_t) ends[1]);
  char byte;
  if (read (ends[0], &byte, 1) != 1)
    wrong ("read");
  pthread_join (writer, nullptr);
  close (ends[0]);
  close (ends[1]);
  add ((uint64_t) byte);
}

static void *
work (void *of)
{
  static void (*const things[]) ()
      = { allocate, throws, jumps, signals, contexts, loads, forks, spawns, threads, waits };
  auto [worker_, rounds] = *(std::pair<worker *, long> *) of;
  my = worker_;
  my->alternate.resize (65536);
  stack_t alternate = { my->alternate.data (), 0, my->alternate.size () };
  if (below (2))
    sigaltstack (&alternate, nullptr);
  for (long i = 0; i < rounds; i++)
    {
      things[below (sizeof things / sizeof *things)]();
      add (compute (below (50000)));
    }
  alternate.ss_flags = SS_DISABLE;
  sigaltstack (&alternate, nullptr);
  return nullptr;
}

static volatile sig_atomic_t alarms;

static void
on_alarm (int)
{
  alarms = alarms + 1;
}

static void
catch_signal (int number, void (*handler) (int), int flags)
{
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (sigaction (number, &action, nullptr) != 0)
    wrong ("sigaction");
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  self = argv[0];
  if (strcmp (argv[1], "once") == 0)
    return compute (20000) == 1 ? 101 : atoi (argv[2]) % 100;
  catch_signal (SIGUSR1, on_signal, SA_ONSTACK | SA_RESTART);
  catch_signal (SIGUSR2, on_signal_leave, SA_ONSTACK);
  catch_signal (SIGALRM, on_alarm, SA_RESTART);
  sigset_t alarm;
  sigemptyset (&alarm);
  sigaddset (&alarm, SIGALRM);
  pthread_sigmask (SIG_BLOCK, &alarm, nullptr); // so it comes to this thread only
  static worker workers[WORKERS];
  std::pair<worker *, long> tasks[WORKERS];
  pthread_t running[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    {
      workers[i].random = (uint64_t) atol (argv[2]) * WORKERS + (uint64_t) i;
      tasks[i] = { &workers[i], atol (argv[1]) };
      if (pthread_create (&running[i], nullptr, work, &tasks[i]))
        wrong ("pthread_create");
    }
  pthread_sigmask (SIG_UNBLOCK, &alarm, nullptr);
  const itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = {};
  setitimer (ITIMER_REAL, &often, nullptr);
  uint64_t sum = 0;
  for (int i = 0; i < WORKERS; i++)
    {
      pthread_join (running[i], nullptr);
      sum = sum * 31 + workers[i].sum;
    }
  setitimer (ITIMER_REAL, &never, nullptr);
  printf ("%016llx\n", (unsigned long long) sum);
  return 0;
}
