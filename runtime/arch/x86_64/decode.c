/* SPDX-License-Identifier: MIT */
/* Decoder for the x86-64 machine code of calls, of stubs between call and callee, and of what the
   plugin writes.  Pure functions on bytes.  Context: cold. */
#include <stddef.h>

#include "decode.h"
#include "include/bbprof-abi.h"

/* The rest of the code to be decoded. */
struct code {
  const unsigned char *bytes;
  size_t n;
  uintptr_t address; /* of the first byte */
};

static void
skip (struct code *code, size_t n)
{
  code->bytes += n;
  code->n -= n;
  code->address += n;
}

/* Skip PATTERN and MORE bytes behind it; false: the code is different. */
static bool
take (struct code *code, const unsigned char *pattern, size_t n, size_t more)
{
  if (code->n < n + more)
    return false;
  for (size_t i = 0; i < n; i++)
    if (code->bytes[i] != pattern[i])
      return false;
  skip (code, n + more);
  return true;
}

#define TAKE(code, more, ...)                          \
  take (code, (const unsigned char[]) { __VA_ARGS__ }, \
        sizeof (const unsigned char[]) { __VA_ARGS__ }, more)

/* The target of the 4-byte displacement that ends at CODE. */
static uintptr_t
relative (const struct code *code)
{
  int32_t distance;
  __builtin_memcpy (&distance, code->bytes - sizeof distance, sizeof distance);
  return code->address + (intptr_t) distance;
}

static struct bbp_branch
branch_to (const struct code *code, uintptr_t start, uintptr_t address)
{
  return (struct bbp_branch) { BBP_BRANCH_TO, address, code->address - start };
}

static struct bbp_branch
branch_by_slot (const struct code *code, uintptr_t start)
{
  return (struct bbp_branch) { BBP_BRANCH_BY_SLOT, relative (code), code->address - start };
}

/* call rel32 with any prefixes, or call *slot(%rip). */
struct bbp_branch
bbp_arch_call_before (const unsigned char *bytes, uintptr_t point)
{
  struct code code = { bytes, BBP_ARCH_CALL_BYTES, point - BBP_ARCH_CALL_BYTES };
  if (TAKE (&code, 4, 0xff, 0x15))
    return branch_by_slot (&code, point - 6);
  skip (&code, 1);
  if (TAKE (&code, 4, 0xe8))
    return branch_to (&code, point - 5, relative (&code));
  return (struct bbp_branch) { 0 };
}

/* The length of a call by register or memory with the second byte MODRM and the third SIB; 0: it is
   none. */
static size_t
indirect_call_bytes (unsigned char modrm, unsigned char sib)
{
  unsigned mode = modrm >> 6, memory = modrm & 7;
  bool has_sib = mode != 3 && memory == 4;
  size_t offset = mode == 1                                                   ? 1
                  : mode == 2                                                 ? 4
                  : mode == 0 && (memory == 5 || (has_sib && (sib & 7) == 5)) ? 4
                                                                              : 0;
  return (modrm >> 3 & 7) == 2 ? 2 + has_sib + offset : 0;
}

bool
bbp_arch_is_behind_call (const unsigned char *bytes)
{
  const unsigned char *stop = bytes + BBP_ARCH_LONGEST_CALL;
  if (stop[-5] == 0xe8)
    return true;
  for (const unsigned char *at = bytes; at + 2 <= stop; at++)
    if (*at == 0xff
        && indirect_call_bytes (at[1], at + 2 < stop ? at[2] : 0) == (size_t) (stop - at))
      return true;
  return false;
}

size_t
bbp_arch_pushes (const unsigned char *bytes, size_t n, uint8_t *registers, size_t most)
{
  static const uint8_t number[] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };
  struct code code = { bytes, n, 0 };
  size_t pushes = 0;
  TAKE (&code, 0, 0xf3, 0x0f, 0x1e, 0xfa);
  while (pushes < most)
    {
      unsigned upper = TAKE (&code, 0, 0x41) ? 8 : 0;
      if (code.n == 0 || (*code.bytes & 0xf8) != 0x50)
        break;
      registers[pushes++] = number[upper + (*code.bytes & 7)];
      skip (&code, 1);
    }
  return pushes;
}

