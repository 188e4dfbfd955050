/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of decoding calls and stubs as compilers and linkers write them, byte by byte (GCC 12,
   ld, gold, lld), and of following a call to its function in a program that is made of them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/unwind/unwind.h"
#include "testsuite/unit/unit.h"

/* Where the bytes are said to lie, and what the numbers in them then mean. */
#define AT 0x401000UL
#define CODE(...)                                                         \
  (const unsigned char[]) { __VA_ARGS__ }, sizeof (const unsigned char[]) \
  {                                                                       \
    __VA_ARGS__                                                           \
  }

static void
expect (struct bbp_branch branch, enum bbp_branch_kind kind, uintptr_t address, size_t bytes)
{
  ck_assert_int_eq (branch.kind, kind);
  if (kind != BBP_BRANCH_NONE)
    {
      ck_assert_uint_eq (branch.address, address);
      ck_assert_uint_eq (branch.bytes, bytes);
    }
}

/* Of a call only what is before the address to which it returns: exactly so many bytes. */
static struct bbp_branch
call_before (const unsigned char *bytes, size_t n)
{
  ck_assert_uint_eq (n, BBP_ARCH_CALL_BYTES);
  return bbp_arch_call_before (bytes, AT);
}

START_TEST (calls)
{
  /* nop; call AT+0x123 */
  expect (call_before (CODE (0x90, 0xe8, 0x23, 0x01, 0, 0)), BBP_BRANCH_TO, AT + 0x123, 5);
  /* a byte that could begin another call; backwards */
  expect (call_before (CODE (0xff, 0xe8, 0x00, 0xff, 0xff, 0xff)), BBP_BRANCH_TO, AT - 0x100, 5);
  /* addr32 call, which ld makes of call *f@GOTPCREL(%rip) when it knows f; bnd call */
  expect (call_before (CODE (0x67, 0xe8, 0x10, 0, 0, 0)), BBP_BRANCH_TO, AT + 0x10, 5);
  expect (call_before (CODE (0xf2, 0xe8, 0x10, 0, 0, 0)), BBP_BRANCH_TO, AT + 0x10, 5);
  /* call *0xe8e8(%rip) */
  expect (call_before (CODE (0xff, 0x15, 0xe8, 0xe8, 0, 0)), BBP_BRANCH_BY_SLOT, AT + 0xe8e8, 6);
  /* call *%rax; call *8(%rax); syscall */
  expect (call_before (CODE (0x90, 0x90, 0x90, 0x90, 0xff, 0xd0)), BBP_BRANCH_NONE, 0, 0);
  expect (call_before (CODE (0x90, 0x90, 0x90, 0xff, 0x50, 0x08)), BBP_BRANCH_NONE, 0, 0);
  expect (call_before (CODE (0x90, 0x90, 0x90, 0x90, 0x0f, 0x05)), BBP_BRANCH_NONE, 0, 0);
}
END_TEST

START_TEST (jumps)
{
  expect (bbp_arch_jump (CODE (0xe9, 0xfb, 0x0f, 0, 0), AT), BBP_BRANCH_TO, AT + 0x1000, 5);
  expect (bbp_arch_jump (CODE (0xf2, 0xe9, 0xfa, 0x0f, 0, 0), AT), BBP_BRANCH_TO, AT + 0x1000, 6);
  expect (bbp_arch_jump (CODE (0xeb, 0xfe), AT), BBP_BRANCH_TO, AT, 2);
  expect (bbp_arch_jump (CODE (0xff, 0x25, 0x02, 0x30, 0, 0), AT), BBP_BRANCH_BY_SLOT, AT + 0x3008,
          6);
  /* notrack jmp *, rex.W jmp * */
  expect (bbp_arch_jump (CODE (0x3e, 0xff, 0x25, 0x01, 0x30, 0, 0), AT), BBP_BRANCH_BY_SLOT,
          AT + 0x3008, 7);
  expect (bbp_arch_jump (CODE (0x48, 0xff, 0x25, 0x01, 0x30, 0, 0), AT), BBP_BRANCH_BY_SLOT,
          AT + 0x3008, 7);
  /* jle, jne; near and far */
  expect (bbp_arch_jump (CODE (0x7e, 0x10), AT), BBP_BRANCH_TO, AT + 0x12, 2);
  expect (bbp_arch_jump (CODE (0x0f, 0x85, 0xf0, 0xff, 0xff, 0xff), AT), BBP_BRANCH_TO, AT - 10, 6);
  /* jmp *%rax, and code that ends too early */
  expect (bbp_arch_jump (CODE (0xff, 0xe0), AT), BBP_BRANCH_NONE, 0, 0);
  expect (bbp_arch_jump (CODE (0xe9, 0, 0, 0), AT), BBP_BRANCH_NONE, 0, 0);
  expect (bbp_arch_jump (CODE (0xf2), AT), BBP_BRANCH_NONE, 0, 0);
  expect (bbp_arch_jump (CODE (0x0f, 0x85, 0xf0), AT), BBP_BRANCH_NONE, 0, 0);
}
END_TEST

