/* SPDX-License-Identifier: MIT */
/* The memory of the rings: its writer, its start and its end.  A killed process cannot report
   its end: the writer notices it, and writes what is there.

   A forked child gets its own memory and writer, but only at a tick after it has lived for a
   while: most children soon call exec.  Context: cold, lock held, unless a function says
   otherwise. */
#include <linux/futex.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/observe/observe.h"
#include "runtime/observe/rings.h"
#include "runtime/sample/sample.h"
#include "runtime/writer/writer.h"

#define MOST_RINGS 1024
#define LEAST_LIFE 20000000UL     /* nanoseconds */
#define POLL_INTERVAL 100000000UL /* nanoseconds */
/* Nanoseconds: a monitor that has not started by then starts while the program runs. */
#define WATCH_PATIENCE 100000000UL
#define BYTES_OF_RING (sizeof (struct bbs_ring) + BBP_RING_SAMPLES * sizeof (struct bbs_sample))

static void
set_state (enum bbp_rings_state state)
{
  __atomic_store_n (&bbp_rings.state, state, __ATOMIC_RELEASE);
}

static void
say (const char *subject, int error)
{
  bbp_message (subject, strerrordesc_np (error));
}

/* Names the data that the profile lacks without the memory, or without its writer. */
static const char *
missing (void)
{
  return bbp_options.timeline ? "no timeline, and no times of samples" : "no times of samples";
}

/* The number of rings; fewer where the file size limit is low, because exceeding it would raise
   a signal. */
static uint32_t
number_of_rings (size_t head)
{
  struct rlimit limit;
  uint64_t n = MOST_RINGS;
  if (bbp_sys_limit (RLIMIT_FSIZE, &limit) == 0
      && head + n * BYTES_OF_RING + BBP_PAGE_BYTES > limit.rlim_cur)
    n = limit.rlim_cur > head + BBP_PAGE_BYTES
            ? (limit.rlim_cur - head - BBP_PAGE_BYTES) / BYTES_OF_RING
            : 0;
  return (uint32_t) n;
}

static void
describe (struct bbs_head *head, uint32_t bytes, uint32_t rings, const char *path)
{
  struct bbp_text file = { .buffer = head->file, .size = sizeof head->file };
  head->magic = BBS_MAGIC;
  head->run = bbp.run;
  head->pid = (uint32_t) bbp.pid;
  head->bytes_of_head = bytes;
  head->bytes_of_ring = BYTES_OF_RING;
  head->rings = rings;
  head->started = bbp_run_began ();
  head->timeline = bbp_options.timeline;
  bbp_text_string (&file, path);
  bbp_text_string (&file, BBS_SUFFIX);
}

/* The slots of markers and calls of MPI are for a timeline: without one their pages are never
   touched. */
static long
populate (struct bbs_head *head, size_t bytes)
{
  const size_t first
      = bbp_whole_pages (offsetof (struct bbs_head, marks) + offsetof (struct bbs_marks, slots));
  const size_t last = offsetof (struct bbs_head, file) & -(size_t) BBP_PAGE_BYTES;
  if (bbp_options.timeline)
    return bbp_sys_populate (head, bytes);
  long result = bbp_sys_populate (head, first);
  return result == 0 ? bbp_sys_populate ((char *) head + last, bytes - last) : result;
}

/* 0 or -errno. */
static int
make_memory (const char *path, int *fd)
{
  void *memory;
  size_t head = bbp_whole_pages (sizeof (struct bbs_head));
  uint32_t rings = number_of_rings (head);
  if (rings == 0)
    return -EFBIG;
  bbp_rings.bytes = bbp_whole_pages (head + rings * BYTES_OF_RING);
  *fd = bbp_writer_memory ("bbprof samples", bbp_rings.bytes, &memory);
  if (*fd < 0)
    return *fd;
  if (populate (memory, head) == -ENOMEM)
    {
      bbp_sys_munmap (memory, bbp_rings.bytes);
      bbp_sys_close (*fd);
      return -ENOMEM;
    }
  describe (memory, (uint32_t) head, rings, path);
  bbp_rings.head = memory;
  return 0;
}

