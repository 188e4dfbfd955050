/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the tree of calling contexts from inside: compared with a plain model, with many
   threads at once, after a reset; the number of the system call that a thread was interrupted
   in, compared with the kernel's; mappings of objects; the sidecar's content for a tree. */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/unwind/unwind.h"
#include "testsuite/unit/unit.h"

static struct bbp_frame
frame (uintptr_t address)
{
  return (struct bbp_frame) { .address = address,
                              .kind = address % 3 ? BBX_FRAME_CODE : BBX_FRAME_ANONYMOUS,
                              .mapping = address % 2 };
}

static unsigned
next_random (unsigned *seed)
{
  *seed = *seed * 1103515245 + 12345;
  return *seed >> 16;
}

/* Stacks of up to DEPTH frames, few of which are different near the root.  PATH: as a number,
   different for each. */
enum { DEPTH = 6, WAYS = 5, PATHS = 20000 };

static uint32_t
enter_random (unsigned *seed, unsigned *path)
{
  uint32_t node = 0;
  unsigned depth = 1 + next_random (seed) % DEPTH;
  *path = 0;
  for (unsigned i = 0; i < depth; i++)
    {
      unsigned way = next_random (seed) % WAYS;
      const struct bbp_frame entered = frame (0x1000 + way);
      node = bbp_context_enter (node, &entered);
      ck_assert_uint_ne (node, 0);
      *path = *path * (WAYS + 1) + way + 1;
    }
  return node;
}

/* The number of a node's path, as above. */
static unsigned
path_of (uint32_t number)
{
  const struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
  unsigned way = (unsigned) (node->address - 0x1000) + 1;
  return (node->parent ? path_of (node->parent) * (WAYS + 1) : 0) + way;
}

static uint64_t model[PATHS * 3];

static void
compare_with_model (void)
{
  static uint64_t counted[PATHS * 3];
  memset (counted, 0, sizeof counted);
  for (uint32_t number = 1; number <= bbp_segments_used (&bbp_contexts); number++)
    {
      const struct bbp_context *node = bbp_segments_at (&bbp_contexts, number);
      ck_assert_uint_lt (node->parent, number);
      counted[path_of (number)] += node->ticks - node->settled;
    }
  ck_assert_mem_eq (counted, model, sizeof model);
}

START_TEST (tree_is_as_a_plain_model)
{
  unsigned seed = 1, path, most = 0;
  for (int i = 0; i < 200000; i++)
    {
      uint32_t node = enter_random (&seed, &path);
      unsigned ticks = 1 + next_random (&seed) % 3;
      bbp_context_count (node, ticks);
      model[path] += ticks;
      ck_assert_uint_eq (path_of (node), path);
      most = node > most ? node : most;
    }
  compare_with_model ();
  ck_assert_uint_eq (bbp_segments_used (&bbp_contexts), most); /* no node was made twice */
  bbp_tree_reset ();
  memset (model, 0, sizeof model);
  compare_with_model ();
  bbp_context_count (enter_random (&seed, &path), 7);
  model[path] = 7;
  compare_with_model ();
}
END_TEST

static void *
count_random (void *seed_of_thread)
{
  unsigned seed = *(unsigned *) seed_of_thread, path;
  for (int i = 0; i < 50000; i++)
    {
      bbp_context_count (enter_random (&seed, &path), 1);
      __atomic_fetch_add (&model[path], 1, __ATOMIC_RELAXED);
    }
  return NULL;
}

/* A node may be made twice at the same moment, but no tick is lost or counted elsewhere. */
START_TEST (threads_count_every_tick)
{
  enum { THREADS = 8 };
  pthread_t thread[THREADS];
  unsigned seed[THREADS];
  for (unsigned i = 0; i < THREADS; i++)
    {
      seed[i] = i / 2; /* two do the same */
      ck_assert_int_eq (pthread_create (&thread[i], NULL, count_random, &seed[i]), 0);
    }
  for (int i = 0; i < THREADS; i++)
    pthread_join (thread[i], NULL);
  compare_with_model ();
}
END_TEST

/* Deep, and so large that tables and segments have to grow many times. */
START_TEST (nodes_stay_as_the_tree_grows)
{
  enum { NODES = 300000 };
  uint32_t *node = calloc (NODES, sizeof *node), parent = 0;
  for (uintptr_t i = 0; i < NODES; i++)
    {
      const struct bbp_frame entered = frame (i);
      node[i] = parent = bbp_context_enter (i % 500 ? parent : 0, &entered);
      ck_assert_uint_eq (parent, i + 1);
    }
  for (uintptr_t i = 0; i < NODES; i++)
    {
      const struct bbp_frame entered = frame (i);
      ck_assert_uint_eq (bbp_context_enter (i % 500 ? node[i - 1] : 0, &entered), node[i]);
    }
  free (node);
}
END_TEST