START_TEST (stubs)
{
  /* .plt of ld: jmp *slot; push; jmp.  .plt.got: jmp *slot; xchg %ax, %ax.  .plt.sec: endbr64;
     bnd jmp *slot, or without bnd. */
  expect (
      bbp_arch_stub (
          CODE (0xff, 0x25, 0xe2, 0x2f, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff), AT),
      BBP_BRANCH_BY_SLOT, AT + 0x2fe8, 6);
  expect (bbp_arch_stub (CODE (0xff, 0x25, 0xe2, 0x2f, 0, 0, 0x66, 0x90), AT), BBP_BRANCH_BY_SLOT,
          AT + 0x2fe8, 6);
  expect (bbp_arch_stub (CODE (0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0xdd, 0x2f, 0, 0), AT),
          BBP_BRANCH_BY_SLOT, AT + 0x2fe8, 11);
  expect (bbp_arch_stub (CODE (0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xde, 0x2f, 0, 0), AT),
          BBP_BRANCH_BY_SLOT, AT + 0x2fe8, 10);
  /* .plt of ld with .plt.sec, before the loader has looked the name up: endbr64; push; bnd jmp */
  expect (
      bbp_arch_stub (
          CODE (0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xf2, 0xe9, 0xe1, 0xff, 0xff, 0xff), AT),
      BBP_BRANCH_NONE, 0, 0);
  /* Thunks: sub $8; add $-16, long; for a hidden result; by the table of virtual functions,
     alone and after a constant. */
  expect (bbp_arch_stub (CODE (0x48, 0x83, 0xef, 0x08, 0xeb, 0xe4), AT), BBP_BRANCH_TO,
          AT + 6 - 0x1c, 6);
  expect (bbp_arch_stub (CODE (0x48, 0x81, 0xef, 0x48, 0x9c, 0, 0, 0xe9, 0, 1, 0, 0), AT),
          BBP_BRANCH_TO, AT + 12 + 0x100, 12);
  expect (bbp_arch_stub (CODE (0x48, 0x83, 0xc7, 0xf0, 0xe9, 0, 1, 0, 0), AT), BBP_BRANCH_TO,
          AT + 9 + 0x100, 9);
  expect (bbp_arch_stub (CODE (0x48, 0x81, 0xee, 0x68, 0x9c, 0, 0, 0xeb, 0xc6), AT), BBP_BRANCH_TO,
          AT + 9 - 0x3a, 9);
  expect (bbp_arch_stub (CODE (0x4c, 0x8b, 0x17, 0x49, 0x03, 0x7a, 0xe8, 0xeb, 0xe1), AT),
          BBP_BRANCH_TO, AT + 9 - 0x1f, 9);
  expect (bbp_arch_stub (CODE (0x48, 0x83, 0xef, 0x10, 0x4c, 0x8b, 0x17, 0x49, 0x03, 0xba, 0, 0xfe,
                               0xff, 0xff, 0xeb, 0),
                         AT),
          BBP_BRANCH_TO, AT + 16, 16);
  expect (bbp_arch_stub (
              CODE (0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x83, 0xef, 0x08, 0xff, 0x25, 0, 0, 0, 0), AT),
          BBP_BRANCH_BY_SLOT, AT + 14, 14);
  /* mov $n, %r10; add %r10, %rdi; jmp */
  expect (bbp_arch_stub (
              CODE (0x49, 0xba, 1, 2, 3, 4, 5, 6, 7, 8, 0x4c, 0x01, 0xd7, 0xe9, 0, 0, 0, 0), AT),
          BBP_BRANCH_TO, AT + 18, 18);
  /* A function: push %rbp; a conditional jump; a trampoline of GCC's on the stack: movabs $f,
     %r11; movabs $chain, %r10; jmp *%r11 */
  expect (bbp_arch_stub (CODE (0x55, 0x48, 0x89, 0xe5), AT), BBP_BRANCH_NONE, 0, 0);
  expect (bbp_arch_stub (CODE (0x7e, 0x10), AT), BBP_BRANCH_NONE, 0, 0);
  expect (bbp_arch_stub (CODE (0x49, 0xbb, 1, 2, 3, 4, 5, 6, 7, 8, 0x49, 0xba, 1, 2, 3, 4, 5, 6, 7,
                               8, 0x49, 0xff, 0xe3),
                         AT),
          BBP_BRANCH_NONE, 0, 0);
}
END_TEST

