/* SPDX-License-Identifier: MIT */
/* The threads that count: their blocks, slots and counters. */
#include <winternl.h>

#include "runtime/os/win32/counting.h"

enum { SLOTS = 64, SLOTS_AT = 0x1480, FIRST_TABLE_SLOTS = 128 };

/* A block outlives its thread, until a new one takes it over with its counts. */
struct counting_thread {
  struct bbp_thread block; /* first: bbp.threads leads here */
  HANDLE handle;           /* null: none uses the block */
  uintptr_t teb;           /* the thread's block of the system's */
  bool is_suspended;       /* for the reading of counters */
};

static SRWLOCK lock = SRWLOCK_INIT;
static uint64_t thread_slot; /* with the address of the thread's block; 0: not yet */
static bool is_left[SLOTS];  /* ours, and free */

BOOLEAN NTAPI RtlDllShutdownInProgress (void);
NTSTATUS NTAPI NtSetInformationThread (HANDLE, THREADINFOCLASS, const void *, ULONG);

/* When the process ends the system has ended all other threads, also one that held the lock. */
void
bbp_count_lock (void)
{
  if (!RtlDllShutdownInProgress ())
    AcquireSRWLockExclusive (&lock);
}

void
bbp_count_unlock (void)
{
  if (!RtlDllShutdownInProgress ())
    ReleaseSRWLockExclusive (&lock);
}

/* Slots. */

static uint64_t
offset_of (DWORD index)
{
  return SLOTS_AT + index * sizeof (void *);
}

/* Those beyond the first 64 are in a table that code does not read. */
static uint64_t
allocate_slot (void)
{
  const DWORD index = TlsAlloc ();
  if (index < SLOTS)
    return offset_of (index);
  if (index != TLS_OUT_OF_INDEXES)
    TlsFree (index);
  return 0;
}

uint64_t
bbp_slot_take (void)
{
  for (DWORD i = 0; i < SLOTS; i++)
    if (is_left[i])
      {
        is_left[i] = false;
        return offset_of (i);
      }
  return allocate_slot ();
}

/* It is kept, because code of a module that is being unloaded may still count by it. */
void
bbp_slot_leave (uint64_t slot)
{
  ULONG index = (ULONG) ((slot - SLOTS_AT) / sizeof (void *));
  const THREADINFOCLASS zero_tls_cell = (THREADINFOCLASS) 10;
  NtSetInformationThread (GetCurrentThread (), zero_tls_cell, &index, sizeof index);
  is_left[index] = true;
}

/* The library's own two. */
static bool
has_slots (void)
{
  if (thread_slot)
    return true;
  const uint64_t arcs = allocate_slot (), thread = arcs ? allocate_slot () : 0;
  if (!thread)
    return false;
  bbp_arcs_slot = arcs;
  thread_slot = thread;
  return true;
}

/* Counters. */

static struct counting_thread *
of (struct bbp_thread *thread)
{
  return (struct counting_thread *) thread;
}

/* THREAD's counters of MODULE; made if there are none; null: no memory. */
static struct bbp_copy *
copy_of (struct bbp_thread *thread, struct bbp_module *module)
{
  for (struct bbp_copy *copy = thread->copies; copy; copy = copy->next)
    if (copy->module == module)
      return copy;
  struct bbp_copy *copy
      = bbp_pages_map (sizeof *copy + bbp_module_ncounts (module) * sizeof *copy->counts);
  if (!copy)
    return NULL;
  copy->module = module;
  copy->next = thread->copies;
  __atomic_store_n (&thread->copies, copy, __ATOMIC_RELEASE);
  return copy;
}

/* The calling thread counts in its own counters; without memory in the module's own, where
   increments of two threads can collide. */
static void
use_module (struct bbp_thread *thread, struct bbp_module *module)
{
  struct bbp_copy *copy = copy_of (thread, module);
  if (copy)
    bbp_word_set ((uint64_t) module->word_offset,
                  (uintptr_t) copy->counts - (uintptr_t) module->counts_start);
  else
    bbp.inexact = true;
}

void
bbp_thread_use_modules (void)
{
  struct bbp_thread *thread = thread_slot ? (struct bbp_thread *) bbp_word (thread_slot) : NULL;
  for (struct bbp_module *module = bbp.modules; thread && module; module = module->next)
    if (!bbp_word ((uint64_t) module->word_offset))
      use_module (thread, module);
}

void
bbp_threads_drop (const struct bbp_module *module)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (struct bbp_copy **link = &thread->copies; *link; link = &(*link)->next)
      if ((*link)->module == module)
        {
          struct bbp_copy *copy = *link;
          *link = copy->next;
          bbp_pages_unmap (copy, 0);
          break;
        }
}

