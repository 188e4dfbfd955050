/* SPDX-License-Identifier: MIT */
/* The list of sampled threads.  A thread enters itself where its creation is noticed
   (thread_create.c, and its first hook).  The others are found in /proc/self/task: at the start,
   and then at intervals, from a tick of some thread.  A thread's end is noticed by a key's
   destructor, or else in the same folder.

   The memory of an ended thread is used for a new one.  The facts of each thread stay in a table,
   by its number.  Context: cold, lock held, unless a function says otherwise. */
#include <errno.h>

#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/base/task.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

__thread struct bbp_sampled *bbp_sampled;
struct bbp_sampled *bbp_sampled_all;

/* Present and ending threads, hashed by tid.  Writer: lock.  If the writer moves the entry at
   which a handler is, the handler continues along another chain.  So the handler repeats a
   search that found nothing if an entry was moved. */
enum { CHAINS = 1024 };
static struct bbp_sampled *chains[CHAINS];
static unsigned moves;

/* Ended threads with free memory, the oldest first.  Lock. */
static struct bbp_sampled *ended_first, **ended_end = &ended_first;

static size_t present; /* number of present threads; lock */

/* Sampling of the calling thread has ended. */
static __thread bool over __attribute__ ((tls_model ("initial-exec")));

static uint32_t last_number;

/* Facts of each thread, by number - 1; the table's parts are never moved. */
enum { FACTS = 512, PIECES = 8192 };
static struct bbx_thread *pieces[PIECES];

static struct bbx_thread *
facts_of (uint32_t number)
{
  uint32_t piece = (number - 1) / FACTS;
  if (number == 0 || piece >= PIECES)
    return NULL;
  if (!pieces[piece])
    {
      pieces[piece] = bbp_slice_map (BBL_THREADS, piece + 1, 0, FACTS * sizeof *pieces[piece]);
      if (pieces[piece])
        bbp_slice_ready (pieces[piece]);
    }
  return pieces[piece] ? &pieces[piece][(number - 1) % FACTS] : NULL;
}

static uint64_t
time_of_run (void)
{
  uint64_t time = bbp_run_time ();
  return time ? time : 1;
}

static void
read_name (struct bbp_sampled *thread)
{
  char name[17];
  if (thread->tid == bbp_sys_gettid ())
    {
      bbp_sys_thread_name (thread->name);
      return;
    }
  long n = bbp_task_read (thread->tid, "/comm", name, sizeof name);
  if (n <= 1)
    return;
  bbp_copy_bytes (thread->name, name, (size_t) n - 1); /* a newline ends it */
  thread->name[n - 1] = '\0';
}

/* Updates name and CPU time; keeps the last values if the thread has ended. */
static void
update_facts (struct bbp_sampled *thread)
{
  uint64_t cpu = bbp_sys_nanoseconds (bbp_sys_thread_clock (thread->tid));
  if (cpu)
    thread->cpu = cpu;
  read_name (thread);
}

static void
write_facts (const struct bbp_sampled *thread)
{
  struct bbx_thread *facts = facts_of (thread->number);
  if (!facts)
    return;
  *facts = (struct bbx_thread) {
    .number = thread->number,
    .tid = (uint32_t) thread->tid,
    .begun = thread->begun,
    .ended = thread->ended ? thread->ended_at : 0,
    .cpu = thread->cpu,
  };
  bbp_copy_bytes (facts->name, thread->name, sizeof facts->name);
}

void
bbp_sampled_update (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    if (thread->tid)
      {
        update_facts (thread);
        write_facts (thread);
      }
}

bool
bbp_sampled_facts (uint32_t number, struct bbx_thread *facts)
{
  if (number == 0 || number > last_number)
    return false;
  const struct bbx_thread *found = facts_of (number);
  *facts = found ? *found : (struct bbx_thread) { .number = number };
  return true;
}

static struct bbp_sampled **
chain_of (int tid)
{
  return &chains[(unsigned) tid % CHAINS];
}

/* Moves THREAD into the chain of TID, out of its present one. */
static void
move (struct bbp_sampled *thread, int tid)
{
  struct bbp_sampled **link = chain_of (thread->chained);
  while (*link && *link != thread)
    link = &(*link)->in_chain;
  if (*link)
    __atomic_store_n (link, thread->in_chain, __ATOMIC_RELEASE);
  link = chain_of (tid);
  thread->chained = tid;
  __atomic_store_n (&thread->in_chain, *link, __ATOMIC_RELEASE);
  __atomic_store_n (link, thread, __ATOMIC_RELEASE);
  __atomic_fetch_add (&moves, 1, __ATOMIC_RELEASE);
}

