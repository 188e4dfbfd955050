/* SPDX-License-Identifier: MIT */
/* The threads' blocks.  A thread gets one ("is attached") at its first call of a hook, whoever made it and however; when it
   ends, the block is free for the next one.  Nothing has to be told when a thread begins, so pthread_create is not
   replaced, and threads that libc makes for itself are right too. */
#include <pthread.h>

#include "arch.h"
#include "bbprof-live.h"
#include "internal.h"
#include "sys.h"

#define FIRST_TABLE_SLOTS 1024

__thread struct bbp_thread *__bb_thread;

/* This thread has been through its key's destructor: whatever it still runs, it will soon be gone. */
static __thread bool leaving __attribute__ ((tls_model ("initial-exec")));

/* Its destructor runs when an attached thread ends.  glibc keeps the values of the first 32 keys in the thread itself;
   for others pthread_setspecific calls malloc, which a hook must not, so then blocks are not used again. */
static pthread_key_t exit_key;
static bool exit_key_usable, exit_key_made;
#define KEYS_WITHOUT_MALLOC 32

/* The word by which compiled code of a unit finds the counters of the thread whose thread pointer is TP. */
static void
point_word (uintptr_t tp, const struct bb *unit, uintptr_t displacement)
{
  __atomic_store_n ((uintptr_t *) (tp + unit->word_offset), unit->word_initial + displacement, __ATOMIC_RELEASE);
}

/* The THREAD's copy of MODULE's counters, or its scraps of them; made if there is none.  Null: no memory. */
static struct bbp_copy *
copy_of (struct bbp_thread *thread, bool scraps, struct bbp_module *module)
{
  struct bbp_copy **list = scraps ? &thread->scraps : &thread->copies;
  for (struct bbp_copy *copy = *list; copy; copy = copy->next)
    if (copy->module == module)
      return copy;
  size_t bytes = sizeof (struct bbp_copy) + bbp_module_ncounts (module) * sizeof (long);
  struct bbp_copy *copy = bbp_slice_map (scraps ? BBL_SCRAPS : BBL_COUNTS, thread->number, module->number, bytes);
  if (!copy)
    return NULL;
  copy->module = module;
  bbp_slice_ready (copy);
  copy->next = *list;
  __atomic_store_n (list, copy, __ATOMIC_RELEASE);
  return copy;
}

/* How far the thread's counters for MODULE, or its scraps while it is stopped, are from the module's own.  Without memory
   for them the thread shares the module's, where increments of two threads can collide: said in the dump's message. */
static uintptr_t
displacement_of (struct bbp_thread *thread, struct bbp_module *module)
{
  bool stopped = bbp_thread_is_stopped (thread);
  if (thread->in_place && !stopped)
    return 0;
  struct bbp_copy *copy = copy_of (thread, stopped, module);
  if (copy)
    return (uintptr_t) copy->counts - (uintptr_t) module->counts_start;
  bbp.inexact = true;
  return 0;
}

static void
point_all_words (struct bbp_thread *thread, uintptr_t tp)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    {
      uintptr_t displacement = displacement_of (thread, module);
      for (struct bb *unit = module->units; unit; unit = bbp_module_next_unit (module, unit))
        point_word (tp, unit, displacement);
    }
}

/* Let THREAD, whose thread pointer is TP, count where it is to.  Thread-local words of a library that is loaded at
   start-up lie as far from every thread's pointer. */
static void
point_thread (struct bbp_thread *thread, uintptr_t tp)
{
  uintptr_t offset = (uintptr_t) &bbp_arcs - bbp_arch_thread_pointer ();
  bbp_arcs_use ((struct bbp_arc_table **) (tp + offset), thread);
  point_all_words (thread, tp);
}

/* Called once for each unit that registers itself: point the word of every thread that is there. */
void
bbp_threads_add_unit (struct bbp_module *module, struct bb *unit)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread->thread_pointer)
      point_word (thread->thread_pointer, unit, displacement_of (thread, module));
}

/* Key destructor: the thread ends.  Should it run profiled code after this, that attaches it again. */
static void
detach (void *data)
{
  struct bbp_thread *thread = data;
  bbp_sigset old = bbp_lock ();
  uintptr_t tp = bbp_arch_thread_pointer ();
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    for (struct bb *unit = module->units; unit; unit = bbp_module_next_unit (module, unit))
      point_word (tp, unit, 0);
  __bb_thread = NULL;
  bbp_arcs = NULL;
  leaving = true;
  thread->thread_pointer = 0;
  thread->free = true;
  thread->next_free = bbp.free_threads;
  bbp.free_threads = thread;
  bbp_unlock (old);
}

