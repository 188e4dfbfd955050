/* SPDX-License-Identifier: MIT */
/* Unwinds code without call frame information: assembler code, and code that the program
   generates.  A word is a return address only if it follows a call, and if that call's target,
   where known, leads into this code.  Two words are candidates: the top of the stack, if the code
   was interrupted, and the word at the frame pointer.  If both or neither qualify, nothing is
   certain, except that the top is nearer.  Where calls leave the return address in a
   register, that is the first candidate.  Context: signal. */
#include "runtime/unwind/unwinding.h"

enum { FARTHEST = 1 << 16 }; /* bytes from the start of a function */
#define REGION (1UL << 30)   /* bytes in which a virtual machine has its code */
enum { STUB_BYTES = 16 };    /* an entry of the procedure linkage table */
/* pushes at the start of a function, with an endbr64 before them */
enum { MOST_PUSHES = 7, PUSH_BYTES = 18 };

bool
bbp_read_bytes (struct bbp_readable *known, uintptr_t address, unsigned char *to, size_t bytes)
{
  if (!bbp_is_readable (known, address, bytes))
    return false;
  for (size_t i = 0; i < bytes; i++)
    to[i] = bbp_read_byte (known, address + i);
  return true;
}

bool
bbp_unwind_is_behind_call (struct bbp_walk *walk, uintptr_t address)
{
  unsigned char bytes[BBP_ARCH_LONGEST_CALL];
  return address > sizeof bytes
         && bbp_read_bytes (&walk->code, address - sizeof bytes, bytes, sizeof bytes)
         && bbp_arch_is_behind_call (bytes);
}

enum answer { NO, PERHAPS, YES };

/* The target of BRANCH; 0: not known. */
static uintptr_t
target_of (struct bbp_walk *walk, struct bbp_branch branch)
{
  uint64_t slot;
  switch (branch.kind)
    {
    case BBP_BRANCH_TO: return branch.address;
    case BBP_BRANCH_BY_SLOT: return bbp_read_word (&walk->code, branch.address, &slot) ? slot : 0;
    default: return 0;
    }
}

/* Is the current code in no object: generated? */
static bool
is_generated (const struct bbp_walk *walk)
{
  struct bbp_cfi cfi;
  return bbp_unwind_above.cfi_find (walk->now.value[BBP_ARCH_RETURN], &cfi) == BBP_CFI_NOBODYS;
}

/* Tells if a call of TARGET may have led to the current code.  That code has no information, so the
   target function has none either, or is a stub that jumps to it.  Virtual machines have routines
   that jump to generated code, wherever that is. */
static enum answer
can_lead_here (struct bbp_walk *walk, uintptr_t target, bool by_stub)
{
  unsigned char bytes[STUB_BYTES];
  struct bbp_cfi cfi;
  uintptr_t further = 0;
  if (!by_stub && bbp_read_bytes (&walk->code, target, bytes, sizeof bytes))
    further = target_of (walk, bbp_arch_stub (bytes, sizeof bytes, target));
  if (further)
    return can_lead_here (walk, further, true);
  if (bbp_unwind_above.cfi_find (target, &cfi) == BBP_CFI_THERE)
    return NO;
  return walk->now.value[BBP_ARCH_RETURN] - target < FARTHEST ? YES
         : is_generated (walk)                                ? PERHAPS
                                                              : NO;
}

/* Likewise, for the call that returns to ADDRESS. */
static enum answer
leads_here (struct bbp_walk *walk, uintptr_t address)
{
  unsigned char bytes[BBP_ARCH_CALL_BYTES];
  if (!bbp_unwind_is_behind_call (walk, address)
      || !bbp_read_bytes (&walk->code, address - sizeof bytes, bytes, sizeof bytes))
    return NO;
  uintptr_t target = target_of (walk, bbp_arch_call_before (bytes, address));
  return target ? can_lead_here (walk, target, false) : PERHAPS;
}

/* Interpreters push an address and jump, instead of a call.  Of generated code the word BACK is
   believed to be such an address if it is near, and if POINTER continues the chain of frames. */
static bool
is_pushed (struct bbp_walk *walk, uint64_t pointer, uint64_t back)
{
  struct bbp_cfi cfi;
  return pointer > walk->now.value[BBP_ARCH_FRAME_POINTER] && pointer < walk->stack.high
         && pointer % BBP_ARCH_WORD == 0
         && back - walk->now.value[BBP_ARCH_RETURN] + REGION < 2 * REGION && is_generated (walk)
         && bbp_unwind_above.cfi_find (back, &cfi) == BBP_CFI_NOBODYS;
}

/* If the frame pointer is valid, it points to the caller's frame pointer and the return address. */
static enum answer
by_frame_pointer (struct bbp_walk *walk, uint64_t *pointer, uint64_t *back)
{
  uint64_t here = walk->now.value[BBP_ARCH_FRAME_POINTER] + BBP_ARCH_FRAME_RECORD,
           sp = walk->now.value[BBP_ARCH_STACK_POINTER];
  bool possible = (walk->now.known >> BBP_ARCH_FRAME_POINTER & 1) && here >= sp
                  && here % BBP_ARCH_WORD == 0 && bbp_read_word (&walk->stack, here, pointer)
                  && bbp_read_word (&walk->stack, here + BBP_ARCH_WORD, back);
  if (possible)
    *back = bbp_arch_code_address (*back);
  const enum answer answer = possible ? leads_here (walk, *back) : NO;
  walk->pushed = possible && answer == NO && is_pushed (walk, *pointer, *back);
  return walk->pushed ? PERHAPS : answer;
}