static void
release_memory (void)
{
  if (bbp_rings.head)
    bbp_sys_munmap (bbp_rings.head, bbp_rings.bytes);
  bbp_rings.head = NULL;
}

static bool
start_writer (int fd)
{
  int error = bbp_writer_start (&bbp_rings.writer, fd);
  bbp_sys_close (fd);
  if (!error)
    return true;
  release_memory ();
  bbp_writer_complain (missing (), -error);
  return false;
}

static void
give_rings (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    if (thread->tid && !thread->ended)
      bbp_ring_begin (thread);
}

/* Without memory or a writer the program runs as if no times had been requested. */
static void
open_rings (void)
{
  static char path[BBP_PATH_SIZE];
  int fd, error = bbp_path_next (path, sizeof path) ? make_memory (path, &fd) : -ENAMETOOLONG;
  if (error)
    say (missing (), -error);
  bool open = !error && start_writer (fd);
  if (open)
    give_rings ();
  set_state (open ? BBP_RINGS_OPEN : BBP_RINGS_CLOSED);
}

/* Waits until the monitor runs, so that it observes the program from the start.  Where the process
   cannot wait (sandbox.c), the monitor starts without that. */
static void
wait_for_watch (void)
{
  uint64_t now = bbp_sys_nanoseconds (CLOCK_MONOTONIC), until = now + WATCH_PATIENCE;
  for (; now < until && atomic_load (&bbp_rings.head->watches) == 0;
       now = bbp_sys_nanoseconds (CLOCK_MONOTONIC))
    if (bbp_writer_is_gone (&bbp_rings.writer)
        || bbp_sys_futex_for ((int *) &bbp_rings.head->watches, FUTEX_WAIT, 0, until - now)
               == -EPERM)
      return;
}

/* Records a wait, so that a timeline distinguishes it from the program's sleep. */
static void
note_wait (enum bbs_wait_kind kind, uint64_t from, uint64_t to)
{
  bbp_rings.head->waits[kind]
      = (struct bbs_wait) { .from = from, .to = to, .tid = (uint32_t) bbp_sys_gettid () };
}

void
bbp_rings_start (void)
{
  if (!bbp_options.times || bbp_rings.state != BBP_RINGS_OFF)
    return;
  open_rings ();
  if (bbp_rings.state != BBP_RINGS_OPEN || !bbp_options.timeline)
    return;
  uint64_t from = bbp_run_time ();
  wait_for_watch ();
  note_wait (BBS_WAIT_BEGIN, from, bbp_run_time ());
}

static void
open_in_handler (void *unused)
{
  (void) unused;
  open_rings ();
}

/* Context: any.  If the lock is held, the next tick does it. */
void
bbp_rings_try (void)
{
  bbp_sigset old;
  if (!bbp_lock_try (&old))
    return;
  if (bbp_rings.state == BBP_RINGS_LATER)
    bbp_on_handler_stack (open_in_handler, NULL);
  bbp_unlock (old);
}

static void
start_later (void)
{
  bbp_rings.later = bbp_run_time () + LEAST_LIFE;
  set_state (BBP_RINGS_LATER);
}

static void
forget_rings (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    __atomic_store_n (&thread->ring, NULL, __ATOMIC_RELEASE);
}

/* The memory is the parent's. */
void
bbp_rings_forked (void)
{
  if (bbp_rings.state == BBP_RINGS_OFF)
    return;
  forget_rings ();
  release_memory ();
  bbp_rings.writer = (struct bbp_writer) { 0 };
  bbp.lost_times = 0;
  start_later ();
}

/* A ring that is used for the first time may have no memory yet; where none is available,
   touching it would raise SIGBUS. */
static bool
is_usable (struct bbs_ring *ring)
{
  uintptr_t start = (uintptr_t) ring & -(uintptr_t) BBP_PAGE_BYTES;
  long result = bbp_sys_populate ((void *) start,
                                  bbp_whole_pages ((uintptr_t) ring + BYTES_OF_RING - start));
  return result != -ENOMEM && result != -EFAULT;
}