static struct bbp_sampled *
find (int tid)
{
  struct bbp_sampled *thread;
  unsigned before;
  do
    {
      before = __atomic_load_n (&moves, __ATOMIC_ACQUIRE);
      thread = __atomic_load_n (chain_of (tid), __ATOMIC_ACQUIRE);
      while (thread && (__atomic_load_n (&thread->tid, __ATOMIC_ACQUIRE) != tid || thread->ended))
        thread = __atomic_load_n (&thread->in_chain, __ATOMIC_ACQUIRE);
  } while (!thread && before != __atomic_load_n (&moves, __ATOMIC_ACQUIRE));
  return thread;
}

/* The calling thread's entry, which another thread may have made.  Signal. */
struct bbp_sampled *
bbp_sampled_self (void)
{
  if (!bbp_sampled && !over)
    bbp_sampled = find (bbp_sys_gettid ());
  return bbp_sampled;
}

/* True if the kernel has no thread with the number TID any more.  The folder of tasks may leave
   out a thread that exists. */
static bool
is_gone (int tid)
{
  return bbp_sys_tgkill (bbp_sys_getpid (), tid, 0) == -ESRCH;
}

/* True if the thread TID has announced its end: a scan must not enter it again. */
static bool
is_leaving (int tid)
{
  const struct bbp_sampled *thread = *chain_of (tid);
  while (thread && thread->leaving != tid)
    thread = thread->in_chain;
  return thread;
}

static void
put_ended (struct bbp_sampled *thread)
{
  thread->next_ended = NULL;
  *ended_end = thread;
  ended_end = &thread->next_ended;
}

/* The memory of the thread that ended first; if the kernel still has that thread, new memory. */
static struct bbp_sampled *
make (void)
{
  struct bbp_sampled *thread = ended_first;
  if (thread && !(thread->leaving && !is_gone (thread->leaving)))
    {
      ended_first = thread->next_ended;
      if (!ended_first)
        ended_end = &ended_first;
      return thread;
    }
  thread = bbp_pages_map (sizeof *thread);
  if (!thread)
    return NULL;
  thread->next = bbp_sampled_all;
  __atomic_store_n (&bbp_sampled_all, thread, __ATOMIC_RELEASE);
  return thread;
}

/* The name of another thread is in a file, which takes longer than all else.  A scan of
   thousands of new threads reads this many names; the next scan reads more.  Lock. */
enum { MOST_NAMES = 64 };
static unsigned names_left;

static char text[4096]; /* content of a thread's file; lock */

