/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code with trace points, made by hand (trace.h), that writes down what it does: trace WHAT TRUTH.
   A line of the file TRUTH.PID is "TID STREAM KIND ADDRESS WAY LEVEL": STREAM 0 is the thread's,
   others are handlers'. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bbprof-abi.h"
#include "bbprof.h"
#include "trace.h"

/* The unit that the points belong to, and the name of one function. */
void __bb_init_func (struct bb *);
static long counts[1];
static struct bb unit = { .filename = "trace.c",
                          .counts = counts,
                          .nwords = sizeof unit,
                          .magic = BBP_ABI_MAGIC,
                          .update = BBP_UPDATE_SINGLE,
                          .counts_start = counts,
                          .counts_stop = counts + 1,
                          .map_start = "" };
static char choice;
static struct {
  struct bbp_name name;
  char text[24];
} names = { .name.bytes = sizeof names.text, .text = "plain\0plain\0trace.c" };

static int32_t
distance (const void *from, const void *to)
{
  return (int32_t) ((const char *) to - (const char *) from);
}

static void __attribute__ ((constructor))
register_unit (void)
{
  unit.map_stop = unit.map_start;
  unit.names_start = (const char *) &names;
  unit.names_stop = (const char *) (&names + 1);
  names.name.text = distance (&names.name.text, &names);
  names.name.choice = distance (&names.name.choice, &choice);
  names.name.first = distance (&names.name.first, &names);
  __bb_init_func (&unit);
}

struct told {
  char kind;
  const void *address;
  long way, level, stream;
};
#define MOST 4000000
struct thread {
  struct told *told;
  long n, tid;
  struct thread *next;
};
static struct thread *_Atomic threads;
static __thread struct thread *own;
static __thread long level, stream;
static const char *truth;