/* Threads. */

static bool
is_free (const struct counting_thread *thread)
{
  return !thread->handle || WaitForSingleObject (thread->handle, 0) == WAIT_OBJECT_0;
}

/* The block of a thread that has ended; else a new one; null: no memory. */
static struct counting_thread *
find_block (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (is_free (of (thread)))
      return of (thread);
  struct counting_thread *thread = bbp_pages_map (sizeof *thread);
  if (!thread)
    return NULL;
  thread->block.newest = bbp_arc_table_new (FIRST_TABLE_SLOTS);
  if (!thread->block.newest)
    {
      bbp_pages_unmap (thread, sizeof *thread);
      return NULL;
    }
  thread->block.number = bbp.threads ? bbp.threads->number + 1 : 1;
  thread->block.next = bbp.threads;
  bbp.threads = &thread->block;
  return thread;
}

static struct bbp_thread *
attach (void)
{
  HANDLE handle;
  struct counting_thread *thread = has_slots () ? find_block () : NULL;
  if (!thread
      || !DuplicateHandle (GetCurrentProcess (), GetCurrentThread (), GetCurrentProcess (), &handle,
                           THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | SYNCHRONIZE, FALSE, 0))
    return NULL;
  if (thread->handle)
    CloseHandle (thread->handle);
  thread->handle = handle;
  thread->teb = bbp_word (offsetof (NT_TIB, Self));
  thread->block.tid = (int) GetCurrentThreadId ();
  bbp_word_set (bbp_arcs_slot,
                bbp.stopped ? (uintptr_t) &bbp_no_arcs.table : (uintptr_t) thread->block.newest);
  bbp_word_set (thread_slot, (uintptr_t) &thread->block);
  return &thread->block;
}

struct bbp_thread *
bbp_thread_known (void)
{
  struct bbp_thread *thread = thread_slot ? (struct bbp_thread *) bbp_word (thread_slot) : NULL;
  if (thread)
    return thread;
  bbp_count_lock ();
  thread = attach ();
  bbp_thread_use_modules ();
  bbp_count_unlock ();
  if (!thread)
    bbp.inexact = true;
  return thread;
}

/* A module that was loaded since the thread is known has its slot still to be set. */
__attribute__ ((sysv_abi)) void
bbp_thread_attach (void)
{
  const DWORD error = GetLastError ();
  if (bbp_thread_known ())
    {
      bbp_count_lock ();
      bbp_thread_use_modules ();
      bbp_count_unlock ();
    }
  SetLastError (error);
}

/* Pauses. */

/* Where a thread at CONTEXT is for the counters of its function: in the middle of that, if it is in
   the hook before an indirect call. */
static uintptr_t
hook_caller (const CONTEXT *context)
{
  const uintptr_t pc = context->Rip;
  const uintptr_t *stack = (const uintptr_t *) context->Rsp;
  if (pc < (uintptr_t) bbp_indirect || pc >= (uintptr_t) bbp_indirect_end)
    return pc;
  if (pc < (uintptr_t) bbp_indirect_1 || pc == (uintptr_t) bbp_indirect_4)
    return stack[0];
  return pc < (uintptr_t) bbp_indirect_2 || pc == (uintptr_t) bbp_indirect_3 ? stack[1] : stack[2];
}

static bool
suspend (struct counting_thread *thread)
{
  CONTEXT context = { .ContextFlags = CONTEXT_CONTROL | CONTEXT_INTEGER };
  if (thread->is_suspended || is_free (thread) || thread->block.tid == (int) GetCurrentThreadId ()
      || SuspendThread (thread->handle) == (DWORD) -1)
    return false;
  thread->is_suspended = true;
  if (GetThreadContext (thread->handle, &context))
    thread->block.interrupted = hook_caller (&context);
  return true;
}

bool
bbp_threads_pause (void)
{
  bool any = false;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    any |= suspend (of (thread));
  return any;
}

void
bbp_threads_continue (void)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (of (thread)->is_suspended)
      {
        of (thread)->is_suspended = false;
        thread->interrupted = 0;
        ResumeThread (of (thread)->handle);
      }
}

void
bbp_threads_stop (bool stop)
{
  bbp.stopped = stop;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    if (of (thread)->handle)
      {
        uintptr_t *word = (uintptr_t *) (of (thread)->teb + bbp_arcs_slot);
        if (of (thread)->is_suspended || thread->tid == (int) GetCurrentThreadId ())
          *word = stop ? (uintptr_t) &bbp_no_arcs.table : (uintptr_t) thread->newest;
      }
}