static bool
blocks_ticks (int tid)
{
  bbp_sigset mask = 0;
  bbp_task_read (tid, "/status", text, sizeof text);
  for (const char *digit = bbp_task_behind (text, "\nSigBlk:\t"); *digit >= '0'; digit++)
    mask = mask << 4 | (bbp_sigset) (*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
  return mask >> (bbp_sampling.signal - 1) & 1;
}

static bool
waits_for_signals (int tid)
{
  return bbp_task_read (tid, "/syscall", text, sizeof text) > 0
         && bbp_task_number (text) == SYS_rt_sigtimedwait;
}

/* A thread that really blocks the signal may wait for all signals, and a tick would end that
   wait.  While it waits, the kernel unblocks the signals for which it waits.  So the mask is
   read twice, before and after the thread's system call. */
static bool
is_deaf (int tid)
{
  return tid != bbp_sys_gettid ()
         && (blocks_ticks (tid) || waits_for_signals (tid) || blocks_ticks (tid));
}

/* Tells the running sampler of THREAD, unless that is deaf: then a later scan tries again. */
static void
begin_ticks (struct bbp_sampled *thread)
{
  const struct bbp_sampler *sampler = bbp_sampler_runs () ? bbp_sampling.sampler : NULL;
  if (!sampler || !sampler->thread_begin)
    return;
  thread->deaf = bbp_sampling.late && is_deaf (thread->tid);
  bbp_sampling.partial |= thread->deaf;
  if (!thread->deaf)
    sampler->thread_begin (thread);
}

/* Handlers find an entry by its TID, which is set last. */
static struct bbp_sampled *
enter (int tid)
{
  struct bbp_sampled *thread = make ();
  if (!thread)
    return NULL;
  thread->number = ++last_number;
  thread->begun = time_of_run ();
  thread->ended = false;
  thread->leaving = 0;
  thread->ended_at = thread->cpu = thread->accounted = thread->restart_pc = thread->entered
      = thread->left = 0;
  thread->context = thread->last = thread->flags = thread->unseen = 0;
  thread->busy = 0;
  thread->deaf = false;
  thread->name[0] = '\0';
  thread->stack_low = thread->stack_high = thread->home = 0;
  bbp_late_forget (thread);
  __atomic_store_n (&thread->tid, tid, __ATOMIC_RELEASE);
  move (thread, tid);
  present++;
  if (names_left > 0 || tid == bbp_sys_gettid ())
    read_name (thread);
  write_facts (thread);
  bbp_sample_above.thread_begins (thread);
  begin_ticks (thread);
  return thread;
}

static void
end (struct bbp_sampled *thread)
{
  if (thread->ended)
    return;
  if (bbp_sampling.sampler && bbp_sampling.sampler->thread_end)
    bbp_sampling.sampler->thread_end (thread);
  update_facts (thread);
  thread->ended = true;
  thread->ended_at = time_of_run ();
  write_facts (thread);
  bbp_sample_above.thread_ends (thread);
  bbp_late_settle (thread);
  thread->leaving = thread->tid;
  thread->tid = 0;
  present--;
  put_ended (thread);
}

struct bbp_sampled *
bbp_sampled_begin (int tid)
{
  bbp_sigset old = bbp_lock ();
  struct bbp_sampled *thread = find (tid);
  if (!thread)
    thread = enter (tid);
  bbp_unlock (old);
  return thread;
}

void
bbp_sampled_end (struct bbp_sampled *thread)
{
  bbp_sigset old = bbp_lock ();
  end (thread);
  bbp_unlock (old);
}

/* The main thread's stack: the kernel maps nothing else near below it.  The first thread of a
   forked child may have another stack. */
enum { MOST_OF_MAIN = 64 << 20 };
extern void *__libc_stack_end;

static void
know_main_stack (struct bbp_sampled *thread)
{
  struct rlimit limit;
  uintptr_t page = BBP_PAGE_BYTES, high = ((uintptr_t) __libc_stack_end + page - 1) & -page;
  bool known = bbp_sys_limit (RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < MOST_OF_MAIN;
  uintptr_t low = high - (known ? limit.rlim_cur : MOST_OF_MAIN),
            here = (uintptr_t) __builtin_frame_address (0);
  if (here < low || here >= high)
    return;
  thread->stack_low = low;
  thread->stack_high = high;
}

/* libc places a thread's words, to which its thread pointer leads, above its stack in the same
   mapping. */
void
bbp_sampled_know_stack (size_t bytes)
{
  enum { MOST_WORDS = 1 << 20 };
  uintptr_t here = (uintptr_t) __builtin_frame_address (0), words = bbp_arch_thread_pointer ();
  struct bbp_sampled *thread = bbp_sampled;
  if (!thread || words - here > MOST_WORDS || bytes < words - here)
    return;
  thread->stack_low = words - bytes;
  thread->stack_high = words;
}

/* The calling thread begins, if threads are sampled at all; and ends. */
void
bbp_sampled_begin_self (void)
{
  if (!bbp_sampling.threads || over)
    return;
  if (!bbp_sampled)
    {
      bbp_sigmask_begin (bbp_sigmask_blocks ());
      bbp_sampled = bbp_sampled_begin (bbp_sys_gettid ());
    }
  if (bbp_sampled && bbp_sampled->tid == bbp.pid && !bbp_sampled->stack_high)
    know_main_stack (bbp_sampled);
}

void
bbp_sampled_end_self (void)
{
  struct bbp_sampled *thread = bbp_sampled_self ();
  over = true;
  bbp_sampled = NULL;
  if (thread)
    bbp_sampled_end (thread);
}

/* Buffer for the folder of the kernel's threads.  Lock. */
static char records[8192] __attribute__ ((aligned (8)));

static void
meet (int tid, void *scan)
{
  struct bbp_sampled *thread = find (tid);
  if (tid != bbp_samplers[BBP_TICKER]->own_thread () && !thread && !is_leaving (tid))
    {
      thread = enter (tid);
      names_left -= names_left > 0;
    }
  if (thread)
    thread->seen = *(const uint64_t *) scan;
}

void
bbp_sampled_scan_locked (void)
{
  static uint64_t scan;
  scan++;
  names_left = MOST_NAMES;
  const bool seen_all = bbp_task_all (meet, &scan, records, sizeof records) == 0;
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    if (thread->leaving && is_gone (thread->leaving))
      thread->leaving = 0;
    else if (thread->tid && seen_all && thread->seen != scan && is_gone (thread->tid))
      end (thread);
    else if (thread->tid)
      {
        thread->cpu = bbp_sys_nanoseconds (bbp_sys_thread_clock (thread->tid));
        if (thread->deaf)
          begin_ticks (thread);
        if (!thread->name[0] && names_left > 0)
          {
            read_name (thread);
            names_left--;
          }
        write_facts (thread);
      }
}

void
bbp_sampled_scan (void)
{
  bbp_sigset old = bbp_lock ();
  bbp_sampled_scan_locked ();
  bbp_unlock (old);
}

unsigned
bbp_sampled_due (struct bbp_sampled *thread, unsigned rate, bool nearest)
{
  uint64_t interval = 1000000000 / rate,
           now = bbp_sys_nanoseconds (CLOCK_THREAD_CPUTIME_ID) + (nearest ? interval / 2 : 0);
  if (now < thread->accounted)
    return 0;
  uint64_t due = (now - thread->accounted) / interval;
  thread->accounted += due * interval;
  return (unsigned) due;
}

/* True if the kernel has as many threads as the list: by the number of links of the folder, two
   of which are its own. */
static bool
list_is_complete (void)
{
  struct stat st;
  return bbp_sys_stat ("/proc/self/task", &st) == 0
         && st.st_nlink == present + (bbp_samplers[BBP_TICKER]->own_thread () != 0) + 2;
}

/* After so many ticks at least a tenth of a second of CPU time, or of some thread's life, has
   passed. */
#define SCANS_A_SECOND 10

/* Scanning very many threads takes long: it may take at most this part of the time. */
#define PART 16

static void
scan_in_handler (void *unused)
{
  static unsigned skipped;
  static uint64_t next;
  uint64_t now = bbp_run_time ();
  (void) unused;
  if (now < next || (list_is_complete () && ++skipped < SCANS_A_SECOND))
    return;
  skipped = 0;
  bbp_sampled_scan_locked ();
  uint64_t end = bbp_run_time ();
  next = end + (end - now) * (PART - 1);
}

/* If the lock is held, the scan waits for the next occasion.  Signal. */
void
bbp_sampled_try_scan (void)
{
  bbp_sigset old;
  if (bbp_avoid_syscalls || !bbp_lock_try (&old))
    return;
  bbp_on_handler_stack (scan_in_handler, NULL);
  bbp_unlock (old);
}

/* A thread had a tick: now and then it scans for new threads, unless the ticker does that.
   Signal. */
void
bbp_sampled_tick (void)
{
  static unsigned ticks;
  if (!bbp_sampling.threads || bbp_samplers[BBP_TICKER]->own_thread ()
      || __atomic_add_fetch (&ticks, 1, __ATOMIC_RELAXED) < bbp_sampling.rate / SCANS_A_SECOND)
    return;
  __atomic_store_n (&ticks, 0, __ATOMIC_RELAXED);
  bbp_sampled_try_scan ();
}

uint32_t
bbp_sampled_threads (void)
{
  return last_number;
}

/* The sampler starts, or has stopped. */
void
bbp_sampled_start (void)
{
  if (!bbp_sampling.threads)
    return;
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    if (thread->tid)
      begin_ticks (thread);
  int tid = bbp_sys_gettid ();
  if (!find (tid)) /* there may be no /proc */
    enter (tid);
  bbp_sampled_scan_locked ();
}

void
bbp_sampled_stop (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    if (thread->tid && bbp_sampling.sampler->thread_end)
      bbp_sampling.sampler->thread_end (thread);
}

/* In a forked child the calling thread is the only one, with another tid and no timer.  The
   parent's threads are removed. */
void
bbp_sampled_forked (void)
{
  ended_first = NULL;
  ended_end = &ended_first;
  present = 0;
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    {
      thread->tid = thread->leaving = 0;
      thread->ring = NULL;
      thread->timer = thread->beside = 0;
      thread->page = NULL;
      thread->deaf = false;
      put_ended (thread);
    }
  for (uint32_t i = 0; i < PIECES && pieces[i]; i++)
    {
      bbp_slice_unmap (pieces[i]);
      pieces[i] = NULL;
    }
  last_number = 0;
  bbp_sampled = NULL;
  over = false;
}
