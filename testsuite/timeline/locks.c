/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for locks of each kind, and the truth of it: `locks SCENE'.  Lines:
     zero NS                        the mark "zero", by CLOCK_MONOTONIC
     thread TID NAME                NAME waits for what it is called by
     lock NAME ADDRESS
     held NAME TID FROM TO          CLOCK_MONOTONIC, nanoseconds
   Scene "each": one thread, "holder", has all locks; the others wait for one each, until it gives
   them back.  Scene "convoy": four threads take turns with one lock.  Scene "futex": they do with a
   word of their own. */
#define BBPROF_OPTIONAL
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bbprof.h"

enum { MS = 1000000, HOLD_MS = 300, ROUNDS = 12, WORKERS = 4 };

static pthread_mutex_t normal, recursive, errorcheck, adaptive, robust, inherit;
static struct { char before[40]; pthread_mutex_t lock; } pool;
static pthread_mutex_t *on_heap, *on_stack, cond_mutex;
static pthread_rwlock_t written;
static pthread_cond_t condition;
static sem_t semaphore;
static pthread_t holder;
static atomic_int ready, word;
static atomic_uint inherit_word;

static long long
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void
pause_for (long ms)
{
  nanosleep (&(struct timespec) { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * MS }, NULL);
}

static int
self (void)
{
  return (int) syscall (SYS_gettid);
}

static long
futex (void *address, int operation, int value)
{
  return syscall (SYS_futex, address, operation, value, NULL, NULL, 0);
}

/* A lock of three states, as in the literature: nothing in the word names the holder. */
static void
lock_word (atomic_int *w)
{
  int free = 0;
  if (atomic_compare_exchange_strong (w, &free, 1))
    return;
  while (atomic_exchange (w, 2) != 0)
    futex (w, FUTEX_WAIT_PRIVATE, 2);
}

static void
unlock_word (atomic_int *w)
{
  if (atomic_exchange (w, 0) == 2)
    futex (w, FUTEX_WAKE_PRIVATE, 1);
}

static void
lock_inherit_word (void)
{
  unsigned free = 0;
  if (!atomic_compare_exchange_strong (&inherit_word, &free, (unsigned) self ()))
    futex (&inherit_word, FUTEX_LOCK_PI_PRIVATE, 0);
}

static void
unlock_inherit_word (void)
{
  unsigned mine = (unsigned) self ();
  if (!atomic_compare_exchange_strong (&inherit_word, &mine, 0))
    futex (&inherit_word, FUTEX_UNLOCK_PI_PRIVATE, 0);
}

static struct wait {
  const char *name;
  void *lock;
  pthread_mutex_t *mutex; /* null: another kind */
} waits[] = {
  { "normal", &normal, &normal },
  { "recursive", &recursive, &recursive },
  { "errorcheck", &errorcheck, &errorcheck },
  { "adaptive", &adaptive, &adaptive },
  { "robust", &robust, &robust },
  { "inherit", &inherit, &inherit },
  { "pool", &pool.lock, &pool.lock },
  { "heap", NULL, NULL },
  { "stack", NULL, NULL },
  { "reads", &written, NULL },
  { "writes", &written, NULL },
  { "condition", &condition, NULL },
  { "semaphore", &semaphore, NULL },
  { "join", NULL, NULL },
  { "word", &word, NULL },
  { "piword", &inherit_word, NULL },
};
enum { WAITS = sizeof waits / sizeof *waits };

static __attribute__ ((noinline)) void
take (const struct wait *w)
{
  if (w->mutex)
    {
      pthread_mutex_lock (w->mutex);
      pthread_mutex_unlock (w->mutex);
    }
  else if (strcmp (w->name, "reads") == 0)
    {
      pthread_rwlock_rdlock (&written);
      pthread_rwlock_unlock (&written);
    }
  else if (strcmp (w->name, "writes") == 0)
    {
      pthread_rwlock_wrlock (&written);
      pthread_rwlock_unlock (&written);
    }
  else if (strcmp (w->name, "condition") == 0)
    {
      pthread_mutex_lock (&cond_mutex);
      pthread_cond_wait (&condition, &cond_mutex);
      pthread_mutex_unlock (&cond_mutex);
    }
  else if (strcmp (w->name, "semaphore") == 0)
    sem_wait (&semaphore);
  else if (strcmp (w->name, "join") == 0)
    pthread_join (holder, NULL);
  else if (strcmp (w->name, "word") == 0)
    {
      lock_word (&word);
      unlock_word (&word);
    }
  else
    {
      lock_inherit_word ();
      unlock_inherit_word ();
    }
}

static void *
wait_for_it (void *argument)
{
  const struct wait *w = argument;
  pthread_setname_np (pthread_self (), w->name);
  printf ("thread %d %s\n", self (), w->name);
  take (w);
  return NULL;
}

static void *
hold (void *unused)
{
  (void) unused;
  pthread_setname_np (pthread_self (), "holder");
  printf ("thread %d holder\n", self ());
  for (int i = 0; i < WAITS; i++)
    if (waits[i].mutex)
      pthread_mutex_lock (waits[i].mutex);
  pthread_rwlock_wrlock (&written);
  lock_word (&word);
  lock_inherit_word ();
  const long long from = now ();
  ready = 1;
  pause_for (HOLD_MS);
  for (int i = 0; i < WAITS; i++)
    if (strcmp (waits[i].name, "condition") != 0 && strcmp (waits[i].name, "semaphore") != 0)
      printf ("held %s %d %lld %lld\n", waits[i].name, self (), from, now ());
  for (int i = 0; i < WAITS; i++)
    if (waits[i].mutex)
      pthread_mutex_unlock (waits[i].mutex);
  pthread_rwlock_unlock (&written);
  unlock_word (&word);
  unlock_inherit_word ();
  sem_post (&semaphore);
  pthread_cond_signal (&condition);
  return NULL;
}

static void
init_mutex (pthread_mutex_t *m, int type, int is_robust, int protocol)
{
  pthread_mutexattr_t a;
  pthread_mutexattr_init (&a);
  pthread_mutexattr_settype (&a, type);
  pthread_mutexattr_setrobust (&a, is_robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
  pthread_mutexattr_setprotocol (&a, protocol);
  pthread_mutex_init (m, &a);
}

static int
each (void)
{
  pthread_t threads[WAITS];
  pthread_mutex_t here = PTHREAD_MUTEX_INITIALIZER;
  on_stack = &here;
  on_heap = malloc (sizeof *on_heap);
  init_mutex (&normal, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE);
  init_mutex (&recursive, PTHREAD_MUTEX_RECURSIVE, 0, PTHREAD_PRIO_NONE);
  init_mutex (&errorcheck, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_NONE);
  init_mutex (&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP, 0, PTHREAD_PRIO_NONE);
  init_mutex (&robust, PTHREAD_MUTEX_NORMAL, 1, PTHREAD_PRIO_NONE);
  init_mutex (&inherit, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT);
  init_mutex (&pool.lock, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE);
  init_mutex (on_heap, PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_NONE);
  pthread_rwlock_init (&written, NULL);
  pthread_cond_init (&condition, NULL);
  sem_init (&semaphore, 0, 0);
  for (int i = 0; i < WAITS; i++)
    {
      if (strcmp (waits[i].name, "heap") == 0)
        waits[i].lock = waits[i].mutex = on_heap;
      if (strcmp (waits[i].name, "stack") == 0)
        waits[i].lock = waits[i].mutex = on_stack;
      if (waits[i].lock)
        printf ("lock %s %p\n", waits[i].name, waits[i].lock);
    }
  pthread_create (&holder, NULL, hold, NULL);
  while (!ready)
    pause_for (1);
  for (int i = 0; i < WAITS; i++)
    pthread_create (&threads[i], NULL, wait_for_it, &waits[i]);
  for (int i = 0; i < WAITS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}

/* Turns with one lock.  */

static struct turn {
  long long from, to;
} turns[WORKERS][ROUNDS];
static int tids[WORKERS];
static int by_word;

static void *
work (void *argument)
{
  const long me = (long) argument;
  char name[16];
  snprintf (name, sizeof name, "worker %ld", me);
  pthread_setname_np (pthread_self (), name);
  tids[me] = self ();
  for (int i = 0; i < ROUNDS; i++)
    {
      by_word ? lock_word (&word) : (void) pthread_mutex_lock (&normal);
      turns[me][i].from = now ();
      pause_for (10);
      turns[me][i].to = now ();
      by_word ? unlock_word (&word) : (void) pthread_mutex_unlock (&normal);
      sched_yield ();
    }
  return NULL;
}

static int
take_turns (void)
{
  pthread_t threads[WORKERS];
  for (long i = 0; i < WORKERS; i++)
    pthread_create (&threads[i], NULL, work, (void *) i);
  for (int i = 0; i < WORKERS; i++)
    pthread_join (threads[i], NULL);
  printf ("lock turns %p\n", by_word ? (void *) &word : (void *) &normal);
  for (int i = 0; i < WORKERS; i++)
    for (int k = 0; k < ROUNDS; k++)
      printf ("held turns %d %lld %lld\n", tids[i], turns[i][k].from, turns[i][k].to);
  return 0;
}

int
main (int argc, char **argv)
{
  const char *scene = argc > 1 ? argv[1] : "each";
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (bbprof_mark)
    bbprof_mark ("zero");
  printf ("zero %lld\n", now ());
  by_word = strcmp (scene, "futex") == 0;
  return strcmp (scene, "each") == 0 ? each () : take_turns ();
}
