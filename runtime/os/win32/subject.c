/* SPDX-License-Identifier: MIT */
/* The process that is sampled, this one or another, and its clocks. */
#include <winternl.h>

#include "runtime/os/win32/win32.h"

struct bbp_runtime bbp;
struct bb *__bb_head;
HANDLE bbp_subject;

static struct {
  uint64_t started, wall, cpu; /* the clocks at the start; nanoseconds */
  uint32_t pid, parent;
} run;

enum { TICK_NS = 100 };                  /* of FILETIME */
#define UNTIL_1970 116444736000000000ULL /* FILETIME of 1970 */
enum { PEB_IMAGE_BASE = 0x10 };          /* offsets in blocks of the system */

static uint64_t
ticks_of (const FILETIME *time)
{
  return (uint64_t) time->dwHighDateTime << 32 | time->dwLowDateTime;
}

static uint64_t
since_1970 (const FILETIME *time)
{
  uint64_t ticks = ticks_of (time);
  return ticks > UNTIL_1970 ? (ticks - UNTIL_1970) * TICK_NS : 0;
}

uint64_t
bbp_clock_wall (void)
{
  static LARGE_INTEGER rate;
  LARGE_INTEGER now;
  if (!rate.QuadPart)
    QueryPerformanceFrequency (&rate);
  QueryPerformanceCounter (&now);
  uint64_t seconds = (uint64_t) (now.QuadPart / rate.QuadPart),
           rest = (uint64_t) (now.QuadPart % rate.QuadPart);
  return seconds * 1000000000 + rest * 1000000000 / (uint64_t) rate.QuadPart;
}

void
bbp_run_clocks_of (HANDLE handle, bool thread, uint64_t *begun, uint64_t *ended, uint64_t *cpu)
{
  FILETIME from = { 0 }, to = { 0 }, kernel = { 0 }, user = { 0 };
  *begun = *ended = *cpu = 0;
  if (!(thread ? GetThreadTimes : GetProcessTimes) (handle, &from, &to, &kernel, &user))
    return;
  *begun = since_1970 (&from);
  *ended = since_1970 (&to);
  *cpu = (ticks_of (&kernel) + ticks_of (&user)) * TICK_NS;
}

void
bbp_subject_set (HANDLE process, uint32_t pid, uint32_t parent)
{
  FILETIME now;
  uint64_t begun, ended;
  GetSystemTimeAsFileTime (&now);
  bbp_subject = process;
  run.started = since_1970 (&now);
  run.wall = bbp_clock_wall ();
  run.pid = pid;
  run.parent = parent;
  bbp_run_clocks_of (process, false, &begun, &ended, &run.cpu);
  uint64_t mixed = run.started ^ run.wall << 20 ^ (uint64_t) pid << 40;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  bbp.run = (mixed ^ mixed >> 31) | 1;
}

bool
bbp_subject_is_own (void)
{
  return bbp_subject == GetCurrentProcess ();
}

/* Also of its own process by a call of the system, because another thread may unload the DLL that
   is read. */
bool
bbp_subject_read (uintptr_t address, void *to, size_t n)
{
  SIZE_T got = 0;
  return ReadProcessMemory (bbp_subject, (const void *) address, to, n, &got) && got == n;
}

bool
bbp_subject_copy_stack (uintptr_t address, void *to, size_t n)
{
  if (!bbp_subject_is_own ())
    return bbp_subject_read (address, to, n);
  bbp_copy_bytes (to, (const void *) address, n);
  return true;
}

bool
bbp_subject_is_code (uintptr_t address)
{
  const DWORD executable = PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE
                           | PAGE_EXECUTE_WRITECOPY;
  MEMORY_BASIC_INFORMATION about;
  return VirtualQueryEx (bbp_subject, (const void *) address, &about, sizeof about)
         && about.State == MEM_COMMIT && about.Protect & executable;
}

uintptr_t
bbp_subject_executable (void)
{
  PROCESS_BASIC_INFORMATION about;
  ULONG got;
  uintptr_t base = 0;
  if (bbp_subject_is_own ())
    return (uintptr_t) GetModuleHandleW (NULL);
  if (NtQueryInformationProcess (bbp_subject, ProcessBasicInformation, &about, sizeof about, &got)
      || !bbp_subject_read ((uintptr_t) about.PebBaseAddress + PEB_IMAGE_BASE, &base, sizeof base))
    return 0;
  return base;
}

void
bbp_run_describe (struct bbx_run *about)
{
  uint64_t begun, ended;
  *about = (struct bbx_run) { .started = run.started,
                              .wall = bbp_clock_wall () - run.wall,
                              .pid = run.pid,
                              .parent = run.parent,
                              .rate = bbp_sampler_asked (),
                              .dump = bbp.dumps,
                              .samples = bbp_collect_numbers.ticks };
  bbp_run_clocks_of (bbp_subject, false, &begun, &ended, &about->cpu);
  about->cpu -= run.cpu < about->cpu ? run.cpu : about->cpu;
  struct bbx_thread thread;
  for (uint32_t number = 1; bbp_threads_describe (number, &thread); number++)
    about->threads++;
}

uint64_t
bbp_run_time (void)
{
  return bbp_clock_wall () - run.wall;
}

uint64_t
bbp_run_started (void)
{
  return run.started;
}

void
bbp_narrow (char *buffer, size_t size, const wchar_t *wide)
{
  if (!WideCharToMultiByte (CP_UTF8, 0, wide, -1, buffer, (int) size, NULL, NULL))
    *buffer = '\0';
}