/* May the link register of the code that was interrupted be that of a call which has returned?  The
   code further down then loads it from the stack before it returns. */
static bool
is_link_old (struct bbp_walk *walk)
{
  enum { MOST = 256 }; /* instructions */
  unsigned char bytes[4];
  uintptr_t at = walk->now.value[BBP_ARCH_RETURN];
  size_t size;
  for (int i = 0; i < MOST && bbp_read_bytes (&walk->code, at, bytes, sizeof bytes); i++)
    {
      const enum bbp_link_use use = bbp_arch_link_use (bytes, &size);
      if (use != BBP_LINK_NOT_USED)
        return use == BBP_LINK_LOADED;
      at += size;
    }
  return true;
}

/* The candidate for the return address of the code that was interrupted, and the caller's stack
   pointer then. */
static bool
nearest (struct bbp_walk *walk, uint64_t *sp, uint64_t *back)
{
  if (BBP_ARCH_LINK == BBP_ARCH_RETURN)
    {
      *sp += BBP_ARCH_WORD;
      return bbp_read_word (&walk->stack, *sp - BBP_ARCH_WORD, back);
    }
  *back = bbp_arch_code_address (walk->now.value[BBP_ARCH_LINK]);
  return (walk->now.known >> BBP_ARCH_LINK & 1) && !is_link_old (walk);
}

/* Go to the caller, with stack pointer SP. */
static enum bbp_step
go (struct bbp_walk *walk, uint64_t sp, uint64_t back)
{
  walk->now.value[BBP_ARCH_STACK_POINTER] = sp;
  walk->now.value[BBP_ARCH_RETURN] = back;
  walk->exact = false;
  return BBP_STEP_OUT;
}

enum bbp_step
bbp_unwind_without_cfi (struct bbp_walk *walk)
{
  const uint64_t special = 1UL << BBP_ARCH_STACK_POINTER | 1UL << BBP_ARCH_RETURN
                           | 1UL << BBP_ARCH_FRAME_POINTER;
  uint64_t sp = walk->now.value[BBP_ARCH_STACK_POINTER], top = 0, pointer, back;
  bool innermost = walk->exact && nearest (walk, &sp, &top);
  enum answer by_top = innermost ? leads_here (walk, top) : NO;
  if (by_top == YES)
    {
      walk->now.known &= special;
      return go (walk, sp, top);
    }
  enum answer by_pointer = by_frame_pointer (walk, &pointer, &back);
  if (by_pointer == NO || (by_pointer == PERHAPS && by_top == PERHAPS))
    {
      walk->pushed = false;
      return BBP_STEP_UNKNOWN;
    }
  uint64_t record = walk->now.value[BBP_ARCH_FRAME_POINTER] + BBP_ARCH_FRAME_RECORD;
  walk->now.value[BBP_ARCH_FRAME_POINTER] = pointer;
  walk->now.known &= special;
  walk->by_pointer = true;
  return go (walk, record + 2 * BBP_ARCH_WORD, back);
}

/* True if the call that returns to ADDRESS leads to FUNCTION, and to nothing else. */
static bool
leads_to (struct bbp_walk *walk, uintptr_t address, uintptr_t function)
{
  unsigned char bytes[BBP_ARCH_CALL_BYTES];
  if (address <= sizeof bytes
      || !bbp_read_bytes (&walk->code, address - sizeof bytes, bytes, sizeof bytes))
    return false;
  struct bbp_branch call = bbp_arch_call_before (bytes, address);
  return call.kind == BBP_BRANCH_TO && call.address == function;
}

bool
bbp_unwind_behind_pushes (struct bbp_walk *walk, const struct bbp_left *left)
{
  struct bbp_cfi cfi;
  unsigned char bytes[PUSH_BYTES];
  uint8_t pushed[MOST_PUSHES];
  uint64_t back;
  if (bbp_unwind_above.cfi_find (left->pc, &cfi) != BBP_CFI_THERE
      || !bbp_read_bytes (&walk->code, cfi.start, bytes, sizeof bytes))
    return false;
  size_t most = bbp_arch_pushes (bytes, sizeof bytes, pushed, MOST_PUSHES), n = 1;
  while (n <= most
         && !(bbp_read_word (&walk->stack, left->sp + n * BBP_ARCH_WORD, &back)
              && leads_to (walk, back, cfi.start)))
    n++;
  if (n > most)
    return false;
  for (size_t i = 0; i < n; i++)
    if (BBP_ARCH_KEPT_BITS >> pushed[i] & 1)
      {
        bbp_read_word (&walk->stack, left->sp + (n - 1 - i) * BBP_ARCH_WORD,
                       &walk->now.value[pushed[i]]);
        walk->now.known |= 1UL << pushed[i];
      }
  go (walk, left->sp + (n + 1) * BBP_ARCH_WORD, back);
  return true;
}