/* A new block; the main thread's counts in the modules' own arrays, if those need not outlive the process.  Null: no
   memory. */
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
      /* Tried again at every hook of the thread, so nothing may be left behind. */
      bbp_pages_unmap (thread, sizeof *thread + BBP_ARCH_VECTORS_BYTES);
      return NULL;
    }
  thread->in_place = !main_taken && bbp_sys_gettid () == bbp_sys_getpid ();
  thread->next = bbp.threads;
  bbp.threads = thread;
  return thread;
}

/* See to it that detach is called when the calling thread ends; if so, its words can be written to from outside.  A
   thread that ends unseen must not be: its memory may be somebody else's then. */
static void
watch_exit (void *data)
{
  struct bbp_thread *thread = data;
  if (!exit_key_made)
    {
      exit_key_made = true;
      exit_key_usable = pthread_key_create (&exit_key, detach) == 0 && exit_key < KEYS_WITHOUT_MALLOC;
    }
  bool watched = exit_key_usable && pthread_setspecific (exit_key, thread) == 0;
  thread->thread_pointer = watched && !leaving ? bbp_arch_thread_pointer () : 0;
}

/* Where signals cannot be blocked (sandbox.c), a handler could ask for the lock that its thread holds. */
struct bbp_thread *
bbp_thread_attach (void)
{
  if (!BBP_IS_ALLOWED (SYS_rt_sigprocmask))
    return NULL;
  bbp_sigset old = bbp_lock ();
  struct bbp_thread *thread = __bb_thread; /* a handler may have been quicker */
  if (!thread)
    {
      thread = bbp.free_threads;
      if (thread)
        {
          bbp.free_threads = thread->next_free;
          thread->free = false;
        }
      else
        thread = make_thread ();
      if (thread)
        {
          bbp_arch_keep_vectors (watch_exit, thread, thread + 1);
          thread->stopped = bbp_options.scope;
          point_thread (thread, bbp_arch_thread_pointer ());
          __atomic_store_n (&__bb_thread, thread, __ATOMIC_RELEASE);
        }
    }
  bbp_unlock (old);
  return thread;
}

/* Behind __bb_thread_func.  Counts nothing by itself, so a thread without memory is no loss but shares counters. */
void
bbp_thread_attach_hook (void)
{
  if (!__bb_thread && !bbp_thread_attach ())
    bbp.inexact = true;
}

/* For the calling thread it holds when this returns; another one counts on until it fetches its next pointer.  One whose
   end nobody would see, and whose words cannot be written to from outside, goes on as it is. */
void
bbp_threads_stop (bool stop)
{
  __atomic_store_n (&bbp.stopped, stop, __ATOMIC_SEQ_CST);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread == __bb_thread)
      point_thread (thread, bbp_arch_thread_pointer ());
    else if (thread->thread_pointer)
      point_thread (thread, thread->thread_pointer);
}

/* A thread that cannot be attached, for want of memory, stays as it is. */
bool
bbp_thread_stop (bool stop)
{
  struct bbp_thread *thread = __bb_thread ? __bb_thread : bbp_thread_attach ();
  if (!thread || thread->stopped == stop)
    return stop;
  bbp_sigset old = bbp_lock ();
  __atomic_store_n (&thread->stopped, stop, __ATOMIC_SEQ_CST);
  point_thread (thread, bbp_arch_thread_pointer ());
  bbp_unlock (old);
  return !stop;
}

static void
remove_copy (struct bbp_copy **list, const struct bbp_module *module)
{
  for (struct bbp_copy **link = list; *link; link = &(*link)->next)
    if ((*link)->module == module)
      {
        struct bbp_copy *copy = *link;
        *link = copy->next;
        bbp_slice_unmap (copy);
        break;
      }
}

/* MODULE is unmapped after this: forget the copies of its counters. */
void
bbp_threads_remove_module (const struct bbp_module *module)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      remove_copy (&thread->copies, module);
      remove_copy (&thread->scraps, module);
    }
}

/* Whether nobody but the calling thread can be counting just now. */
bool
bbp_threads_alone (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (!thread->free && thread != __bb_thread)
      return false;
  return true;
}

/* From now on the main thread has copies as the others have. */
void
bbp_threads_leave_place (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (thread->in_place)
      {
        thread->in_place = false;
        uintptr_t tp = thread == __bb_thread ? bbp_arch_thread_pointer () : thread->thread_pointer;
        if (tp)
          point_all_words (thread, tp);
      }
}

/* In a forked child only the calling thread is left; the blocks of the others are free. */
void
bbp_threads_forked (void)
{
  bbp.free_threads = NULL;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      thread->free = thread != __bb_thread;
      if (!thread->free)
        continue;
      thread->thread_pointer = 0;
      thread->next_free = bbp.free_threads;
      bbp.free_threads = thread;
    }
}