static bool
counts (const unsigned char *bytes, size_t n, uintptr_t address, uintptr_t counter, uintptr_t first)
{
  return bbp_arch_counts (bytes, 0, n, address, counter, first);
}

START_TEST (counters)
{
  /* nop; incq %gs:AT+0x1009(%rip); nop.  lock incq.  That of another counter.  The end is
     missing. */
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x90, 0x65, 0x48, 0xff, 0x05, 0, 0x10, 0, 0, 0x90), AT,
                             AT + 0x1009, 0),
      AT + 9);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0xf0, 0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1008, 0),
      AT + 8);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0xf0, 0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1010, 0), 0);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x48, 0xff, 0x05, 0, 0x10, 0), AT, AT + 0x1007, 0), 0);
  /* leaq AT+0x1007(%rip), %rcx; movq word@gottpoff(%rip), %rax; movq %fs:(%rax), %rax; incq
     (%rcx,%rax) */
  static const unsigned char word[] = { 0x48, 0x8d, 0x0d, 0,    0x10, 0,   0,    0x48,
                                        0x8b, 0x05, 0,    0,    0,    0,   0x64, 0x48,
                                        0x8b, 0,    0x48, 0xff, 0x04, 0x01 };
  ck_assert_uint_eq (bbp_arch_counting_end (word, sizeof word, AT, AT + 0x1007, 0), AT + 22);
  ck_assert_uint_eq (bbp_arch_counting_end (word, sizeof word - 4, AT, AT + 0x1007, 0), 0);
  /* leaq AT+0x1007(%rip), %r13; incq 0(%r13) */
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x4c, 0x8d, 0x2d, 0, 0x10, 0, 0, 0x49, 0xff, 0x45, 0), AT,
                             AT + 0x1007, 0),
      AT + 11);
  /* incq, in its segment, locked, plain; of another counter; shortly behind; cut off. */
  ck_assert (counts (CODE (0x65, 0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1008, 0));
  ck_assert (counts (CODE (0xf0, 0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1008, 0));
  ck_assert (counts (CODE (0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1007, 0));
  ck_assert (!counts (CODE (0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1008, 0));
  ck_assert (!counts (CODE (0xc3, 0x48, 0xff, 0x05, 0, 0x10, 0, 0), AT, AT + 0x1008, 0));
  ck_assert (!counts (CODE (0x65, 0x48, 0xff, 0x05, 0, 0x10, 0), AT, AT + 0x1008, 0));
}
END_TEST

/* Increments by a pointer to 128 bytes behind the function's first counter. */
START_TEST (counters_by_pointer)
{
  const uintptr_t first = 0x5000, third = first + 16, far = first + 8 * 100;
  /* nop; incq %gs:-112(%rcx); nop.  incq %gs:672(%r11).  Of another counter.  Cut off. */
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x90, 0x65, 0x48, 0xff, 0x41, 0x90, 0x90), AT, third, first),
      AT + 6);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x65, 0x49, 0xff, 0x83, 0xa0, 2, 0, 0), AT, far, first), AT + 8);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x90, 0x65, 0x48, 0xff, 0x41, 0x98, 0x90), AT, third, first), 0);
  ck_assert_uint_eq (bbp_arch_counting_end (CODE (0x90, 0x65, 0x48, 0xff, 0x41), AT, third, first),
                     0);
  ck_assert_uint_eq (
      bbp_arch_counting_end (CODE (0x65, 0x49, 0xff, 0x83, 0xa0, 2, 0), AT, far, first), 0);
  ck_assert (counts (CODE (0x65, 0x48, 0xff, 0x41, 0x90), AT, third, first));
  ck_assert (counts (CODE (0x65, 0x49, 0xff, 0x83, 0xa0, 2, 0, 0), AT, far, first));
  /* Without %gs, decq, in a register, behind a nop, of another function. */
  ck_assert (!counts (CODE (0x48, 0xff, 0x41, 0x90, 0x90), AT, third, first));
  ck_assert (!counts (CODE (0x65, 0x48, 0xff, 0x49, 0x90), AT, third, first));
  ck_assert (!counts (CODE (0x65, 0x48, 0xff, 0xc1, 0x90), AT, third, first));
  ck_assert (!counts (CODE (0x90, 0x65, 0x48, 0xff, 0x41, 0x90), AT, third, first));
  ck_assert (!counts (CODE (0x65, 0x48, 0xff, 0x41, 0x90), AT, third, first + 8));
}
END_TEST

