/* SPDX-License-Identifier: MIT */
/* Threads that are made by pthread_create and thrd_create enter themselves before the program's
   function runs, and leave after its destructors.  Only in the dynamic library: a static program
   has nowhere to pass the call on to; there, as with bare clone, threads are entered at their
   first hook, or found by looking (sampled.c).

   What runs first in the new thread jumps to the program's function, so that no frame of ours is
   on its stack.  Context: any. */
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/base/base.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

/* What the new thread is told.  From a few words that are there, or else a page. */
struct birth {
  union {
    void *(*posix) (void *);
    thrd_start_t c11;
  } function;
  void *argument;
  size_t stack; /* bytes */
  bool blocks;  /* what its parent believes of the signal of ticks */
  bool taken;
};
enum { ROOM = 64 };
static struct birth births[ROOM];

static struct {
  int (*posix) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
  int (*c11) (thrd_t *, thrd_start_t, void *);
} next;

/* Its destructor puts it back twice, to come after those of the program's. */
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

static size_t usual_stack; /* bytes, where the program says nothing */

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

/* Null: no memory, so that the thread is one that is found later. */
static struct birth *
make_birth (void)
{
  for (int i = 0; i < ROOM; i++)
    if (!__atomic_exchange_n (&births[i].taken, true, __ATOMIC_ACQUIRE))
      return &births[i];
  return bbp_pages_map (sizeof (struct birth));
}

static void
free_birth (struct birth *birth)
{
  if (birth >= births && birth < births + ROOM)
    __atomic_store_n (&birth->taken, false, __ATOMIC_RELEASE);
  else
    bbp_pages_unmap (birth, sizeof *birth);
}

/* In the new thread. */
static struct birth
begin (struct birth *told)
{
  struct birth birth = *told;
  free_birth (told);
  bbp_sigmask_begin (birth.blocks);
  if (key_made)
    pthread_setspecific (key, (void *) 1);
  bbp_sampled_begin_self ();
  bbp_sampled_know_stack (birth.stack);
  return birth;
}

static void *
begin_posix (void *told)
{
  struct birth birth = begin (told);
  return birth.function.posix (birth.argument);
}

static int
begin_c11 (void *told)
{
  struct birth birth = begin (told);
  return birth.function.c11 (birth.argument);
}

/* Null: nobody has to be told, or there is no memory. */
static struct birth *
tell (void *argument, size_t stack)
{
  struct birth *birth = bbp_sampling.threads && bbp_own_process () ? make_birth () : NULL;
  if (birth)
    {
      birth->argument = argument;
      birth->stack = stack;
      birth->blocks = bbp_sigmask_blocks ();
    }
  return birth;
}

BBP_PUBLIC_WEAK int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*function) (void *),
                void *argument)
{
  if (!next.posix)
    find_next ();
  struct birth *birth = tell (argument, stack_of (attributes));
  if (!birth)
    return next.posix (thread, attributes, function, argument);
  birth->function.posix = function;
  int error = next.posix (thread, attributes, begin_posix, birth);
  if (error)
    free_birth (birth);
  return error;
}

BBP_PUBLIC_WEAK int
thrd_create (thrd_t *thread, thrd_start_t function, void *argument)
{
  if (!next.c11)
    find_next ();
  struct birth *birth = tell (argument, usual_stack);
  if (!birth)
    return next.c11 (thread, function, argument);
  birth->function.c11 = function;
  int result = next.c11 (thread, begin_c11, birth);
  if (result != thrd_success)
    free_birth (birth);
  return result;
}
