/* SPDX-License-Identifier: MIT */
/* The threads' blocks.  A thread gets a block (it is *attached*) at its first call of a hook,
   however it was created.  When it ends, the block is free for another one.  The creation of a
   thread need not be reported, so pthread_create is not replaced, and threads that libc creates
   for itself are counted too. */
#include <errno.h>
#include <pthread.h>

#include "arch.h"
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/sample/sample.h"
#include "runtime/select/select.h"
#include "runtime/signals/signals.h"

#define FIRST_TABLE_SLOTS 1024

/* Its destructor runs when an attached thread ends.  glibc keeps the values of the first 32 keys
   in the thread itself.  For others pthread_setspecific calls malloc, which a hook must not;
   then blocks are not used again. */
static pthread_key_t exit_key;
static bool exit_key_usable, exit_key_made;
#define KEYS_WITHOUT_MALLOC 32

/* Makes the hooks of THREAD, with thread pointer TP, count in its tables, or not, as its state
   says.  Thread-local words of a library that is loaded at start-up have the same distance from
   each thread's pointer. */
static void
use_arcs (struct bbp_thread *thread, uintptr_t tp)
{
  uintptr_t offset = (uintptr_t) &bbp_arcs - bbp_arch_thread_pointer ();
  bbp_arcs_use ((struct bbp_arc_table **) (tp + offset), thread);
}

/* Puts THREAD, which ends or is about to attach again, into the list of leaving threads.  Its
   memory may soon belong to another thread, so other threads must not write to it any more. */
static void
leave (struct bbp_thread *thread)
{
  thread->thread_pointer = 0;
  thread->leaving = true;
  thread->next_leaving = NULL;
  struct bbp_thread **link = &bbp.leaving;
  if (bbp.leaving)
    link = &bbp.last_leaving->next_leaving;
  *link = bbp.last_leaving = thread;
}

/* Key destructor: the thread ends.  Destructors of other keys may run after this one, and run
   profiled code.  So the block stays with the thread until the kernel has no thread of that tid
   any more. */
static void
on_exit_of_thread (void *thread)
{
  bbp_sampled_end_self ();
  bbp_sigset old = bbp_lock ();
  bbp_count_above.thread_ends ();
  leave (thread);
  bbp_unlock (old);
}

static bool
is_gone (const struct bbp_thread *thread)
{
  return thread->leaving
         && (!thread->tid || bbp_sys_tgkill (bbp_sys_getpid (), thread->tid, 0) == -ESRCH);
}

/* The block of a thread that has ended, even of one that had the tid of the calling one; null:
   there is none.  Blocks are taken in the order in which their threads ended. */
static struct bbp_thread *
take_left (int tid)
{
  struct bbp_thread *before = NULL, *thread = bbp.leaving;
  while (thread && thread->tid != tid && !is_gone (thread))
    {
      before = thread;
      thread = thread->next_leaving;
    }
  if (!thread)
    return NULL;
  *(before ? &before->next_leaving : &bbp.leaving) = thread->next_leaving;
  if (bbp.last_leaving == thread)
    bbp.last_leaving = before;
  thread->leaving = false;
  return thread;
}

/* Makes the other threads attach again at their next hook, because each must do something that only
   it can do. */
void
bbp_threads_recall (void)
{
  uintptr_t self = bbp_arch_thread_pointer ();
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread != __bb_thread && thread->thread_pointer)
      {
        uintptr_t apart = thread->thread_pointer - self;
        __atomic_store_n ((struct bbp_thread **) ((uintptr_t) &__bb_thread + apart), NULL,
                          __ATOMIC_RELEASE);
        __atomic_store_n ((struct bbp_arc_table **) ((uintptr_t) &bbp_arcs + apart), NULL,
                          __ATOMIC_RELEASE);
        thread->frames = NULL;
        thread->piece = NULL;
        leave (thread);
      }
}

/* A new block.  The main thread's counts in the modules' own arrays, if those need not outlive
   the process.  Null: no memory. */
static struct bbp_thread *
make_thread (void)
{
  bool main_taken = bbp_slices_in_file ();
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    main_taken |= thread->in_place;
  struct bbp_thread *thread = bbp_pages_map (sizeof *thread + BBP_ARCH_VECTORS_BYTES);
  if (!thread)
    return NULL;
  thread->number = bbp.threads ? bbp.threads->number + 1 : 1;
  thread->newest = bbp_arc_table_new (FIRST_TABLE_SLOTS, thread->number);
  if (!thread->newest)
    {
      /* Each hook of the thread tries again, so nothing may be left behind. */
      bbp_pages_unmap (thread, sizeof *thread + BBP_ARCH_VECTORS_BYTES);
      return NULL;
    }
  thread->in_place = !main_taken && bbp_sys_gettid () == bbp_sys_getpid ();
  thread->next = bbp.threads;
  bbp.threads = thread;
  return thread;
}

/* Arranges that the end of the calling thread is noticed; then other threads may write to its
   words.  They must not write to those of a thread that ends unnoticed: its memory may belong to
   another thread then. */
static void
watch_exit (void *data)
{
  struct bbp_thread *thread = data;
  if (!exit_key_made)
    {
      exit_key_made = true;
      exit_key_usable = pthread_key_create (&exit_key, on_exit_of_thread) == 0
                        && exit_key < KEYS_WITHOUT_MALLOC;
    }
  bool watched = exit_key_usable && pthread_setspecific (exit_key, thread) == 0;
  thread->thread_pointer = watched ? bbp_arch_thread_pointer () : 0;
}