/* A program: a call and tail calls, by stubs, to a function of the list. */
static _Alignas(16) unsigned char text[256];
static uintptr_t slot;
enum { FUNCTION = 0x80, OTHER = 0x90, STUB = 0xa0, VENEER = 0xb0, THUNK = 0xc0, ROUND = 0xd0 };

static int32_t
distance (const unsigned char *field, uintptr_t to)
{
  return (int32_t) (to - (uintptr_t) (field + 4));
}

static void
put (size_t at, const unsigned char *bytes, size_t n, uintptr_t to)
{
  memcpy (text + at, bytes, n);
  int32_t field = distance (text + at + n, to);
  memcpy (text + at + n, &field, sizeof field);
}

static void
write_program (struct bbp_counts *entries)
{
  uintptr_t function = (uintptr_t) text + FUNCTION;
  struct bbp_object *executable = bbp_object_executable ();
  bbp_objects_start ();
  executable->text_start = (uintptr_t) text - executable->bias;
  executable->text_end = executable->text_start + sizeof text;
  slot = (uintptr_t) text + VENEER;
  put (STUB, CODE (0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25), (uintptr_t) &slot);
  put (VENEER, CODE (0xe9), (uintptr_t) text + THUNK);
  put (THUNK, CODE (0x48, 0x83, 0xef, 0x08, 0xe9), function);
  put (ROUND, CODE (0xe9), (uintptr_t) text + ROUND);
  text[OTHER] = 0xc3;
  put (8, CODE (0xe8), (uintptr_t) text + STUB);
  put (0x10, CODE (0xe8), function);
  put (0x20, CODE (0xe8), (uintptr_t) text + OTHER);
  put (0x30, CODE (0xe8), (uintptr_t) text + ROUND);
  put (0x40, CODE (0xe9), (uintptr_t) text + STUB);
  put (0x50, CODE (0x0f, 0x84), function);
  put (0x60, CODE (0xff, 0x15), (uintptr_t) &slot);
  *entries = (struct bbp_counts) { 0 };
  ck_assert (bbp_counts_put (entries, 0, function, 1));
}

START_TEST (ways_to_functions)
{
  struct bbp_counts entries;
  uintptr_t from, self, base = (uintptr_t) text;
  write_program (&entries);
  static const struct {
    uintptr_t point, from;
    bool tail;
  } found[] = { { 0xd, 0xd, false },
                { 0x15, 0x15, false },
                { 0x40, 0x44, true },
                { 0x50, 0x55, true },
                { 0x66, 0x66, false } };
  for (size_t i = 0; i < sizeof found / sizeof *found; i++)
    {
      ck_assert (bbp_calls_direct (&entries, base + found[i].point, found[i].tail, &from, &self));
      ck_assert_uint_eq (from, base + found[i].from);
      ck_assert_uint_eq (self, base + FUNCTION);
    }
  /* A function that nobody asked for, a jump to itself; and no call at all, at the very begin of
     the code. */
  ck_assert (!bbp_calls_direct (&entries, base + 0x25, false, &from, &self));
  ck_assert (!bbp_calls_direct (&entries, base + 0x35, false, &from, &self));
  ck_assert (!bbp_calls_direct (&entries, base + 2, false, &from, &self));
  ck_assert (!bbp_calls_direct (&entries, base + 0x70, true, &from, &self));
  bbp_counts_free (&entries);
}
END_TEST

