/* SPDX-License-Identifier: MIT */
/* A sample of a thread: where it is, and which calls are active. */
#include "runtime/os/win32/win32.h"

enum { MOST_STACK = 256 * 1024 }; /* bytes of a stack that are copied: the innermost frames */

struct bbp_collect_numbers bbp_collect_numbers;

static unsigned char *copy; /* of MOST_STACK bytes */
static struct bbp_frame *frames;
static struct bbp_collected collected;
static uint32_t round_number;

bool
bbp_collect_make (void)
{
  bbp_threads_make ();
  if (!copy)
    copy = bbp_pages_map (MOST_STACK);
  if (!frames)
    frames = bbp_pages_map (BBP_DEPTH * sizeof *frames);
  if (!copy || !frames)
    return false;
  struct bbp_text name = { .buffer = collected.how.sampler, .size = sizeof collected.how.sampler };
  bbp_text_string (&name, bbp_sampler_timer ());
  collected.how.clock = BBP_CLOCK_WALL;
  collected.how.asked = collected.how.rate = bbp_sampler_asked ();
  collected.how.depth = BBP_DEPTH;
  bbp_collected = &collected;
  return true;
}

void
bbp_collect_reset (void)
{
  bbp_collect_numbers = (struct bbp_collect_numbers) { 0 };
  collected.samples = collected.cut = collected.lost_memory = 0;
}

/* The stack from RSP on.  Between its bounds, which the thread's TEB has, it stays as it is while
   the thread is suspended.  Context: the thread is suspended. */
static void
copy_stack (const struct bbp_known_thread *t, uintptr_t rsp, struct bbp_stack *stack)
{
  NT_TIB bounds;
  *stack = (struct bbp_stack) { .bytes = copy, .low = rsp, .high = rsp };
  if (!bbp_subject_copy_stack (t->block, &bounds, sizeof bounds))
    return;
  uintptr_t limit = (uintptr_t) bounds.StackLimit, base = (uintptr_t) bounds.StackBase;
  if (rsp < limit || rsp >= base)
    return;
  size_t n = base - rsp < MOST_STACK ? base - rsp : MOST_STACK;
  if (!bbp_subject_copy_stack (rsp, copy, n))
    return;
  stack->high = rsp + n;
  stack->reaches_end = stack->high == base;
}

static void
take_registers (struct bbp_registers *r, const CONTEXT *context)
{
  *r = (struct bbp_registers) { .rip = context->Rip,
                                .gpr = { context->Rax, context->Rcx, context->Rdx, context->Rbx,
                                         context->Rsp, context->Rbp, context->Rsi, context->Rdi,
                                         context->R8, context->R9, context->R10, context->R11,
                                         context->R12, context->R13, context->R14, context->R15 } };
}

static uint64_t suspended_at;

static bool
suspend (const struct bbp_known_thread *t)
{
  if (!t->block || SuspendThread (t->handle) == (DWORD) -1)
    return false;
  suspended_at = bbp_clock_wall ();
  return true;
}

static void
resume (const struct bbp_known_thread *t)
{
  ResumeThread (t->handle);
  const uint64_t stopped = bbp_clock_wall () - suspended_at;
  if (stopped > bbp_collect_numbers.most_stopped)
    bbp_collect_numbers.most_stopped = stopped;
}

/* The registers and the stack.  Nothing is called but the system.  False: they may not be read.
   Context: the thread is suspended. */
static bool
take (const struct bbp_known_thread *t, struct bbp_registers *r, struct bbp_stack *stack)
{
  static CONTEXT context;
  context.ContextFlags = CONTEXT_CONTROL | CONTEXT_INTEGER;
  if (!GetThreadContext (t->handle, &context))
    return false;
  copy_stack (t, context.Rsp, stack);
  take_registers (r, &context);
  return true;
}

static uint32_t
root_of (struct bbp_known_thread *t)
{
  const struct bbp_frame frame = { .kind = BBX_FRAME_THREAD, .address = t->about.number };
  if (!t->node)
    t->node = bbp_context_enter (0, &frame);
  return t->node;
}

static void
count (struct bbp_known_thread *t, const struct bbp_frame *stack, size_t n, bool whole)
{
  static const struct bbp_frame cut = { .kind = BBX_FRAME_CUT };
  uint32_t node = root_of (t), child;
  if (node && !whole && (child = bbp_context_enter (node, &cut)))
    node = child;
  while (node && n-- && (child = bbp_context_enter (node, &stack[n])))
    node = child;
  collected.samples++;
  collected.cut += !whole;
  collected.lost_memory += !node || n != (size_t) -1;
  bbp_collect_numbers.ticks++;
  if (node)
    bbp_context_count (node, 1);
}

/* In another process the thread stays suspended while its frames are found, because it could unload
   a DLL that it has been in.  In its own it may own a lock that is needed for that. */
static void
collect (struct bbp_known_thread *t)
{
  struct bbp_registers r;
  struct bbp_stack stack;
  bool whole;
  size_t n = 0;
  const bool is_own = bbp_subject_is_own (), is_suspended = suspend (t);
  const bool taken = is_suspended && take (t, &r, &stack);
  if (is_suspended && is_own)
    resume (t);
  if (taken)
    n = bbp_unwind_stack (&r, &stack, round_number, frames, BBP_DEPTH, &whole);
  if (is_suspended && !is_own)
    resume (t);
  if (taken)
    count (t, frames, n, whole);
  else
    bbp_collect_numbers.refused++;
}

void
bbp_collect_round (void)
{
  bbp_collect_numbers.rounds++;
  bbp_threads_each (++round_number, collect);
}