/* The tree as it is written: ticks below each node, kinds, and a call that is active twice in a
   stack counts once. */
START_TEST (arcs_are_ticks_in_which_the_call_was_active)
{
  const struct bbp_frame root = { .address = 1, .kind = BBX_FRAME_THREAD };
  uintptr_t address[3];
  uint32_t node[6] = { bbp_context_enter (0, &root) };
  bbp_objects_start ();
  bbp_objects_refresh (false);
  for (int i = 0; i < 3; i++)
    address[i] = (uintptr_t) (i == 0   ? (void *) path_of
                              : i == 1 ? (void *) enter_random
                                       : (void *) compare_with_model)
                 + 8;
  for (int i = 1; i < 6; i++) /* a calls b, which calls itself twice, and then c */
    {
      int which = i == 1 ? 0 : i == 5 ? 2 : 1;
      const struct bbp_frame code
          = { address[which], BBX_FRAME_CODE, bbp_mapping_of (address[which]) };
      node[i] = bbp_context_enter (node[i - 1], &code);
    }
  bbp_context_count (node[5], 10);
  bbp_context_count (node[3], 3);
  struct bbp_tree tree;
  ck_assert_int_eq (bbp_tree_take (&tree), 0);
  ck_assert_uint_eq (tree.n, 6);
  ck_assert_uint_eq (tree.node[0].below, 13);
  ck_assert_uint_eq (tree.node[3].below, 13);
  ck_assert_uint_eq (tree.node[4].below, 10);
  struct bbp_counts arcs = { 0 };
  ck_assert_int_eq (bbp_tree_arcs (&arcs, &tree), 0);
  const struct bbp_object *self = bbp_object_executable ();
  uintptr_t a = bbp_object_virtual (self, address[0]), b = bbp_object_virtual (self, address[1]),
            c = bbp_object_virtual (self, address[2]);
  ck_assert_uint_eq (arcs.n, 4);
  ck_assert_uint_eq (bbp_counts_of (&arcs, 0, a - 8), 13);
  ck_assert_uint_eq (bbp_counts_of (&arcs, a, b - 8), 13);
  ck_assert_uint_eq (bbp_counts_of (&arcs, b, b - 8), 13); /* and not 13 + 10 */
  ck_assert_uint_eq (bbp_counts_of (&arcs, b, c - 8), 10);
  bbp_counts_free (&arcs);
  bbp_tree_free (&tree);
}
END_TEST

START_TEST (places_are_found)
{
  bbp_objects_start ();
  bbp_objects_refresh (false);
  uintptr_t here = (uintptr_t) path_of, there = (uintptr_t) dlsym (RTLD_DEFAULT, "qsort");
  uint32_t own = bbp_mapping_of (here), libc = bbp_mapping_of (there);
  ck_assert_uint_ne (own, 0);
  ck_assert_uint_ne (libc, 0);
  ck_assert_uint_ne (own, libc);
  ck_assert_uint_eq (bbp_mapping_of (here), own);
  ck_assert_uint_eq (bbp_mapping_of (0), 0);
  ck_assert_uint_eq (bbp_mapping_of (UINTPTR_MAX), 0);
  ck_assert_uint_eq (bbp_mapping_of ((uintptr_t) &own), 0); /* the stack */
  ck_assert_uint_eq (bbp_mapping_virtual (own, here),
                     bbp_object_virtual (bbp_object_executable (), here));
  ck_assert_uint_eq (bbp_mapping_virtual (libc, there),
                     bbp_object_virtual (bbp_object_at (there), there));
  const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, libc);
  ck_assert_ptr_eq (bbp_mapping_object (mapping), bbp_object_at (there));
}
END_TEST

/* An object that is being unloaded, or that is back at its address, has its old mapping; another
   object there gets a new one. */
START_TEST (place_that_has_been_left)
{
  bbp_objects_start ();
  bbp_objects_refresh (false);
  uintptr_t there = (uintptr_t) dlsym (RTLD_DEFAULT, "qsort");
  uint32_t libc = bbp_mapping_of (there);
  bbp_mapping_unload (bbp_object_at (there));
  const struct bbp_mapping *mapping = bbp_segments_at (&bbp_mappings, libc);
  ck_assert_uint_eq (mapping->state, BBP_MAPPING_UNLOADED);
  ck_assert_uint_ne (mapping->unloaded, 0);
  ck_assert_uint_eq (bbp_mapping_of (there), libc);
  struct bbp_mapping *other = bbp_segments_at (&bbp_mappings, libc);
  other->checksum ^= 1; /* as if another object had been there */
  uint32_t now = bbp_mapping_of (there);
  ck_assert_uint_ne (now, libc);
  ck_assert_uint_ne (now, 0);
  ck_assert_uint_eq (bbp_mapping_of (there), now);
}
END_TEST