/* Counted indirect calls lead to functions of the list, or are no arcs; those that hooks counted
   stay as they are. */
START_TEST (indirect_calls)
{
  struct bbp_counts entries, arcs = { 0 };
  uintptr_t base = (uintptr_t) text;
  int stack;
  write_program (&entries);
  bbp_counts_put (&arcs, (base + 8) | BBP_ARC_INDIRECT, base + FUNCTION, 5);
  bbp_counts_put (&arcs, (base + 8) | BBP_ARC_INDIRECT, base + THUNK, 6);
  bbp_counts_put (&arcs, (base + 8) | BBP_ARC_INDIRECT, base + OTHER, 7);
  bbp_counts_put (&arcs, (base + 8) | BBP_ARC_INDIRECT, (uintptr_t) &stack, 8);
  bbp_counts_put (&arcs, base + 9, base + OTHER + 3, 9);
  bbp_calls_follow (&arcs, &entries);
  ck_assert_uint_eq (arcs.n, 2);
  ck_assert_uint_eq (bbp_counts_of (&arcs, base + 8, base + FUNCTION), 11);
  ck_assert_uint_eq (bbp_counts_of (&arcs, base + 9, base + OTHER + 3), 9);
  bbp_counts_free (&arcs);
  bbp_counts_free (&entries);
}
END_TEST

/* The rest of a function's entries came from outside; a negative rest is a loss. */
START_TEST (calls_from_outside)
{
  struct bbp_counts entries = { 0 }, arcs = { 0 };
  uint64_t lost = 0;
  bbp_counts_put (&entries, 0, 100, 10);
  bbp_counts_put (&entries, 0, 200, 5);
  bbp_counts_put (&entries, 0, 300, 5);
  bbp_counts_put (&entries, 0, 400, 2);
  bbp_counts_put (&arcs, 7, 100, 3);
  bbp_counts_put (&arcs, 8, 100, 4);
  bbp_counts_put (&arcs, 8, 200, 5);
  bbp_counts_put (&arcs, 9, 300, 8);
  bbp_counts_put (&arcs, 9, 450, 1);
  bbp_counts_unite (&arcs);
  ck_assert_int_eq (bbp_calls_complete (&arcs, &entries, &lost), 0);
  ck_assert_uint_eq (lost, 3);
  ck_assert_uint_eq (arcs.n, 7);
  ck_assert_uint_eq (bbp_counts_of (&arcs, 0, 100), 3);
  ck_assert_uint_eq (bbp_counts_of (&arcs, 0, 400), 2);
  ck_assert_uint_eq (bbp_counts_of (&arcs, 0, 200), 0);
  bbp_counts_free (&arcs);
  bbp_counts_free (&entries);
}
END_TEST

static void
here (void)
{
}

static __attribute__ ((noinline)) int
there (int n)
{
  return n > 1 ? there (n - 1) + (int) getpid () : 1;
}

/* Functions of this very program; libc's are others; data are none. */
START_TEST (extents)
{
  bbp_objects_start ();
  uintptr_t a = (uintptr_t) here, b = (uintptr_t) there;
  ck_assert (bbp_extent_is_one (a, a));
  ck_assert (bbp_extent_is_one (b, b + 1));
  ck_assert (bbp_extent_is_one (b + 1, b));
  ck_assert (!bbp_extent_is_one (a, b));
  ck_assert (!bbp_extent_is_one (b, a));
  ck_assert (!bbp_extent_is_one (a, (uintptr_t) &slot));
  ck_assert (!bbp_extent_is_one ((uintptr_t) &slot, (uintptr_t) &slot));
  ck_assert (!bbp_extent_is_one (a, 0));
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { calls },
                                     { jumps },
                                     { stubs },
                                     { counters },
                                     { counters_by_pointer },
                                     { ways_to_functions },
                                     { indirect_calls },
                                     { calls_from_outside },
                                     { extents } };
  return unit_run (UNIT_SUITE ("decode", UNIT_CASE (tests)));
}
