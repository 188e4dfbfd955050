/* SPDX-License-Identifier: MIT */
/* Unwinds the stack of the interrupted thread, from the innermost frame outward.

   For most code a few bytes say how to find the caller (struct bbp_compact); they are cached by
   address.  All else is read from the call frame information each time.  Registers that a call may
   change are known only in the innermost frame and where a signal has interrupted.  Context:
   signal, little stack, unless stated otherwise. */
#include "runtime/base/base.h"
#include "runtime/objects/objects.h"
#include "runtime/unwind/unwind.h"
#include "runtime/unwind/unwinding.h"

/* changes to stacks at lower addresses, where the call frame information says so */
enum { MOST_DESCENTS = 8 };

#define ALWAYS (1UL << BBP_ARCH_STACK_POINTER | 1UL << BBP_ARCH_RETURN)

static bool
is_known (const struct bbp_registers *registers, unsigned number)
{
  return registers->known >> number & 1;
}

/* A call leaves its return address in a register (BBP_ARCH_LINK), not on the stack. */
static const bool has_link = BBP_ARCH_LINK != BBP_ARCH_RETURN;

/* Go to the caller, which continues at BACK with the stack pointer SP.  BY_STACK: SP was computed
   from the current stack pointer, so it must be higher; or the same, if the code has put nothing
   there: LINKED, its return address may still be in the link register. */
static enum bbp_step
arrive (struct bbp_walk *walk, uint64_t sp, uint64_t back, bool by_stack, bool linked)
{
  const uint64_t here = walk->now.value[BBP_ARCH_STACK_POINTER];
  bool lower = sp < here || (sp == here && !linked);
  if (lower && (by_stack || walk->descents++ == MOST_DESCENTS))
    return BBP_STEP_UNKNOWN;
  walk->now.value[BBP_ARCH_STACK_POINTER] = sp;
  walk->now.value[BBP_ARCH_RETURN] = bbp_arch_code_address (back);
  walk->exact = false;
  return back ? BBP_STEP_OUT : BBP_STEP_OUTERMOST;
}

static void
load (struct bbp_walk *walk, unsigned number, uint64_t address)
{
  if (!bbp_read_word (&walk->stack, address, &walk->now.value[number]))
    walk->now.known &= ~(1UL << number);
}

static enum bbp_step
step_by_compact (struct bbp_walk *walk, const struct bbp_compact *row)
{
  if (row->frame_register == BBP_COMPACT_OUTERMOST)
    return BBP_STEP_OUTERMOST;
  if (!is_known (&walk->now, row->frame_register))
    return BBP_STEP_UNKNOWN;
  const bool linked = has_link && is_known (&walk->now, BBP_ARCH_LINK);
  uint64_t frame = walk->now.value[row->frame_register] + (uint64_t) row->frame_offset,
           back = walk->now.value[BBP_ARCH_LINK];
  if (row->back ? !bbp_read_word (&walk->stack,
                                  frame + (uint64_t) (int64_t) row->back * BBP_ARCH_WORD, &back)
                : !is_known (&walk->now, BBP_ARCH_LINK))
    return BBP_STEP_UNKNOWN;
  walk->now.known &= BBP_ARCH_KEPT_BITS | ALWAYS;
  for (unsigned i = 0; i < BBP_ARCH_KEPT; i++)
    if (row->saved[i] == BBP_COMPACT_UNDEFINED)
      walk->now.known &= ~(1UL << bbp_rule_register[i]);
    else if (row->saved[i])
      {
        walk->now.known |= 1UL << bbp_rule_register[i];
        load (walk, bbp_rule_register[i],
              frame + (uint64_t) (int64_t) row->saved[i] * BBP_ARCH_WORD);
      }
  return arrive (walk, frame, back, row->frame_register == BBP_ARCH_STACK_POINTER, linked);
}

/* *WORDS: VALUE in words; false: it does not fit, or means something else. */
static bool
make_words (int32_t value, int8_t *words)
{
  *words = (int8_t) (value / BBP_ARCH_WORD);
  return *words && *words != BBP_COMPACT_UNDEFINED && *words * BBP_ARCH_WORD == value;
}

/* Do calls leave the return address in another register, so that the link register is the caller's?
   Routines that save registers for a prologue may be called so. */
static bool
has_own_link (const struct bbp_cfi *cfi)
{
  return has_link && cfi->result != BBP_ARCH_LINK;
}