/* Prefixes that do not change the target of a jump: bnd, notrack, address size, and padding by
   linkers. */
static void
skip_prefixes (struct code *code)
{
  while (code->n
         && (*code->bytes == 0xf2 || *code->bytes == 0x3e || *code->bytes == 0x67
             || *code->bytes == 0x48))
    skip (code, 1);
}

static struct bbp_branch
short_branch (const struct code *code, uintptr_t start)
{
  return branch_to (code, start, code->address + (intptr_t) (signed char) code->bytes[-1]);
}

/* jmp rel32, jmp rel8, jmp *slot(%rip). */
static struct bbp_branch
always (struct code *code, uintptr_t start)
{
  skip_prefixes (code);
  if (TAKE (code, 4, 0xe9))
    return branch_to (code, start, relative (code));
  if (TAKE (code, 1, 0xeb))
    return short_branch (code, start);
  if (TAKE (code, 4, 0xff, 0x25))
    return branch_by_slot (code, start);
  return (struct bbp_branch) { 0 };
}

/* A conditional jump: 70 to 7f with a 1-byte, 0f 80 to 0f 8f with a 4-byte displacement. */
static struct bbp_branch
sometimes (struct code *code, uintptr_t start)
{
  if (code->n >= 2 && code->bytes[0] >> 4 == 7)
    {
      skip (code, 2);
      return short_branch (code, start);
    }
  if (code->n >= 6 && code->bytes[0] == 0x0f && code->bytes[1] >> 4 == 8)
    {
      skip (code, 6);
      return branch_to (code, start, relative (code));
    }
  return (struct bbp_branch) { 0 };
}

struct bbp_branch
bbp_arch_jump (const unsigned char *bytes, size_t n, uintptr_t address)
{
  struct code code = { bytes, n, address };
  struct bbp_branch branch = always (&code, address);
  return branch.kind ? branch : sometimes (&code, address);
}

/* An instruction of GCC's thunks, which change `this' (in rdi, or in rsi behind a hidden result) to
   the whole object: by a constant, or by an entry of the virtual function table. */
static bool
take_adjustment (struct code *code)
{
  /* Add $n, %rdi; %rsi. */
  return TAKE (code, 1, 0x48, 0x83, 0xc7) || TAKE (code, 1, 0x48, 0x83, 0xc6)
         || TAKE (code, 1, 0x48, 0x83, 0xef) || TAKE (code, 1, 0x48, 0x83, 0xee) /* sub */
         || TAKE (code, 4, 0x48, 0x81, 0xc7) || TAKE (code, 4, 0x48, 0x81, 0xc6)
         || TAKE (code, 4, 0x48, 0x81, 0xef) || TAKE (code, 4, 0x48, 0x81, 0xee)
         || TAKE (code, 0, 0x4c, 0x8b, 0x17)
         || TAKE (code, 0, 0x4c, 0x8b, 0x16) /* mov (%rdi), %r10 */
         /* Add n(%r10), %rdi. */
         || TAKE (code, 1, 0x49, 0x03, 0x7a) || TAKE (code, 1, 0x49, 0x03, 0x72)
         || TAKE (code, 4, 0x49, 0x03, 0xba) || TAKE (code, 4, 0x49, 0x03, 0xb2)
         || TAKE (code, 8, 0x49, 0xba) /* mov $n, %r10 */
         /* Add %r10, %rdi. */
         || TAKE (code, 0, 0x4c, 0x01, 0xd7) || TAKE (code, 0, 0x4c, 0x01, 0xd6);
}

#define MOST_ADJUSTMENTS 4

struct bbp_branch
bbp_arch_stub (const unsigned char *bytes, size_t n, uintptr_t address)
{
  struct code code = { bytes, n, address };
  TAKE (&code, 0, 0xf3, 0x0f, 0x1e, 0xfa); /* endbr64 */
  for (int i = 0; i < MOST_ADJUSTMENTS && take_adjustment (&code); i++)
    ;
  return always (&code, address);
}