/* Single steps: of each system call the number is read before it, and after it the context, as a
   signal would show it that comes just then, must tell the same one.  The processor traps only
   behind the next instruction, so the context is put back to it. */
static volatile long asked = -1, steps, wrong;
static volatile uintptr_t behind;

static void
on_step (int number, siginfo_t *info, void *context)
{
  ucontext_t *at = context;
  greg_t *reg = at->uc_mcontext.gregs, now = reg[REG_RIP];
  const unsigned char *code = (const unsigned char *) now;
  (void) number, (void) info;
  if (asked >= 0)
    {
      reg[REG_RIP] = (greg_t) behind;
      long told = bbp_kernel_call (context);
      reg[REG_RIP] = now;
      steps++;
      wrong += told != asked;
      if (told != asked)
        fprintf (stderr, "system call %ld is taken for %ld before %p\n", asked, told,
                 (const void *) behind);
    }
  asked = code[0] == 0x0f && code[1] == 0x05 ? reg[REG_RAX] : -1;
  behind = (uintptr_t) now + 2;
}

static void
trap (bool on)
{
  asked = -1;
  if (on)
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "cc", "memory");
  else
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "cc", "memory");
}

static void
call_many (void)
{
  char bytes[8] = "", name[4096];
  struct pollfd nobody = { .fd = -1 };
  struct timespec no_time = { 0, 1 };
  struct timeval also_none = { 0, 1 };
  struct iovec part = { bytes, sizeof bytes };
  sigset_t set;
  int pipes[2], zero = open ("/dev/zero", O_RDWR), queue = epoll_create1 (0);
  struct epoll_event event;
  sigemptyset (&set);
  ck_assert_int_eq (pipe (pipes), 0);
  ck_assert_int_eq (read (zero, bytes, sizeof bytes), sizeof bytes);
  ck_assert_int_eq (write (pipes[1], bytes, 1), 1);
  ck_assert_int_eq (read (pipes[0], bytes, 1), 1);
  ck_assert_int_gt (pread (zero, bytes, 1, 0) + readv (zero, &part, 1) + writev (zero, &part, 1),
                    0);
  nanosleep (&no_time, NULL);
  clock_nanosleep (CLOCK_MONOTONIC, 0, &no_time, NULL);
  usleep (1);
  poll (&nobody, 1, 0);
  ppoll (&nobody, 1, &no_time, &set);
  select (0, NULL, NULL, NULL, &also_none);
  pselect (0, NULL, NULL, NULL, &no_time, &set);
  epoll_wait (queue, &event, 1, 0);
  epoll_pwait (queue, &event, 1, 0, &set);
  sigtimedwait (&set, NULL, &no_time);
  lseek (zero, 0, SEEK_SET);
  fsync (pipes[0]);
  ck_assert_ptr_nonnull (getcwd (name, sizeof name));
  waitpid (-1, NULL, WNOHANG);
  getppid ();
  sched_yield ();
  syscall (SYS_gettid);
  syscall (SYS_getpid);
  syscall (SYS_futex, bytes, 1, 0, NULL, NULL, 0);
  free (malloc (1 << 22)); /* mmap, munmap */
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  close (zero);
  close (queue);
}

static void *
wait_a_little (void *mutex)
{
  struct timespec soon;
  clock_gettime (CLOCK_REALTIME, &soon);
  soon.tv_nsec += soon.tv_nsec < 900000000 ? 1000000 : 0;
  pthread_mutex_timedlock (mutex, &soon);
  return NULL;
}

START_TEST (system_calls_are_told)
{
  struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO }, before;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock (&mutex);
  call_many (); /* what is bound late is bound */
  wait_a_little (&mutex);
  ck_assert_int_eq (sigaction (SIGTRAP, &action, &before), 0);
  trap (true);
  call_many ();
  wait_a_little (&mutex);
  trap (false);
  sigaction (SIGTRAP, &before, NULL);
  printf ("%ld system calls\n", steps);
  ck_assert_int_ge (steps, 35);
  ck_assert_int_eq (wrong, 0);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { tree_is_as_a_plain_model },
                                     { threads_count_every_tick },
                                     { nodes_stay_as_the_tree_grows },
                                     { arcs_are_ticks_in_which_the_call_was_active },
                                     { places_are_found },
                                     { place_that_has_been_left },
                                     { system_calls_are_told } };
  return unit_run (UNIT_SUITE ("tree", UNIT_CASE (tests)));
}