/* False: the row does not fit. */
static bool
make_compact (const struct bbp_cfi *cfi, const struct bbp_row *row, struct bbp_compact *compact)
{
  *compact = (struct bbp_compact) { .frame_offset = row->frame_value,
                                    .frame_register = row->frame_register };
  if (row->rule[BBP_RULE_RETURN] == BBP_RULE_UNDEFINED)
    {
      compact->frame_register = BBP_COMPACT_OUTERMOST;
      return true;
    }
  bool linked = has_link && row->rule[BBP_RULE_RETURN] == BBP_RULE_SAME,
       saved = row->rule[BBP_RULE_RETURN] == BBP_RULE_AT
               && make_words (row->value[BBP_RULE_RETURN], &compact->back);
  bool plain = !row->frame_expression && (linked || saved) && !has_own_link (cfi)
               && row->rule[BBP_RULE_SP] == BBP_RULE_SAME;
  for (unsigned i = 0; i < BBP_ARCH_KEPT && plain; i++)
    switch (row->rule[i])
      {
      case BBP_RULE_SAME: break;
      case BBP_RULE_UNDEFINED: compact->saved[i] = BBP_COMPACT_UNDEFINED; break;
      case BBP_RULE_AT: plain = make_words (row->value[i], &compact->saved[i]); break;
      default: plain = false;
      }
  return plain;
}

/* The expression that a row refers to. */
static struct bbp_bytes
block_at (const struct bbp_cfi *cfi, int32_t offset)
{
  struct bbp_bytes all = { cfi->low + offset, cfi->high, true };
  return bbp_bytes_block (&all);
}

static bool
find_frame (struct bbp_walk *walk, const struct bbp_cfi *cfi, const struct bbp_row *row,
            uint64_t *frame)
{
  if (row->frame_expression)
    return bbp_cfi_evaluate (block_at (cfi, row->frame_value), &walk->now, &walk->stack, NULL,
                             frame);
  *frame = walk->now.value[row->frame_register] + (uint64_t) row->frame_value;
  return is_known (&walk->now, row->frame_register);
}

/* In epilogues of realigned frames, some compilers omit that registers have been restored.  Such a
   register then seems to be saved outside the frame, because the frame pointer is already the
   caller's. */
static bool
is_in_frame (const struct bbp_walk *walk, uint64_t frame, uint64_t address)
{
  uint64_t low = walk->now.value[BBP_ARCH_STACK_POINTER] - BBP_ARCH_RED_ZONE;
  return address - low < frame - low;
}

/* VALUE of the caller's register with rule I; false: not known. */
static bool
find_register (struct bbp_walk *walk, const struct bbp_cfi *cfi, const struct bbp_row *row,
               unsigned i, uint64_t frame, uint64_t *value)
{
  uint64_t there = frame + (uint64_t) (int64_t) row->value[i];
  unsigned number = row->rule[i] == BBP_RULE_REGISTER            ? (unsigned) row->value[i]
                    : i == BBP_RULE_RETURN && has_own_link (cfi) ? cfi->result
                                                                 : bbp_rule_register[i];
  switch (row->rule[i])
    {
    case BBP_RULE_SAME:
    case BBP_RULE_REGISTER:
      if (number >= BBP_ARCH_REGISTERS || !is_known (&walk->now, number))
        return false;
      *value = walk->now.value[number];
      return true;
    case BBP_RULE_AT: return bbp_read_word (&walk->stack, there, value);
    case BBP_RULE_IS: *value = there; return true;
    case BBP_RULE_AT_EXPRESSION:
      if (!bbp_cfi_evaluate (block_at (cfi, row->value[i]), &walk->now, &walk->stack, &frame,
                             &there))
        return false;
      if (!cfi->interrupted && !is_in_frame (walk, frame, there) && is_known (&walk->now, number))
        {
          *value = walk->now.value[number];
          return true;
        }
      return bbp_read_word (&walk->stack, there, value);
    case BBP_RULE_IS_EXPRESSION:
      return bbp_cfi_evaluate (block_at (cfi, row->value[i]), &walk->now, &walk->stack, &frame,
                               value);
    default: return false;
    }
}

/* Unwind one frame by a complete row. */
static enum bbp_step
step_by_row (struct bbp_walk *walk, const struct bbp_cfi *cfi, const struct bbp_row *row)
{
  const bool linked = has_link && is_known (&walk->now, BBP_ARCH_LINK);
  uint64_t frame, value[BBP_RULES];
  uint64_t known = ALWAYS | (has_own_link (cfi) ? walk->now.known & 1UL << BBP_ARCH_LINK : 0);
  if (!find_frame (walk, cfi, row, &frame)
      || (row->rule[BBP_RULE_RETURN] == BBP_RULE_SAME && !has_link)
      || !find_register (walk, cfi, row, BBP_RULE_RETURN, frame, &value[BBP_RULE_RETURN]))
    return BBP_STEP_UNKNOWN;
  if (row->rule[BBP_RULE_SP] == BBP_RULE_SAME)
    value[BBP_RULE_SP] = frame;
  else if (!find_register (walk, cfi, row, BBP_RULE_SP, frame, &value[BBP_RULE_SP]))
    return BBP_STEP_UNKNOWN;
  for (unsigned i = 0; i < BBP_ARCH_KEPT; i++)
    if (find_register (walk, cfi, row, i, frame, &value[i]))
      known |= 1UL << bbp_rule_register[i];
  for (unsigned i = 0; i < BBP_ARCH_KEPT; i++)
    if (known >> bbp_rule_register[i] & 1)
      walk->now.value[bbp_rule_register[i]] = value[i];
  walk->now.known = known;
  bool by_stack = !row->frame_expression && row->frame_register == BBP_ARCH_STACK_POINTER;
  enum bbp_step step = arrive (walk, value[BBP_RULE_SP], value[BBP_RULE_RETURN], by_stack, linked);
  walk->exact = cfi->interrupted;
  return step;
}

