/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the unwinder on unusual stacks: deep, switched, made by hand, or none at all.
   sample/unwind-steps.test covers every instruction of plain code. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "runtime/base/base.h"
#include "runtime/sample/sample.h"
#include "runtime/unwind/unwind.h"
#include "runtime/unwind/unwinding.h"
#include "testsuite/unit/unit.h"

static struct bbp_frame frames[BBP_DEPTH];
static struct bbp_unwound unwound;

static void
on_signal (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  unwound = bbp_unwind (context, 0, frames, NULL, BBP_DEPTH);
}

static void
prepare (void)
{
  struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
  sigaction (SIGUSR1, &action, NULL);
  bbp_unwind_start ();
}

static volatile int sink;

static void __attribute__ ((noinline)) look (void)
{
  raise (SIGUSR1);
  sink++;
}

/* How many frames return into the FUNCTION. */
static size_t
frames_in (void *function)
{
  size_t n = 0;
  struct bbp_cfi cfi;
  ck_assert (bbp_cfi_find ((uintptr_t) function, &cfi) == BBP_CFI_THERE);
  for (size_t i = 0; i < unwound.n; i++)
    n += frames[i].address - cfi.start < cfi.end - cfi.start;
  return n;
}

static void __attribute__ ((noinline)) dive (int depth)
{
  if (depth > 0)
    dive (depth - 1);
  else
    look ();
  sink++;
}

START_TEST (innermost_frames_of_deep_stacks)
{
  prepare ();
  dive (10000);
  ck_assert_uint_eq (unwound.n, BBP_DEPTH);
  ck_assert (!unwound.whole);
  ck_assert_uint_ge (frames_in (dive), BBP_DEPTH - 4);
  dive (100);
  ck_assert (unwound.whole);
  ck_assert_uint_eq (frames_in (dive), 101);
}
END_TEST

/* As many frames as there are: that is whole, with room for no more. */
START_TEST (depth_that_just_suffices)
{
  prepare ();
  ucontext_t here;
  getcontext (&here);
  struct bbp_unwound all = bbp_unwind (&here, 0, frames, NULL, BBP_DEPTH);
  ck_assert (all.whole);
  struct bbp_unwound same = bbp_unwind (&here, 0, frames, NULL, all.n),
                     less = bbp_unwind (&here, 0, frames, NULL, all.n - 1);
  ck_assert (same.whole && same.n == all.n);
  ck_assert (!less.whole && less.n == all.n - 1);
  ck_assert_uint_eq (bbp_unwind (&here, 0, frames, NULL, 0).n, 0);
}
END_TEST

static ucontext_t main_context, other_context;

static void
coroutine (void)
{
  dive (5);
  swapcontext (&other_context, &main_context);
  dive (7);
  sink++;
}

START_TEST (stacks_of_coroutines_are_whole)
{
  static char stack[1 << 16];
  prepare ();
  getcontext (&other_context);
  other_context.uc_stack = (stack_t) { .ss_sp = stack, .ss_size = sizeof stack };
  other_context.uc_link = &main_context;
  makecontext (&other_context, coroutine, 0);
  for (size_t deep = 5; deep <= 7; deep += 2)
    {
      swapcontext (&main_context, &other_context);
      ck_assert (unwound.whole);
      ck_assert_uint_eq (frames_in (dive), deep + 1);
      ck_assert_uint_eq (frames_in (coroutine), 1);
    }
}
END_TEST

static int
thread (void *argument)
{
  (void) argument;
  dive (3);
  return 0;
}

