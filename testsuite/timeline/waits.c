/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that sleep for 300 ms each, for what their names say: in each function of libc that waits
   for another thread. */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER,
                       of_condition[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_t first;

/* Later than all is over. */
static struct timespec
late (void)
{
  struct timespec t;
  clock_gettime (CLOCK_REALTIME, &t);
  t.tv_sec += 100;
  return t;
}

static void
lock (void)
{
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
}

static void
lock_timed (void)
{
  const struct timespec t = late ();
  pthread_mutex_timedlock (&mutex, &t);
  pthread_mutex_unlock (&mutex);
}

static void
write_lock (void)
{
  pthread_rwlock_wrlock (&rwlock);
  pthread_rwlock_unlock (&rwlock);
}

static void
read_lock (void)
{
  pthread_rwlock_rdlock (&rwlock);
  pthread_rwlock_unlock (&rwlock);
}

static void
read_lock_timed (void)
{
  const struct timespec t = late ();
  pthread_rwlock_timedrdlock (&rwlock, &t);
  pthread_rwlock_unlock (&rwlock);
}

static void
wait_semaphore (void)
{
  sem_wait (&semaphore);
}

static void
wait_semaphore_timed (void)
{
  const struct timespec t = late ();
  sem_timedwait (&semaphore, &t);
}

static void
wait_condition (void)
{
  pthread_mutex_lock (&of_condition[0]);
  pthread_cond_wait (&condition, &of_condition[0]);
  pthread_mutex_unlock (&of_condition[0]);
}

static void
wait_condition_timed (void)
{
  const struct timespec t = late ();
  pthread_mutex_lock (&of_condition[1]);
  pthread_cond_timedwait (&condition, &of_condition[1], &t);
  pthread_mutex_unlock (&of_condition[1]);
}

static void
wait_barrier (void)
{
  pthread_barrier_wait (&barrier);
}

static void
wait_thread (void)
{
  pthread_join (first, NULL);
}

static const struct wait {
  const char *name; /* what --json calls it, a point, and how */
  void (*body) (void);
} waits[] = {
  { "lock.first", lock },
  { "lock.timed", lock_timed },
  { "rwlock.write", write_lock },
  { "rwlock.read", read_lock },
  { "rwlock.timed", read_lock_timed },
  { "semaphore.wait", wait_semaphore },
  { "semaphore.timed", wait_semaphore_timed },
  { "condition.wait", wait_condition },
  { "condition.timed", wait_condition_timed },
  { "barrier.wait", wait_barrier },
  { "thread.join", wait_thread },
};
enum { WAITS = sizeof waits / sizeof *waits };

static void *
run (void *wait)
{
  const struct wait *w = wait;
  pthread_setname_np (pthread_self (), w->name);
  w->body ();
  return NULL;
}

int
main (void)
{
  pthread_t threads[WAITS];
  sem_init (&semaphore, 0, 0);
  pthread_barrier_init (&barrier, NULL, 2);
  pthread_mutex_lock (&mutex);
  pthread_rwlock_wrlock (&rwlock);
  for (int i = 0; i < WAITS; i++)
    {
      pthread_create (&threads[i], NULL, run, (void *) &waits[i]);
      first = threads[0];
    }
  usleep (300000);
  pthread_mutex_unlock (&mutex);
  pthread_rwlock_unlock (&rwlock);
  sem_post (&semaphore);
  sem_post (&semaphore);
  pthread_cond_broadcast (&condition);
  pthread_barrier_wait (&barrier);
  for (int i = 1; i < WAITS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}
