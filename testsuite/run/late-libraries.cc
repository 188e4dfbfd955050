// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that are used and unloaded while the process ends: by the destructor of a static
// object, by an exit handler, and one that comes and goes in the last destructor of all; and one
// that stays.  A forked child, of a process with threads, ends in the same way.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

struct library {
  void *handle;
  int (*step) (int);

  explicit library (const char *name)
      : handle (dlopen (name, RTLD_NOW)),
        step (reinterpret_cast<int (*) (int)> (dlsym (handle, "take_step")))
  {
  }
  void
  use (int times)
  {
    for (int i = 0; i < times; i++)
      step (i);
  }
};

struct holder : library {
  using library::library;
  ~holder ()
  {
    use (2);
    dlclose (handle);
  }
};

static holder held ("./a.so");
static library *closed_by_handler;

static void
exit_handler ()
{
  closed_by_handler->use (1);
  dlclose (closed_by_handler->handle);
}

__attribute__ ((destructor)) static void
last ()
{
  library late ("./c.so");
  late.use (3);
  dlclose (late.handle);
}

static void *
wait_for_the_end (void *unused)
{
  pause ();
  return unused;
}

int
main ()
{
  library handled ("./b.so"), kept ("./d.so");
  pthread_t thread;
  closed_by_handler = &handled;
  handled.use (10);
  atexit (exit_handler);
  pthread_create (&thread, nullptr, wait_for_the_end, nullptr);
  pid_t child = fork ();
  if (child == 0)
    {
      kept.use (5);
      exit (42);
    }
  int status;
  waitpid (child, &status, 0);
  std::printf ("%d %d\n", static_cast<int> (child), WEXITSTATUS (status));
  kept.use (1);
  std::fflush (stdout);
  exit (42);
}
