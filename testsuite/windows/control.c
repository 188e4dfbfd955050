/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's inner functions, each tried by a mode of this program, the first argument.  Prints
   what it found, in one line, and ends with status 0 if that is right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/os/win32/win32.h"

enum { THREADS = 4 };

static volatile unsigned long work;
static volatile bool stop;

static __attribute__ ((noinline)) void
turn (int depth)
{
  if (depth)
    turn (depth - 1);
  for (int i = 0; i < 1000; i++)
    work += (unsigned long) i;
}

static int
compare (const void *a, const void *b)
{
  return *(const int *) a - *(const int *) b;
}

/* Frames of many kinds: recursion, callbacks of the C library, its own functions.  It sleeps now
   and then, so that it is soon on a processor when it is suspended, also on a busy machine. */
static DWORD WINAPI
spin (void *argument)
{
  int numbers[200];
  char text[100];
  for (unsigned round = 0; !stop; round++)
    {
      turn ((int) (round % 20));
      for (int i = 0; i < 200; i++)
        numbers[i] = (int) (i * 7919U % 1009);
      qsort (numbers, 200, sizeof *numbers, compare);
      sprintf (text, "%d %s %f", numbers[0], argument ? "yes" : "no", round / 3.0);
      free (malloc (100 + round % 1000));
      if (round % 4 == 0)
        Sleep (1);
    }
  return 0;
}

static HANDLE threads[THREADS];

static void
begin_threads (void)
{
  for (int i = 0; i < THREADS; i++)
    threads[i] = CreateThread (NULL, 0, spin, NULL, 0, NULL);
}

/* How often they were suspended and not resumed. */
static DWORD
suspended (void)
{
  DWORD sum = 0;
  for (int i = 0; i < THREADS; i++)
    {
      sum += SuspendThread (threads[i]);
      ResumeThread (threads[i]);
    }
  return sum;
}

static bool
begin (const struct bbp_timer *timer, unsigned rate, bool periodic)
{
  return bbp_sampler_begin (timer, rate, periodic, true);
}

/* Waits until there are so many samples; at most a minute. */
static void
wait_for (uint64_t ticks)
{
  for (int i = 0; i < 6000 && bbp_collect_numbers.ticks < ticks; i++)
    Sleep (10);
}

static int
paired (void)
{
  begin_threads ();
  begin (&bbp_timer_waitable, 5000, false);
  wait_for (10000);
  bbp_sampler_end ();
  DWORD left = suspended ();
  printf ("%llu samples, %lu suspensions left\n", (unsigned long long) bbp_collect_numbers.ticks,
          left);
  return bbp_collect_numbers.ticks < 10000 || left;
}

static int
start_and_stop (void)
{
  DWORD before = 0, after = 0;
  int failed = 0;
  begin_threads ();
  for (int i = 0; i < 1000; i++)
    {
      failed += !begin (&bbp_timer_waitable, 1000, false);
      if (i % 10 == 0)
        wait_for (bbp_collect_numbers.ticks + 1);
      bbp_sampler_end ();
      if (i == 10)
        GetProcessHandleCount (GetCurrentProcess (), &before);
    }
  GetProcessHandleCount (GetCurrentProcess (), &after);
  DWORD left = suspended ();
  printf ("%d failed starts, %llu samples, %lu suspensions left, %ld handles more\n", failed,
          (unsigned long long) bbp_collect_numbers.ticks, left, (long) (after - before));
  return failed || left || bbp_collect_numbers.ticks < 100 || (long) (after - before) > THREADS;
}

/* Nothing is sampled while it is disabled, and the thread goes on. */
static int
disable (void)
{
  uint64_t while_disabled = 0;
  int unseen = 0;
  begin (&bbp_timer_waitable, 1000, false);
  for (int i = 0; i < 1000; i++)
    {
      bbp_sampler_enable (false);
      uint64_t before = bbp_collect_numbers.ticks;
      if (i % 100 == 0)
        Sleep (20);
      while_disabled += bbp_collect_numbers.ticks - before;
      bbp_sampler_enable (true);
      if (i % 100 == 0)
        {
          wait_for (before + 1);
          unseen += bbp_collect_numbers.ticks == before;
        }
    }
  bool ended = bbp_sampler_has_ended ();
  bbp_sampler_end ();
  printf ("%llu samples, %llu while disabled, %d times none when enabled, %s\n",
          (unsigned long long) bbp_collect_numbers.ticks, (unsigned long long) while_disabled,
          unseen, ended ? "the sampler ended" : "the sampler went on");
  return while_disabled || unseen || ended;
}

/* Closes the handle of the sampler's timer, the only timer here, which expires once more. */
static bool
close_timer (void)
{
  const LARGE_INTEGER soon = { .QuadPart = -10 * 1000 * 100 };
  for (uintptr_t handle = 4; handle < 4096; handle += 4)
    if (SetWaitableTimer ((HANDLE) handle, &soon, 0, NULL, NULL, FALSE))
      return CloseHandle ((HANDLE) handle);
  return false;
}