static struct bbs_ring *
find_free (void)
{
  const uint32_t made = atomic_load (&bbp_rings.head->made);
  for (uint32_t i = 0; i < made; i++)
    if (atomic_load_explicit (&bbp_ring_at (i)->used, memory_order_acquire) == 0)
      return bbp_ring_at (i);
  if (made == bbp_rings.head->rings || !is_usable (bbp_ring_at (made)))
    return NULL;
  atomic_store (&bbp_rings.head->made, made + 1);
  return bbp_ring_at (made);
}

/* A thread that gets no ring now gets none later: its samples are counted as lost. */
void
bbp_ring_begin (struct bbp_sampled *thread)
{
  struct bbs_ring *ring = bbp_rings.head && !thread->ring ? find_free () : NULL;
  if (!ring)
    return;
  ring->thread = thread->number;
  atomic_store (&ring->lost, 0);
  atomic_store (&ring->tail, atomic_load (&ring->head));
  atomic_store_explicit (&ring->used, 1, memory_order_release);
  __atomic_store_n (&thread->ring, ring, __ATOMIC_RELEASE);
}

void
bbp_ring_end (struct bbp_sampled *thread)
{
  struct bbs_ring *ring = thread->ring;
  __atomic_store_n (&thread->ring, NULL, __ATOMIC_RELEASE);
  if (ring)
    atomic_store_explicit (&ring->used, 2, memory_order_release);
}

/* Each sample that was counted so far has its time, or is lost. */
void
bbp_rings_close (void)
{
  if (bbp_rings.state != BBP_RINGS_OFF)
    set_state (BBP_RINGS_CLOSED);
}

/* The writer has ended; reports that. */
static void
complain (bool ended)
{
  uint32_t failed = atomic_load (&bbp_rings.head->failed);
  if (failed)
    say (bbp_rings.head->file, (int) failed);
  else if (!ended)
    bbp_message (bbp_rings.head->file, "incomplete: bbprof-writer has ended or does not respond");
}

/* Waits for the writer to end.  Where the process cannot wait (sandbox.c), the writer completes its
   work without that. */
static bool
wait_for_writer (void)
{
  uint64_t until = bbp_sys_nanoseconds (CLOCK_MONOTONIC) + BBP_WRITER_PATIENCE;
  while (atomic_load (&bbp_rings.head->state) != BBS_ENDED)
    {
      if (bbp_writer_is_gone (&bbp_rings.writer) || bbp_sys_nanoseconds (CLOCK_MONOTONIC) > until)
        return atomic_load (&bbp_rings.head->state) == BBS_ENDED;
      if (bbp_sys_futex_for ((int *) &bbp_rings.head->state, FUTEX_WAIT, BBS_ENDING, POLL_INTERVAL)
          == -EPERM)
        return true;
    }
  return true;
}

void
bbp_rings_end (void)
{
  bbp_rings_close ();
  if (!bbp_rings.head || atomic_load (&bbp_rings.head->state) != BBS_RUNS)
    return;
  note_wait (BBS_WAIT_END, bbp_run_time (), BBS_TIME_END);
  atomic_store (&bbp_rings.head->state, BBS_ENDING);
  bbp_rings_wake_writer ();
  complain (wait_for_writer ());
  bbp_writer_end (&bbp_rings.writer);
}

/* exec has failed.  The file begins anew, without its former content.  Some handler may still
   use the old memory, which is left as it is. */
void
bbp_rings_resume (void)
{
  if (bbp_rings.state != BBP_RINGS_CLOSED || !bbp_rings.head)
    return;
  for (uint32_t i = 0; i < atomic_load (&bbp_rings.head->made); i++)
    __atomic_fetch_add (&bbp.lost_times, atomic_load (&bbp_ring_at (i)->head), __ATOMIC_RELAXED);
  forget_rings ();
  bbp_rings.head = NULL;
  start_later ();
}
