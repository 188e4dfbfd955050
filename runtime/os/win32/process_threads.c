/* SPDX-License-Identifier: MIT */
/* The threads of the process.  The system lists them in the order in which they began. */
#include <winternl.h>

#include "runtime/os/win32/win32.h"

enum { MOST_THREADS = 65536 };

/* In the order of their numbers.  The table is reserved whole, and gets memory as it grows. */
static struct bbp_known_thread *threads;
static uint32_t nthreads, spared;
/* Numbers of those that live, in the order of the list. */
static uint32_t living[MOST_THREADS], nliving;

#define ACCESS (THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_QUERY_INFORMATION | SYNCHRONIZE)

typedef NTSTATUS NTAPI next_thread (HANDLE process, HANDLE before, ACCESS_MASK, ULONG attributes,
                                    ULONG flags, HANDLE *);

typedef HRESULT WINAPI description (HANDLE, wchar_t **);

/* In no header, or not in all versions. */
static next_thread *next;
static description *describes;

/* Not in a round, because the loader's lock is needed, which a thread may hold that unloads a DLL
   and waits for the end of the round. */
void
bbp_threads_make (void)
{
  next = (next_thread *) (void (*) (void)) GetProcAddress (GetModuleHandleW (L"ntdll.dll"),
                                                           "NtGetNextThread");
  describes = (description *) (void (*) (void)) GetProcAddress (
      GetModuleHandleW (L"kernelbase.dll"), "GetThreadDescription");
}

void
bbp_threads_spare (uint32_t tid)
{
  spared = tid;
}

/* The address of its TEB; 0: the thread has just been created, and has none yet. */
static uintptr_t
block_of (HANDLE thread)
{
  struct {
    NTSTATUS status;
    uintptr_t block;
    struct {
      HANDLE process, thread;
    } client;
    uintptr_t affinity;
    LONG priority, base_priority;
  } about = { 0 };
  ULONG got;
  NTSTATUS status
      = NtQueryInformationThread (thread, (THREADINFOCLASS) 0, &about, sizeof about, &got);
  return status ? 0 : about.block;
}

static void
describe (struct bbp_known_thread *t)
{
  uint64_t begun, ended, now = bbp_run_started () + bbp_run_time ();
  bbp_run_clocks_of (t->handle, true, &begun, &ended, &t->about.cpu);
  t->about.begun = begun > bbp_run_started () ? begun - bbp_run_started () : 0;
  t->about.ended = ended > bbp_run_started () && ended <= now ? ended - bbp_run_started () : 0;
}

/* The first bytes of the name that the program gave to the thread; else of its own, as on
   Linux. */
static void
find_name (struct bbp_known_thread *t)
{
  char name[256];
  wchar_t *wide = NULL;
  *name = '\0';
  if (describes && !FAILED (describes (t->handle, &wide)) && wide)
    {
      bbp_narrow (name, sizeof name, wide);
      LocalFree (wide);
    }
  struct bbp_text text = { .buffer = t->about.name, .size = sizeof t->about.name };
  bbp_text_string (&text, *name ? name : bbp_image_program ());
}

/* Takes over HANDLE. */
static struct bbp_known_thread *
enter (HANDLE handle, uint32_t tid)
{
  if (!threads)
    threads = VirtualAlloc (NULL, MOST_THREADS * sizeof *threads, MEM_RESERVE, PAGE_READWRITE);
  if (!threads || nthreads == MOST_THREADS
      || !VirtualAlloc (&threads[nthreads], sizeof *threads, MEM_COMMIT, PAGE_READWRITE))
    {
      CloseHandle (handle);
      return NULL;
    }
  struct bbp_known_thread *t = &threads[nthreads++];
  *t = (struct bbp_known_thread) { .tid = tid, .handle = handle, .block = block_of (handle) };
  t->about.number = nthreads;
  t->about.tid = tid;
  describe (t);
  living[nliving++] = nthreads;
  return t;
}

/* A number of a thread can be that of a new one, once the thread has ended and its handle is
   closed; the handle that is kept prevents that. */
static struct bbp_known_thread *
find (uint32_t tid)
{
  for (uint32_t i = 0; i < nliving; i++)
    if (threads[living[i] - 1].tid == tid)
      return &threads[living[i] - 1];
  return NULL;
}

static void
leave (struct bbp_known_thread *t)
{
  describe (t);
  find_name (t);
  if (!t->about.ended)
    t->about.ended = bbp_run_time ();
  CloseHandle (t->handle);
  t->handle = NULL;
}

static void
forget_ended (uint32_t round)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < nliving; i++)
    if (threads[living[i] - 1].seen != round)
      leave (&threads[living[i] - 1]);
    else
      living[kept++] = living[i];
  nliving = kept;
}

void
bbp_threads_each (uint32_t round, void (*each) (struct bbp_known_thread *))
{
  HANDLE before = NULL, handle;
  bool is_kept = true;
  while (next && next (bbp_subject, before, ACCESS, 0, 0, &handle) == 0)
    {
      uint32_t tid = GetThreadId (handle);
      struct bbp_known_thread *t = tid == spared ? NULL : find (tid);
      bool is_new = !t && tid != spared && WaitForSingleObject (handle, 0) == WAIT_TIMEOUT;
      if (!is_kept)
        CloseHandle (before);
      if (is_new)
        t = enter (handle, tid);
      before = handle;
      is_kept = is_new;
      if (t && WaitForSingleObject (t->handle, 0) == WAIT_TIMEOUT)
        {
          t->seen = round;
          if (!t->block)
            t->block = block_of (t->handle);
          each (t);
        }
    }
  if (!is_kept)
    CloseHandle (before);
  forget_ended (round);
}

bool
bbp_threads_describe (uint32_t number, struct bbx_thread *about)
{
  if (number > nthreads)
    return false;
  struct bbp_known_thread *t = &threads[number - 1];
  if (t->handle)
    {
      describe (t);
      find_name (t);
    }
  *about = t->about;
  return true;
}