/* The end of the first increment through a register, REX.W ff /0; 0: there is none. */
static uintptr_t
increment_end (struct code code)
{
  for (; code.n >= 3; skip (&code, 1))
    {
      unsigned rex = code.bytes[0], mode = code.bytes[2] >> 6, base = code.bytes[2] & 7;
      if (rex >> 3 == 0x48 >> 3 && code.bytes[1] == 0xff && (code.bytes[2] & 0x38) == 0 && mode < 2)
        return code.address + 3 + (base == 4) + mode;
    }
  return 0;
}

/* incq %gs:DISTANCE(%reg), where %reg points behind the counter FIRST, increments COUNTER.  Moves
   CODE to its end.  The pointer is never in a register that needs more bytes. */
static bool
take_by_pointer (struct code *code, uintptr_t counter, uintptr_t first)
{
  struct code at = *code;
  if (at.n < 5 || at.bytes[0] != 0x65 || (at.bytes[1] & 0xfe) != 0x48 || at.bytes[2] != 0xff
      || (at.bytes[3] & 0x38) != 0)
    return false;
  unsigned mode = at.bytes[3] >> 6;
  intptr_t distance = (signed char) at.bytes[4];
  skip (&at, 5);
  if (mode == 2 && at.n >= 3)
    {
      int32_t whole;
      __builtin_memcpy (&whole, at.bytes - 1, sizeof whole);
      distance = whole;
      skip (&at, 3);
    }
  else if (mode != 1)
    return false;
  if (first + BBP_POINTER_BIAS + (uintptr_t) distance != counter)
    return false;
  *code = at;
  return true;
}

bool
bbp_arch_counts (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                 uintptr_t counter, uintptr_t first)
{
  (void) before;
  struct code code = { bytes, n, address };
  if (take_by_pointer (&code, counter, first))
    return true;
  if (code.n && (code.bytes[0] == 0x65 || code.bytes[0] == 0xf0))
    skip (&code, 1);
  if (code.n < 7 || code.bytes[0] != 0x48 || code.bytes[1] != 0xff || code.bytes[2] != 0x05)
    return false;
  skip (&code, 7);
  return relative (&code) == counter;
}

/* incq counter(%rip), possibly with segment or lock prefix; or leaq counter(%rip) and an increment
   by that register; or an increment by a pointer. */
uintptr_t
bbp_arch_counting_end (const unsigned char *bytes, size_t n, uintptr_t address, uintptr_t counter,
                       uintptr_t first)
{
  for (struct code at = { bytes, n, address }; at.n >= 5; skip (&at, 1))
    {
      struct code code = at;
      if (take_by_pointer (&code, counter, first))
        return code.address;
      if (at.n < 6)
        break;
      bool adds = at.bytes[0] == 0xff && at.bytes[1] == 0x05;
      bool loads = at.bytes[0] == 0x8d && (at.bytes[1] & 0xc7) == 0x05;
      skip (&code, 6);
      if ((adds || loads) && relative (&code) == counter)
        return adds ? code.address : increment_end (code);
    }
  return 0;
}

/* cmpb $0, %fs:24+... in an executable; or the same after loading the offset of __bb into a
   register. */
bool
bbp_arch_is_point (const unsigned char *bytes)
{
  if (bytes[0] == 0x64 && bytes[1] == 0x80 && bytes[2] == 0x3c && bytes[3] == 0x25)
    return bytes[8] == 0;
  bool fetches = (bytes[0] & 0xf8) == 0x48 && (bytes[1] == 0x8b || bytes[1] == 0xc7);
  const unsigned char *compare = bytes + 7;
  return fetches && compare[0] == 0x64
         && (compare[1] == 0x80 || (compare[1] == 0x41 && compare[2] == 0x80))
         && compare[compare[1] == 0x41 ? 4 : 3] == offsetof (struct bbp_here, mode);
}