/* Adds the calling thread to the list.  Null: no memory; or signals cannot be blocked (sandbox.c),
   so a handler could try to take the lock that its own thread holds. */
struct bbp_thread *
bbp_thread_attach (void)
{
  if (!BBP_IS_ALLOWED (SYS_rt_sigprocmask))
    return NULL;
  bbp_sigset old = bbp_lock ();
  struct bbp_thread *thread = __bb_thread; /* a handler may have attached it meanwhile */
  if (!thread)
    {
      int tid = bbp_sys_gettid ();
      thread = take_left (tid);
      if (!thread)
        thread = make_thread ();
      if (thread)
        {
          thread->tid = tid;
          bbp_arch_keep_vectors (watch_exit, thread, thread + 1);
          thread->stopped = bbp_options.scope;
          thread->closed = bbp_selectors.opening;
          use_arcs (thread, bbp_arch_thread_pointer ());
          bbp_copies_use (thread);
          bbp_count_above.thread_begins (thread);
          __atomic_store_n (&__bb_thread, thread, __ATOMIC_RELEASE);
        }
    }
  bbp_unlock (old);
  bbp_sampled_begin_self ();
  return thread;
}

/* Behind __bb_thread_func.  Counts nothing by itself, so a thread without memory loses nothing,
   but shares counters. */
void
bbp_thread_attach_hook (void)
{
  if (!__bb_thread && !bbp_thread_attach ())
    bbp.inexact = true;
}

/* Stops or starts the calls of all threads.  A thread that could end unnoticed continues unchanged,
   because other threads cannot write its words. */
void
bbp_threads_stop (bool stop)
{
  __atomic_store_n (&bbp.stopped, stop, __ATOMIC_SEQ_CST);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread == __bb_thread)
      use_arcs (thread, bbp_arch_thread_pointer ());
    else if (thread->thread_pointer)
      use_arcs (thread, thread->thread_pointer);
  for (struct bbp_thread *thread = bbp.threads; thread && stop; thread = thread->next)
    bbp_arcs_leave_sites (thread);
  bbp_count_above.stopped ();
}

/* A thread that cannot be attached, because there is no memory, continues unchanged. */
bool
bbp_thread_stop (bool stop)
{
  struct bbp_thread *thread = __bb_thread ? __bb_thread : bbp_thread_attach ();
  if (!thread || thread->stopped == stop)
    return stop;
  bbp_sigset old = bbp_lock ();
  __atomic_store_n (&thread->stopped, stop, __ATOMIC_SEQ_CST);
  use_arcs (thread, bbp_arch_thread_pointer ());
  bbp_copies_use (thread);
  bbp_count_above.stopped ();
  bbp_unlock (old);
  return !stop;
}

/* Applies the user's selection, which is now known, to the existing threads, as to new ones. */
void
bbp_threads_begin (void)
{
  bbp_threads_recall ();
  if (!__bb_thread)
    return;
  __bb_thread->closed = bbp_selectors.opening;
  bbp_count_above.thread_chooses ();
  use_arcs (__bb_thread, bbp_arch_thread_pointer ());
  bbp_copies_use (__bb_thread);
}

/* THREAD, the calling one, enters a window, or leaves it.  A handler that interrupts this
   restores the state that it found, so the state is set again afterwards.  Context: hot. */
void
bbp_thread_open (struct bbp_thread *thread, bool open)
{
  do
    {
      __atomic_store_n (&thread->closed, !open, __ATOMIC_SEQ_CST);
      use_arcs (thread, bbp_arch_thread_pointer ());
      bbp_copies_switch (thread);
  } while (__atomic_load_n (&thread->closed, __ATOMIC_SEQ_CST) == open);
}

/* The calling thread's block.  Functions attach a thread that has its own counters.  A thread
   that counts in place gets a block only when it is interrupted, to record that.  Null: unknown
   and not needed, or no memory.  Context: signal. */
struct bbp_thread *
bbp_thread_interrupted (void)
{
  return __bb_thread || !bbp.in_place ? __bb_thread : bbp_thread_attach ();
}

/* Records that a handler of the library interrupted the calling thread, in CONTEXT; null: the
   handler is about to return. */
void
bbp_thread_interrupt (const void *context)
{
  struct bbp_thread *thread = context ? bbp_thread_interrupted () : __bb_thread;
  if (thread)
    __atomic_store_n (&thread->interrupted, context ? bbp_program_pc (context) : 0,
                      __ATOMIC_RELEASE);
}

/* True if only the calling thread can be counting now. */
bool
bbp_threads_alone (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread != __bb_thread && !is_gone (thread))
      return false;
  return true;
}

/* Gives the main thread copies, as the others have.  Called by that thread, or before there is a
   module. */
void
bbp_threads_leave_place (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    thread->in_place = false;
  if (__bb_thread)
    bbp_copies_use_anew (__bb_thread);
}

/* A forked child has only the calling thread; the blocks of the others are free. */
void
bbp_threads_forked (void)
{
  bbp.leaving = NULL;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      thread->interrupted = thread->sleep_pc = 0;
      thread->leaving = false;
      thread->tid = thread == __bb_thread ? bbp_sys_gettid () : 0;
      if (!thread->tid)
        leave (thread);
    }
}