static int
closed (void)
{
  begin (&bbp_timer_waitable, 1000, false);
  wait_for (10);
  bool found = close_timer ();
  bool woken = false;
  for (int i = 0; i < 3000 && !(woken = bbp_sampler_has_ended ()); i++)
    Sleep (10);
  bbp_sampler_end ();
  printf ("timer %s, sampler %s\n", found ? "closed" : "not found", woken ? "ended" : "runs");
  return !found || !woken;
}

/* Frames of suspended threads, here and by the system's own unwinder. */

static bool
is_in_image (DWORD64 address)
{
  MEMORY_BASIC_INFORMATION about;
  return VirtualQuery ((void *) address, &about, sizeof about) && about.Type == MEM_IMAGE;
}

/* If the caller of a leaf is in no image it is no leaf, and its caller is not known: *WHOLE is
   false. */
static size_t
walk_by_system (CONTEXT context, uintptr_t *found, size_t most, bool *whole)
{
  size_t n = 0;
  *whole = true;
  while (n < most && context.Rip)
    {
      DWORD64 base, frame;
      void *data;
      found[n++] = context.Rip;
      PRUNTIME_FUNCTION f = RtlLookupFunctionEntry (context.Rip - (n > 1), &base, NULL);
      if (!f)
        {
          context.Rip = *(DWORD64 *) context.Rsp;
          context.Rsp += 8;
          *whole = is_in_image (context.Rip);
          if (!*whole)
            break;
          continue;
        }
      RtlVirtualUnwind (UNW_FLAG_NHANDLER, base, context.Rip, f, &context, &data, &frame, NULL);
    }
  return n;
}

static unsigned compared, different, depth_sum;
static struct bbp_frame frames[BBP_DEPTH];
static unsigned char copy[65536];

static void
compare_walks (HANDLE thread, uint32_t round)
{
  static uintptr_t expected[BBP_DEPTH];
  static CONTEXT context;
  struct bbp_stack stack = { .bytes = copy };
  bool whole, whole_by_system;
  context.ContextFlags = CONTEXT_FULL;
  SuspendThread (thread);
  GetThreadContext (thread, &context);
  size_t n = walk_by_system (context, expected, BBP_DEPTH, &whole_by_system);
  MEMORY_BASIC_INFORMATION about;
  VirtualQuery ((void *) context.Rsp, &about, sizeof about);
  stack.low = context.Rsp;
  stack.high = (uintptr_t) about.BaseAddress + about.RegionSize;
  if (stack.high - stack.low > sizeof copy)
    stack.high = stack.low + sizeof copy;
  memcpy (copy, (void *) stack.low, stack.high - stack.low);
  ResumeThread (thread);
  struct bbp_registers r
      = { .rip = context.Rip,
          .gpr = { context.Rax, context.Rcx, context.Rdx, context.Rbx, context.Rsp, context.Rbp,
                   context.Rsi, context.Rdi, context.R8, context.R9, context.R10, context.R11,
                   context.R12, context.R13, context.R14, context.R15 } };
  size_t mine = bbp_unwind_stack (&r, &stack, round, frames, BBP_DEPTH, &whole);
  bool same = mine == n && whole == whole_by_system;
  for (size_t i = 0; same && i < n; i++)
    same = frames[i].address == expected[i];
  compared++;
  depth_sum += (unsigned) n;
  if (same || different++ > 3)
    return;
  printf ("different at %#llx: %u frames, system %u\n", (unsigned long long) context.Rip,
          (unsigned) mine, (unsigned) n);
  for (size_t i = 0; i < n || i < mine; i++)
    printf ("  %#llx %#llx\n", i < mine ? (unsigned long long) frames[i].address : 0ULL,
            i < n ? (unsigned long long) expected[i] : 0ULL);
}

static int
unwind (void)
{
  begin_threads ();
  Sleep (50);
  for (uint32_t round = 1; round <= 250; round++)
    {
      for (int i = 0; i < THREADS; i++)
        compare_walks (threads[i], round);
      Sleep (1);
    }
  printf ("%u stacks, %.1f frames on average, %u different\n", compared,
          (double) depth_sum / compared, different);
  return different || depth_sum < 4 * compared;
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    int (*run) (void);
  } modes[] = { { "paired", paired },
                { "start", start_and_stop },
                { "disable", disable },
                { "closed", closed },
                { "unwind", unwind } };
  setvbuf (stdout, NULL, _IONBF, 0);
  bbp_subject_set (GetCurrentProcess (), GetCurrentProcessId (), 0);
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
    if (argc > 1 && strcmp (argv[1], modes[i].name) == 0)
      {
        int status = modes[i].run ();
        stop = true;
        WaitForMultipleObjects (THREADS, threads, TRUE, 60000);
        return status;
      }
  return 99;
}