START_TEST (bare_threads_are_whole)
{
  static char stack[1 << 16] __attribute__ ((aligned (16)));
  prepare ();
  int status, child = clone (thread, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
  ck_assert_int_gt (child, 0);
  ck_assert_int_eq (waitpid (child, &status, 0), child);
  ck_assert_int_eq (status, 0);
  ck_assert (unwound.whole);
  ck_assert_uint_eq (frames_in (dive), 4);
  ck_assert_uint_eq (frames_in (thread), 1);
}
END_TEST

/* Assembler that says nothing of its frame: the return address on top of the stack, or behind a
   frame pointer. */
void bare_leaf (ucontext_t *);
void bare_frame (ucontext_t *);
__asm__(".text\n"
        "bare_leaf: leaf_here: ret\n"
        "bare_frame: push %rbp; mov %rsp, %rbp; sub $32, %rsp; frame_here: leave; ret\n");
extern const char leaf_here[], frame_here[];

static uint64_t made_stack[64];

/* A context as it would be at PC, with the stack pointer at word SP of a stack made by hand. */
static ucontext_t
context_at (const void *pc, size_t sp, size_t frame_pointer)
{
  ucontext_t context;
  memset (&context, 0, sizeof context);
  context.uc_mcontext.gregs[REG_RIP] = (greg_t) pc;
  context.uc_mcontext.gregs[REG_RSP] = (greg_t) &made_stack[sp];
  context.uc_mcontext.gregs[REG_RBP] = (greg_t) &made_stack[frame_pointer];
  return context;
}

/* Code with a call of each kind; the first leads to bare_leaf, the second to bare_frame, the
   third anywhere, the last elsewhere. */
extern const char behind_leaf[], behind_frame[], behind_any[], behind_other[];
__asm__(".text\n"
        "call bare_leaf\n behind_leaf: call bare_frame\n behind_frame: call *%rax\n behind_any: "
        "call abort@plt\n behind_other: nop\n");

/* The second frame there is; 0: none. */
static uintptr_t
caller_of (ucontext_t context)
{
  unwound = bbp_unwind (&context, 0, frames, NULL, 2);
  return unwound.n == 2 ? frames[1].address : 0;
}

START_TEST (no_caller_is_invented)
{
  prepare ();
  made_stack[10] = (uintptr_t) behind_leaf;
  ck_assert_uint_eq (caller_of (context_at (leaf_here, 10, 0)), (uintptr_t) behind_leaf);
  made_stack[10] = (uintptr_t) behind_other;
  ck_assert_uint_eq (caller_of (context_at (leaf_here, 10, 0)), 0);
  made_stack[10] = (uintptr_t) leaf_here + 1000000;
  ck_assert_uint_eq (caller_of (context_at (leaf_here, 10, 0)), 0);

  made_stack[10] = 17;
  made_stack[20] = (uintptr_t) &made_stack[40];
  made_stack[21] = (uintptr_t) behind_frame;
  ck_assert_uint_eq (caller_of (context_at (frame_here, 10, 20)), (uintptr_t) behind_frame);
  made_stack[21] = (uintptr_t) behind_any;
  ck_assert_uint_eq (caller_of (context_at (frame_here, 10, 20)), (uintptr_t) behind_any);
  made_stack[21] = (uintptr_t) behind_other;
  ck_assert_uint_eq (caller_of (context_at (frame_here, 10, 20)), 0);
  made_stack[21] = (uintptr_t) behind_frame;
  /* Frame pointer below the stack. */
  ck_assert_uint_eq (caller_of (context_at (frame_here, 22, 20)), 0);
  made_stack[10] = (uintptr_t) behind_any;
  made_stack[21] = (uintptr_t) behind_any;
  ck_assert_uint_eq (caller_of (context_at (frame_here, 10, 20)), 0); /* it could be either */
}
END_TEST

static uint64_t
random_word (void)
{
  return (uint64_t) random () << 42 ^ (uint64_t) random () << 21 ^ (uint64_t) random ();
}

/* Something that could be an address: of code, of a stack, of nothing, near one. */
static uint64_t
random_address (void)
{
  static const char *const code[] = { behind_leaf, leaf_here };
  switch (random () % 8)
    {
    case 0: return random_word ();
    case 1: return (uintptr_t) code[random () % 2] + (uint64_t) (random () % 64);
    case 2: return (uintptr_t) random_word + (uint64_t) (random () % 4096);
    case 3: return (uintptr_t) qsort + (uint64_t) (random () % 100000);
    case 4: return (uintptr_t) &made_stack[random () % 64];
    case 5: return (uintptr_t) &made_stack[random () % 64] + (uint64_t) (random () % 9000) - 4500;
    case 6: return (uint64_t) (random () % 3) - 1;
    default:
      return (uintptr_t) __builtin_frame_address (0) + (uint64_t) (random () % 100000) - 30000;
    }
}

START_TEST (garbage_ends_the_walk)
{
  prepare ();
  srandom (4711);
  for (int i = 0; i < 200000; i++)
    {
      ucontext_t context = context_at (0, 0, 0);
      for (int r = 0; r < NGREG; r++)
        context.uc_mcontext.gregs[r] = (greg_t) random_address ();
      for (size_t k = 0; k < 64; k++)
        made_stack[k] = random_address ();
      unwound = bbp_unwind (&context, 0, frames, NULL, BBP_DEPTH);
      ck_assert_uint_ge (unwound.n, 1);
      ck_assert_uint_eq (frames[0].address, (uintptr_t) context.uc_mcontext.gregs[REG_RIP]);
    }
}
END_TEST

/* Call frame information of random bytes, right in front of memory that is not there. */
START_TEST (garbage_is_no_information)
{
  enum { BYTES = 64 };
  unsigned char *pages
      = mmap (NULL, 2 * BBP_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect (pages + BBP_PAGE_BYTES, BBP_PAGE_BYTES, PROT_NONE);
  unsigned char *bytes = pages + BBP_PAGE_BYTES - BYTES;
  prepare ();
  srandom (4711);
  for (int i = 0; i < 300000; i++)
    {
      size_t n = 1 + (size_t) random () % BYTES;
      for (size_t k = BYTES - n; k < BYTES; k++)
        bytes[k] = (unsigned char) (random () % 3 ? random () % 0x30 : random ());
      const unsigned char *low = bytes + BYTES - n;
      struct bbp_cfi cfi = { .start = 0x1000,
                             .end = 0x2000,
                             .low = low,
                             .high = bytes + BYTES,
                             .first = low,
                             .first_stop = low,
                             .program = low,
                             .program_stop = bytes + BYTES,
                             .data_unit = -8,
                             .code_unit = 1,
                             .encoding = 0x1b,
                             .result = BBP_ARCH_RETURN };
      struct bbp_row row;
      bbp_cfi_row (&cfi, 0x1000 + (uintptr_t) random () % 0x1000, &row);
      struct bbp_registers registers = { .known = UINT32_MAX };
      for (int r = 0; r < BBP_ARCH_REGISTERS; r++)
        registers.value[r] = random_address ();
      struct bbp_readable readable = { 0 };
      uint64_t result;
      bbp_cfi_evaluate ((struct bbp_bytes) { low, bytes + BYTES, true }, &registers, &readable,
                        NULL, &result);
    }
}
END_TEST

/* An expression of BYTES, with the stack pointer 1000. */
#define evaluate(...)                                      \
  evaluate_bytes ((const unsigned char[]) { __VA_ARGS__ }, \
                  sizeof (const unsigned char[]) { __VA_ARGS__ })
static uint64_t
evaluate_bytes (const unsigned char *bytes, size_t n)
{
  struct bbp_registers registers = { .known = 1U << BBP_ARCH_STACK_POINTER };
  struct bbp_readable readable = { 0 };
  registers.value[BBP_ARCH_STACK_POINTER] = 1000;
  uint64_t result = 0;
  return bbp_cfi_evaluate ((struct bbp_bytes) { bytes, bytes + n, true }, &registers, &readable,
                           NULL, &result)
             ? result
             : UINT64_MAX;
}

START_TEST (expressions)
{
  ck_assert_uint_eq (evaluate (0x77, 8), 1008);                         /* breg7 8 */
  ck_assert_uint_eq (evaluate (0x77, 0x78), 992);                       /* breg7 -8 */
  ck_assert_uint_eq (evaluate (0x35, 0x33, 0x1c), 2);                   /* 5 - 3 */
  ck_assert_uint_eq (evaluate (0x35, 0x33, 0x16, 0x1c), (uint64_t) -2); /* swapped */
  /* 1 2 3 become 3 1 2. */
  ck_assert_uint_eq (evaluate (0x31, 0x32, 0x33, 0x17, 0x22), 3);
  ck_assert_uint_eq (evaluate (0x3f, 0x3b, 0x2a, 0x33, 0x24), 8);          /* (15 >= 11) << 3 */
  ck_assert_uint_eq (evaluate (0x31, 0x28, 1, 0, 0x96, 0x34), 4);          /* bra over a nop */
  ck_assert_uint_eq (evaluate (0x30, 0x31, 0x2f, 0xfc, 0xff), UINT64_MAX); /* a loop */
  ck_assert_uint_eq (evaluate (0x31, 0x30, 0x1b), UINT64_MAX);             /* 1 / 0 */
  ck_assert_uint_eq (evaluate (0x22), UINT64_MAX);                         /* nothing to add */
  ck_assert_uint_eq (evaluate (0x30, 0x06), UINT64_MAX);                   /* *0 */
  /* A register that is not known. */
  ck_assert_uint_eq (evaluate (0x70, 0), UINT64_MAX);
}
END_TEST

START_TEST (what_is_readable)
{
  unsigned char *pages
      = mmap (NULL, 3 * BBP_PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct bbp_readable known = { 0 };
  mprotect (pages + BBP_PAGE_BYTES, BBP_PAGE_BYTES, PROT_NONE);
  uintptr_t first = (uintptr_t) pages;
  ck_assert (bbp_is_readable (&known, first, 8));
  ck_assert (bbp_is_readable (&known, first + BBP_PAGE_BYTES - 8, 8));
  ck_assert (!bbp_is_readable (&known, first + BBP_PAGE_BYTES - 7, 8));
  ck_assert (!bbp_is_readable (&known, first + BBP_PAGE_BYTES, 1));
  ck_assert (bbp_is_readable (&known, first + 2 * BBP_PAGE_BYTES, 8));
  ck_assert (!bbp_is_readable (&known, 0, 8));
  ck_assert (!bbp_is_readable (&known, UINTPTR_MAX - 3, 8));
  ck_assert (!bbp_is_readable (&known, (uintptr_t) 1 << 47, 8));
}
END_TEST

/* A stack that is copied, and unwound when its calls are over and others have used it. */
extern void *__libc_stack_end;
static struct {
  struct bbp_walk walk;
  unsigned char stack[65536];
} copied;

static void
copy_stack (int number, siginfo_t *info, void *context)
{
  on_signal (number, info, context);
  uintptr_t sp = (uintptr_t) ((ucontext_t *) context)->uc_mcontext.gregs[REG_RSP],
            end = (uintptr_t) __libc_stack_end;
  ck_assert_uint_lt (end - sp, sizeof copied.stack);
  bbp_arch_registers (context, copied.walk.now.value);
  copied.walk.now.known = BBP_WALK_ALL;
  copied.walk.exact = true;
  copied.walk.stack = (struct bbp_readable) { sp, end, (uintptr_t) copied.stack - sp };
  memcpy (copied.stack, (const void *) sp, end - sp);
}

START_TEST (copies_of_stacks)
{
  static struct bbp_frame then[BBP_DEPTH];
  struct sigaction action = { .sa_sigaction = copy_stack, .sa_flags = SA_SIGINFO };
  prepare ();
  sigaction (SIGUSR1, &action, NULL);
  dive (50);
  const struct bbp_unwound whole = unwound;
  memcpy (then, frames, sizeof then);
  prepare ();
  dive (200);
  struct bbp_unwound again = bbp_unwind_walk (&copied.walk, frames, NULL, BBP_DEPTH);
  ck_assert (whole.whole && again.whole);
  ck_assert_uint_eq (again.n, whole.n);
  ck_assert_int_eq (memcmp (then, frames, again.n * sizeof *frames), 0);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { innermost_frames_of_deep_stacks },
                                     { depth_that_just_suffices },
                                     { stacks_of_coroutines_are_whole },
                                     { bare_threads_are_whole },
                                     { no_caller_is_invented },
                                     { garbage_ends_the_walk },
                                     { garbage_is_no_information },
                                     { expressions },
                                     { what_is_readable },
                                     { copies_of_stacks } };
  return unit_run (UNIT_SUITE ("unwind", UNIT_CASE (tests)));
}