/* Unwind to where a signal interrupted the thread: all registers are in the kernel's frame. */
static bool
step_to_interrupted (struct bbp_walk *walk)
{
  unsigned char code[2 * BBP_ARCH_RESUME_BYTES];
  uint64_t pc = walk->now.value[BBP_ARCH_RETURN],
           context = walk->now.value[BBP_ARCH_STACK_POINTER] + BBP_ARCH_RESUME_CONTEXT;
  if (!bbp_read_bytes (&walk->code, pc - BBP_ARCH_RESUME_BYTES, code, sizeof code)
      || !bbp_arch_resumes (code + BBP_ARCH_RESUME_BYTES)
      || !bbp_is_readable (&walk->stack, context, BBP_ARCH_CONTEXT_BYTES))
    return false;
  bbp_arch_registers ((const void *) (context + walk->stack.shift), walk->now.value);
  walk->now.known = BBP_WALK_ALL;
  walk->exact = true;
  return true;
}

static enum bbp_next
next_of (struct bbp_walk *walk, const struct bbp_cfi *cfi, uintptr_t address)
{
  return bbp_arch_next (walk->now.value, (const unsigned char *) (address + cfi->shift),
                        cfi->end - address, has_own_link (cfi));
}

/* Unwind out of the code at ADDRESS.  The row is put into the cache, with AGE. */
static enum bbp_step
step_by_cfi (struct bbp_walk *walk, const struct bbp_cfi *cfi, uintptr_t address, uint32_t mapping,
             uint32_t age)
{
  struct bbp_cfi there;
  struct bbp_row row;
  struct bbp_compact compact = { .frame_register = BBP_ARCH_STACK_POINTER };
  uintptr_t described = address;
  if (cfi->interrupted && step_to_interrupted (walk))
    return BBP_STEP_OUT;
  switch (walk->exact ? next_of (walk, cfi, address) : BBP_NEXT_AS_DESCRIBED)
    {
    case BBP_NEXT_CALLER: return BBP_STEP_OUT;
    case BBP_NEXT_RETURNS:
      bbp_unwind_cache_put (address, mapping, age, &compact);
      return step_by_compact (walk, &compact);
    case BBP_NEXT_INSIDE:
      described = walk->now.value[BBP_ARCH_RETURN];
      if (bbp_unwind_above.cfi_find (described, &there) == BBP_CFI_THERE)
        cfi = &there;
      else
        described = address;
      break;
    case BBP_NEXT_AS_DESCRIBED: break;
    }
  if (!bbp_cfi_row (cfi, described, &row))
    return BBP_STEP_UNKNOWN;
  if (cfi->interrupted || !make_compact (cfi, &row, &compact))
    return step_by_row (walk, cfi, &row);
  bbp_unwind_cache_put (address, mapping, age, &compact);
  return step_by_compact (walk, &compact);
}

/* A return address that does not follow a call.  It is the code that returns from a signal, which
   no code calls; or the start of a function, stored there as the first frame of a new stack: this
   also is part of the stack.  Anything else is not a return address. */
static enum bbp_step
step_uncalled (struct bbp_walk *walk, uint32_t *kind)
{
  struct bbp_cfi cfi;
  uintptr_t pc = walk->now.value[BBP_ARCH_RETURN];
  *kind = BBX_FRAME_CUT;
  if (step_to_interrupted (walk))
    return BBP_STEP_OUT;
  if (bbp_unwind_above.cfi_find (pc, &cfi) != BBP_CFI_THERE || cfi.start != pc)
    return BBP_STEP_UNKNOWN;
  *kind = BBX_FRAME_INTERRUPTED;
  return BBP_STEP_OUTERMOST;
}

/* Unwind one frame when the cache has no row.  KIND: of the frame that is left; BBX_FRAME_CUT: it
   is not a frame. */