/* Shared, so that a child without memory of its own has the same. */
void
tell (char kind, const void *address, long way)
{
  if (!own)
    {
      own = calloc (1, sizeof *own);
      own->told = mmap (NULL, MOST * sizeof *own->told, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      own->tid = gettid ();
      own->next = threads;
      while (!__atomic_compare_exchange_n (&threads, &own->next, own, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST))
        ;
    }
  if (own->n < MOST)
    own->told[own->n++] = (struct told) { kind, address, way, level, stream };
}

static void
write_truth (void)
{
  char name[4096];
  snprintf (name, sizeof name, "%s.%d", truth, (int) getpid ());
  FILE *file = fopen (name, "w");
  for (struct thread *thread = threads; thread; thread = thread->next)
    for (long i = 0; i < thread->n; i++)
      {
        const struct told *told = &thread->told[i];
        fprintf (file, "%ld %ld %c %lu %ld %ld\n", thread->tid, told->stream, told->kind,
                 (unsigned long) told->address, told->way, told->level);
      }
  fclose (file);
}

PLACE (place_one);
PLACE (place_two);
PLACE (place_three);
PLACE (place_land);
PLACE (place_four);

/* Branches by the bits of N. */
TRACED (leaf)
{
  level++;
  ENTERED (leaf);
  for (int i = 0; i < 20; i++)
    branch (n >> i & 1);
  level--;
}

TRACED (switches)
{
  level++;
  ENTERED (switches);
  for (long i = 0; i < 3; i++)
    if ((n + i) % 2)
      TOKEN (place_one);
    else
      TOKEN (place_two);
  level--;
}

TRACED (deep)
{
  level++;
  ENTERED (deep);
  branch (n > 0);
  if (n > 0)
    {
      CALL (deep, n - 1, place_three);
    }
  level--;
}

TRACED (plain)
{
  level++;
  ENTERED (plain);
  for (long i = 0; i < n; i++)
    {
      CALL (leaf, i, place_one);
      if (i % 5 == 0)
        {
          CALL (switches, i, place_two);
        }
      branch (i < n - 1);
    }
  level--;
}

/* Enters itself N more times by a jump, with the return address of the call. */
ENTRY (again);
__attribute__ ((used)) void again_tell (void);
void
again_tell (void)
{
  level++;
  ENTERED (again);
  level--;
}
__asm__ (".pushsection .text\nagain_body:\n\tpushq %rdi\n\tcall again_tell\n\tpopq %rdi\n\t"
         "decq %rdi\n\tjns again\n\tret\n\t.popsection");

TRACED (repeats)
{
  level++;
  ENTERED (repeats);
  for (long i = 0; i < n; i++)
    {
      CALL (again, 3, place_one);
    }
  level--;
}

/* No events but branches: pieces end anywhere. */
TRACED (loop)
{
  level++;
  ENTERED (loop);
  for (long i = 0; i < n; i++)
    branch (i * i >> 3 & 1);
  level--;
}

static jmp_buf out;

TRACED (thrower)
{
  level++;
  ENTERED (thrower);
  branch (1);
  longjmp (out, (int) n);
}

/* Lands in a function with points, which says so. */
TRACED (lander)
{
  level++;
  ENTERED (lander);
  volatile long here = level, times = 0;
  if (setjmp (out) == 0 || times++ < n)
    {
      level = here;
      LANDED (place_land);
      thrower (1);
    }
  level = here;
  LANDED (place_land);
  branch (0);
  level--;
}

/* Code without points, in which functions with points vanish, and by which others are called. */
static __attribute__ ((noinline)) void
catcher (long n)
{
  long here = level;
  if (setjmp (out) == 0)
    thrower (n);
  level = here;
  leaf (n);
  if (setjmp (out) == 0)
    thrower (n);
  level = here;
}

TRACED (caller)
{
  level++;
  ENTERED (caller);
  for (long i = 0; i < n; i++)
    {
      catcher (i + 1);
      RETURNED (place_four);
      CALL (leaf, i, place_one);
    }
  level--;
}

static sigjmp_buf away;
static bool jumps;

static void
handle (int number)
{
  static long handlers;
  long was = stream, before = level;
  (void) number;
  stream = __atomic_add_fetch (&handlers, 1, __ATOMIC_SEQ_CST);
  level = 0;
  leaf (number);
  plain (3);
  if (jumps)
    {
      stream = was;
      siglongjmp (away, 1);
    }
  stream = was;
  level = before;
}

TRACED (interrupted)
{
  level++;
  ENTERED (interrupted);
  volatile long here = level, i = 0;
  for (; i < n; i++)
    {
      branch (1);
      tell ('H', 0, 0);
      if (!jumps || sigsetjmp (away, 1) == 0)
        raise (SIGUSR1);
      if (jumps)
        {
          level = here;
          tell ('J', 0, 0);
          LANDED (place_land);
        }
      else
        RETURNED (place_four);
      branch (0);
    }
  level--;
}

static void *
run_thread (void *n)
{
  plain ((long) n);
  deep (20);
  return NULL;
}

static void
run_threads (long count)
{
  pthread_t thread[count];
  for (long i = 0; i < count; i++)
    pthread_create (&thread[i], NULL, run_thread, (void *) (3000 + i));
  for (long i = 0; i < count; i++)
    pthread_join (thread[i], NULL);
}

TRACED (forks)
{
  level++;
  ENTERED (forks);
  pid_t child = fork ();
  if (child == 0)
    {
      threads = own = NULL;
      tell ('F', 0, 0);
    }
  RETURNED (place_one);
  plain (child ? 10 : n);
  RETURNED (place_two);
  if (child)
    wait (NULL);
  level--;
}

/* A child on its way to another program. */
TRACED (spawns)
{
  level++;
  ENTERED (spawns);
  pid_t child = fork ();
  if (child == 0)
    {
      plain (n);
      execl ("/bin/true", "true", NULL);
    }
  RETURNED (place_one);
  wait (NULL);
  level--;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 2 ? argv[1] : "";
  long n = argc > 3 ? atol (argv[3]) : 0;
  truth = argv[2];
  struct sigaction action = { .sa_handler = handle };
  sigaction (SIGUSR1, &action, NULL);
  if (strcmp (what, "plain") == 0)
    plain (n);
  else if (strcmp (what, "loop") == 0)
    loop (n), plain (10), loop (n);
  else if (strcmp (what, "deep") == 0)
    deep (n), plain (10);
  else if (strcmp (what, "repeats") == 0)
    repeats (n);
  else if (strcmp (what, "lander") == 0)
    lander (n), plain (n);
  else if (strcmp (what, "caller") == 0)
    caller (n);
  else if (strcmp (what, "handlers") == 0)
    interrupted (n), plain (10);
  else if (strcmp (what, "jumps") == 0)
    jumps = true, interrupted (n), plain (10);
  else if (strcmp (what, "threads") == 0)
    run_threads (n), plain (100);
  else if (strcmp (what, "fork") == 0)
    forks (n);
  else if (strcmp (what, "spawn") == 0)
    spawns (n), spawns (n);
  else if (strcmp (what, "dump") == 0)
    plain (50), bbprof_dump (), plain (n);
  else if (strcmp (what, "exec") == 0)
    {
      plain (n);
      write_truth ();
      execl ("/bin/true", "true", NULL);
    }
  else if (strcmp (what, "noexec") == 0)
    {
      plain (50);
      execl ("/does/not/exist", "x", NULL);
      threads = own = NULL;
      plain (n);
    }
  else if (strcmp (what, "kill") == 0)
    {
      plain (n);
      write_truth ();
      raise ((int) atol (argv[4]));
    }
  else
    return 2;
  write_truth ();
  if (argc > 4 && strcmp (argv[4], "_exit") == 0)
    _exit (3);
  if (argc > 4 && strcmp (argv[4], "quick_exit") == 0)
    quick_exit (3);
  return 3;
}
