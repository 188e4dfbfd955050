/* SPDX-License-Identifier: MIT */
/* Replacements of pthread_create and thrd_create: a new thread is entered before the program's
   function runs, and removed after its destructors.  Only in the dynamic library, because a static
   program has no next definition to call.  There, as after a bare clone, threads are entered at
   their first hook, or found in /proc (sampled_threads.c).

   The first function in the new thread ends with a jump to the program's function, so no frame of
   the library's is on its stack.  Context: any. */
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/base/base.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

/* The argument of the new thread: an element of a small array, or else a page of its own. */
struct thread_start {
  union {
    void *(*posix) (void *);
    thrd_start_t c11;
  } function;
  void *argument;
  size_t stack;   /* bytes */
  bool blocks;    /* whether its parent believes that it blocks the signal of ticks */
  unsigned taken; /* 1: yes */
};
enum { ROOM = 64 };
static struct thread_start starts[ROOM];

static struct {
  int (*posix) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  int (*c11) (thrd_t *, thrd_start_t, void *);
} next;

/* Its destructor sets it again twice, in order to run after those of the program's. */
static pthread_key_t key;
static bool key_made;
enum { ROUNDS = 3 };

static void
on_end (void *value)
{
  uintptr_t round = (uintptr_t) value;
  if (round >= ROUNDS || pthread_setspecific (key, (void *) (round + 1)) != 0)
    bbp_sampled_end_self ();
}

static size_t usual_stack; /* bytes, unless the program sets the attribute */

static size_t
stack_of (const pthread_attr_t *attributes)
{
  size_t bytes = 0;
  return attributes && pthread_attr_getstacksize (attributes, &bytes) == 0 ? bytes : usual_stack;
}

static void
find_usual_stack (void)
{
  pthread_attr_t attributes;
  if (pthread_attr_init (&attributes) == 0)
    usual_stack = stack_of (&attributes);
  pthread_attr_destroy (&attributes);
}

static void __attribute__ ((constructor (101))) find_next (void)
{
  find_usual_stack ();
  next.posix = dlsym (RTLD_NEXT, "pthread_create");
  next.c11 = dlsym (RTLD_NEXT, "thrd_create");
  key_made = pthread_key_create (&key, on_end) == 0;
}

/* Null: no memory; the thread is found later. */
static struct thread_start *
make_start (void)
{
  for (int i = 0; i < ROOM; i++)
    if (!__atomic_exchange_n (&starts[i].taken, 1, __ATOMIC_ACQUIRE))
      return &starts[i];
  return bbp_pages_map (sizeof (struct thread_start));
}

static void
free_start (struct thread_start *start)
{
  if (start >= starts && start < starts + ROOM)
    __atomic_store_n (&start->taken, 0, __ATOMIC_RELEASE);
  else
    bbp_pages_unmap (start, sizeof *start);
}

/* In the new thread. */
static struct thread_start
begin (struct thread_start *passed)
{
  struct thread_start start = *passed;
  free_start (passed);
  bbp_sigmask_begin (start.blocks);
  if (key_made)
    pthread_setspecific (key, (void *) 1);
  bbp_sampled_begin_self ();
  bbp_sampled_know_stack (start.stack);
  return start;
}

static void *
begin_posix (void *passed)
{
  struct thread_start start = begin (passed);
  return start.function.posix (start.argument);
}

static int
begin_c11 (void *passed)
{
  struct thread_start start = begin (passed);
  return start.function.c11 (start.argument);
}

/* Null: threads are not sampled, or there is no memory. */
static struct thread_start *
prepare (void *argument, size_t stack)
{
  struct thread_start *start = bbp_sampling.threads && bbp_own_process () ? make_start () : NULL;
  if (start)
    {
      start->argument = argument;
      start->stack = stack;
      start->blocks = bbp_sigmask_blocks ();
    }
  return start;
}

BBP_PUBLIC_WEAK int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*function) (void *),
                void *argument)
{
  if (!next.posix)
    find_next ();
  struct thread_start *start = prepare (argument, stack_of (attributes));
  if (!start)
    return next.posix (thread, attributes, function, argument);
  start->function.posix = function;
  int error = next.posix (thread, attributes, begin_posix, start);
  if (error)
    free_start (start);
  return error;
}

BBP_PUBLIC_WEAK int
thrd_create (thrd_t *thread, thrd_start_t function, void *argument)
{
  if (!next.c11)
    find_next ();
  struct thread_start *start = prepare (argument, usual_stack);
  if (!start)
    return next.c11 (thread, function, argument);
  start->function.c11 = function;
  int result = next.c11 (thread, begin_c11, start);
  if (result != thrd_success)
    free_start (start);
  return result;
}