static enum bbp_step __attribute__ ((noinline))
step_unprepared (struct bbp_walk *walk, uint32_t mapping, uint32_t *kind)
{
  struct bbp_cfi cfi;
  uintptr_t pc = walk->now.value[BBP_ARCH_RETURN], looked_up = pc - !walk->exact;
  uint32_t age = bbp_unwind_cache_age ();
  enum bbp_cfi_found found = bbp_unwind_above.cfi_find (looked_up, &cfi);
  if (found == BBP_CFI_THERE && cfi.start < pc) /* the function's code, from its start up to here */
    walk->code = (struct bbp_readable) { cfi.start, pc, cfi.shift };
  const bool pushed = walk->pushed;
  walk->pushed = false;
  if (!walk->exact && !pushed && !bbp_unwind_is_behind_call (walk, pc))
    return step_uncalled (walk, kind);
  if (found == BBP_CFI_THERE)
    return step_by_cfi (walk, &cfi, looked_up, mapping, age);
  if (found == BBP_CFI_NOBODYS)
    *kind = BBX_FRAME_ANONYMOUS;
  if (step_to_interrupted (walk))
    return BBP_STEP_OUT;
  return bbp_unwind_above.is_loader (pc) ? BBP_STEP_OUTERMOST : bbp_unwind_without_cfi (walk);
}

static enum bbp_step
step_out (struct bbp_walk *walk, uint32_t mapping, uint32_t *kind)
{
  struct bbp_compact row;
  bool known
      = bbp_unwind_cache_get (walk->now.value[BBP_ARCH_RETURN] - !walk->exact, mapping, &row);
  return known ? step_by_compact (walk, &row) : step_unprepared (walk, mapping, kind);
}

static void
begin (struct bbp_walk *walk, const void *context, uintptr_t end)
{
  const uintptr_t page = BBP_PAGE_BYTES;
  bbp_arch_registers (context, walk->now.value);
  walk->now.known = BBP_WALK_ALL;
  walk->stack
      = (struct bbp_readable) { .low = (uintptr_t) context & -page,
                                .high = ((uintptr_t) context + sizeof (ucontext_t) + page - 1)
                                        & -page };
  if (end > walk->stack.high)
    walk->stack.high = end;
  walk->code = (struct bbp_readable) { 0 };
  walk->exact = true;
  walk->by_pointer = walk->pushed = false;
  walk->descents = 0;
}

/* True if the call frame information of the last frame was wrong: it led nowhere, and the pushes in
   the frame's code lead to a caller. */
static bool
is_cfi_wrong (struct bbp_walk *walk, const struct bbp_left *left, enum bbp_step step, uint32_t kind)
{
  bool nowhere = (step == BBP_STEP_UNKNOWN && kind == BBX_FRAME_CUT)
                 || (step == BBP_STEP_OUTERMOST && walk->now.value[BBP_ARCH_RETURN] == 0);
  return nowhere && left->exact && bbp_unwind_behind_pushes (walk, left);
}

struct bbp_unwound
bbp_unwind_walk (struct bbp_walk *walk, struct bbp_frame *frames, struct bbprof_native *places,
                 size_t most)
{
  struct bbp_left before = { 0 };
  struct bbp_unwound unwound = { 0 };
  enum bbp_step step = BBP_STEP_OUT;
  while (step == BBP_STEP_OUT && unwound.n < most)
    {
      uintptr_t pc = walk->now.value[BBP_ARCH_RETURN];
      struct bbp_left left = { pc, walk->now.value[BBP_ARCH_STACK_POINTER], walk->exact };
      const uint32_t how = walk->by_pointer ? BBX_FRAME_BY_POINTER : 0;
      walk->by_pointer = false;
      uint32_t mapping = bbp_unwind_above.mapping_of (pc - !walk->exact),
               kind = walk->exact && unwound.n ? BBX_FRAME_INTERRUPTED : BBX_FRAME_CODE;
      step = step_out (walk, mapping, &kind);
      if (kind != BBX_FRAME_CUT)
        {
          if (places)
            places[unwound.n] = (struct bbprof_native) { pc, left.sp };
          frames[unwound.n++]
              = (struct bbp_frame) { .address = pc, .kind = kind | how, .mapping = mapping };
          unwound.sp = left.sp;
        }
      if (is_cfi_wrong (walk, kind == BBX_FRAME_CUT ? &before : &left, step, kind))
        step = BBP_STEP_OUT;
      before = left;
    }
  unwound.whole = step == BBP_STEP_OUTERMOST;
  return unwound;
}

struct bbp_unwound
bbp_unwind (const void *context, uintptr_t end, struct bbp_frame *frames,
            struct bbprof_native *places, size_t most)
{
  struct bbp_walk walk;
  begin (&walk, context, end);
  return bbp_unwind_walk (&walk, frames, places, most);
}

void
bbp_unwind_start (void)
{
  bbp_cfi_start ();
  bbp_unwind_cache_start ();
}

void
bbp_unwind_forget (void)
{
  bbp_unwind_cache_forget ();
}
