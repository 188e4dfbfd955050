/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything at once, for SECONDS: short threads, joined and detached; libraries that are loaded,
   call back, and are unloaded; forked children, some of which call exec; signals all the time.

     soak SECONDS SEED     prints the calls of each function, "NAME CALLS"; those of the N-th child
                           are in child.N/truth, beside its profile
     soak once CALLS       the program that such a child executes

   The program itself counts the calls of its functions too.  */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))
enum { MAKERS = 3, WIDTH = 4 };

/* Calls of each function: threads call f, signals handled, libraries back; libraries have inner. */
static struct {
  long f, handled, back, inner, threads, loads, children;
} truth;

static bool stop;
static long detached; /* threads that live */

/* No fork while the loader changes its lists: what the child finds then is nobody's promise. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void
add (long *sum, long n)
{
  __atomic_fetch_add (sum, n, __ATOMIC_SEQ_CST);
}

static unsigned
next_random (unsigned *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

NOIPA void f (void);
NOIPA void
f (void)
{
  __asm__ volatile ("");
}

NOIPA void handled (void);
NOIPA void
handled (void)
{
  __asm__ volatile ("");
}

NOIPA void back (void);
NOIPA void
back (void)
{
  __asm__ volatile ("");
}

/* From ten places, so that the arcs are not always the same. */
#define FROM(n) case n: f (); break;
NOIPA static void
call (unsigned place)
{
  switch (place % 10)
    {
    FROM (0) FROM (1) FROM (2) FROM (3) FROM (4) FROM (5) FROM (6) FROM (7) FROM (8) FROM (9)
    }
}

static void
call_often (long n)
{
  for (long i = 0; i < n; i++)
    call ((unsigned) i);
}

static void
on_signal (int number)
{
  (void) number;
  handled ();
  add (&truth.handled, 1);
}

static void *
call_in_thread (void *n)
{
  call_often ((long) n);
  add (&truth.f, (long) n);
  return NULL;
}

static void *
call_in_detached_thread (void *n)
{
  pthread_detach (pthread_self ());
  call_in_thread (n);
  add (&detached, -1);
  return NULL;
}

static void *
make_threads (void *seed)
{
  unsigned state = (unsigned) (long) seed;
  while (!__atomic_load_n (&stop, __ATOMIC_SEQ_CST))
    {
      pthread_t threads[WIDTH], alone;
      for (int i = 0; i < WIDTH; i++)
        if (pthread_create (&threads[i], NULL, call_in_thread,
                            (void *) (long) (next_random (&state) % 5000)))
          abort ();
      add (&detached, 1);
      if (pthread_create (&alone, NULL, call_in_detached_thread,
                          (void *) (long) (next_random (&state) % 100)))
        abort ();
      for (int i = 0; i < WIDTH; i++)
        pthread_join (threads[i], NULL);
      add (&truth.threads, WIDTH + 1);
    }
  return NULL;
}

static void *
load_libraries (void *seed)
{
  unsigned state = (unsigned) (long) seed;
  while (!__atomic_load_n (&stop, __ATOMIC_SEQ_CST))
    {
      char name[] = "./library0.so";
      name[9] += (char) (next_random (&state) % 3);
      long n = next_random (&state) % 1000;
      pthread_mutex_lock (&loading);
      void *library = dlopen (name, RTLD_NOW);
      void (*use) (long, void (*) (void))
          = library ? (void (*) (long, void (*) (void))) dlsym (library, "use") : NULL;
      pthread_mutex_unlock (&loading);
      if (!use)
        abort ();
      use (n, back);
      add (&truth.back, n);
      add (&truth.inner, n);
      add (&truth.loads, 1);
      pthread_mutex_lock (&loading);
      dlclose (library);
      pthread_mutex_unlock (&loading);
    }
  return NULL;
}

static void
write_truth (const char *name, long calls)
{
  FILE *file = fopen (name, "w");
  if (!file || fprintf (file, "f %ld\n", calls) < 0 || fclose (file))
    abort ();
}

/* In the forked child, whose FOLDER is there. */
static int
live_as_child (const char *folder, long calls, bool exec)
{
  if (chdir (folder))
    abort ();
  write_truth ("truth", calls);
  if (!exec)
    {
      call_often (calls);
      return 0;
    }
  call_often (3); /* of no profile: it ends here */
  char number[32];
  snprintf (number, sizeof number, "%ld", calls);
  execl ("../soak", "soak", "once", number, (char *) NULL);
  abort ();
}

/* A forked child's profile is in the folder where the parent was started, under a pid that another
   process may soon have. */
static void
take_profile (pid_t child, const char *folder)
{
  static const char *const suffixes[] = { "", ".bbx" };
  for (int i = 0; i < 2; i++)
    {
      char from[64], to[64];
      snprintf (from, sizeof from, "gmon.out.%d%s", (int) child, suffixes[i]);
      snprintf (to, sizeof to, "%s/gmon.out%s", folder, suffixes[i]);
      if (rename (from, to))
        abort ();
    }
}

static void
make_child (unsigned *state)
{
  long calls = 1 + next_random (state) % 1000;
  bool exec = next_random (state) % 2;
  char folder[32];
  snprintf (folder, sizeof folder, "child.%ld", truth.children++);
  if (mkdir (folder, 0777))
    abort ();
  pthread_mutex_lock (&loading);
  pid_t child = fork ();
  if (child == 0)
    exit (live_as_child (folder, calls, exec));
  pthread_mutex_unlock (&loading);
  int status = 1;
  while (waitpid (child, &status, 0) < 0)
    ;
  if (status)
    {
      fprintf (stderr, "soak: a child ended with status %#x\n", (unsigned) status);
      abort ();
    }
  if (!exec)
    take_profile (child, folder);
}

static void
live (double seconds, unsigned seed)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  sigaction (SIGALRM, &action, NULL);
  sigaction (SIGUSR1, &action, NULL);
  const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
  setitimer (ITIMER_REAL, &often, NULL);
  pthread_t threads[MAKERS + 1];
  for (long i = 0; i <= MAKERS; i++)
    if (pthread_create (&threads[i], NULL, i < MAKERS ? make_threads : load_libraries,
                        (void *) (seed + i)))
      abort ();
  time_t end = time (NULL) + (time_t) seconds;
  while (time (NULL) < end)
    {
      make_child (&seed);
      for (int i = 0; i < 200; i++)
        {
          pthread_kill (threads[i % (MAKERS + 1)], SIGUSR1);
          usleep (500);
        }
    }
  __atomic_store_n (&stop, true, __ATOMIC_SEQ_CST);
  for (int i = 0; i <= MAKERS; i++)
    pthread_join (threads[i], NULL);
  while (__atomic_load_n (&detached, __ATOMIC_SEQ_CST))
    usleep (1000);
  setitimer (ITIMER_REAL, &never, NULL);
}

int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  if (strcmp (argv[1], "once") == 0)
    {
      call_often (atol (argv[2]));
      return 0;
    }
  live (atof (argv[1]), (unsigned) atol (argv[2]));
  printf ("f %ld\nhandled %ld\nback %ld\ninner %ld\n", truth.f, truth.handled, truth.back,
          truth.inner);
  printf ("threads %ld\nloads %ld\nchildren %ld\n", truth.threads, truth.loads, truth.children);
  return 0;
}
