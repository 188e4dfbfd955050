/* SPDX-License-Identifier: MIT */
/* Decoder for the riscv64 machine code of calls, of stubs between call and callee, and of what the
   plugin writes.  Instructions have 4 bytes, or 2 (compressed), which their lowest bits tell.  Pure
   functions on bytes.  Context: cold, signal. */
#include <stddef.h>

#include "decode.h"
#include "include/bbprof-abi.h"

/* The rest of the code to be decoded. */
struct code {
  const unsigned char *bytes;
  size_t n;
  uintptr_t address; /* of the first byte */
};

enum {
  ZERO,
  RA,
  SP,
  GP,
  TP,
  T0,
  T1,
  T3 = 28,
  A0 = 10
}; /* registers, as instructions number them */

static uint32_t
half_at (const unsigned char *bytes)
{
  return bytes[0] | (uint32_t) bytes[1] << 8;
}

static uint32_t
word_at (const unsigned char *bytes)
{
  return half_at (bytes) | half_at (bytes + 2) << 16;
}

static size_t
bytes_of (uint32_t insn)
{
  return (insn & 3) == 3 ? 4 : 2;
}

/* Take the next instruction, a compressed one in the lower half; false: there is none. */
static bool
next (struct code *code, uint32_t *insn)
{
  if (code->n < 2)
    return false;
  *insn = half_at (code->bytes);
  const size_t bytes = bytes_of (*insn);
  if (code->n < bytes)
    return false;
  if (bytes == 4)
    *insn = word_at (code->bytes);
  code->bytes += bytes;
  code->n -= bytes;
  code->address += bytes;
  return true;
}

/* The bits of INSN from LOW on, WIDTH of them. */
static uint32_t
field (uint32_t insn, unsigned low, unsigned width)
{
  return insn >> low & ((1U << width) - 1);
}

/* VALUE as a signed number of so many bits. */
static intptr_t
with_sign (uint32_t value, unsigned bits)
{
  return (intptr_t) ((uint64_t) value << (64 - bits)) >> (64 - bits);
}

static unsigned
destination (uint32_t insn)
{
  return field (insn, 7, 5);
}

static unsigned
source (uint32_t insn)
{
  return field (insn, 15, 5);
}

/* The immediate of loads, addi and jalr. */
static intptr_t
immediate (uint32_t insn)
{
  return with_sign (insn >> 20, 12);
}

static bool
is_auipc (uint32_t insn)
{
  return (insn & 0x7f) == 0x17;
}

/* The value of the register that INSN, the auipc at ADDRESS, sets. */
static uintptr_t
upper_of (uint32_t insn, uintptr_t address)
{
  return address + (uintptr_t) with_sign (insn & 0xfffff000, 32);
}

static bool
is_jalr (uint32_t insn)
{
  return (insn & 0x707f) == 0x67;
}

static bool
is_addi (uint32_t insn)
{
  return (insn & 0x707f) == 0x13;
}

static bool
is_load (uint32_t insn) /* ld */
{
  return (insn & 0x707f) == 0x3003;
}

/* jal: how far it leads. */
static intptr_t
jal_distance (uint32_t insn)
{
  return with_sign (field (insn, 31, 1) << 20 | field (insn, 12, 8) << 12
                        | field (insn, 20, 1) << 11 | field (insn, 21, 10) << 1,
                    21);
}

/* Branches: beq and so on. */
static intptr_t
branch_distance (uint32_t insn)
{
  return with_sign (field (insn, 31, 1) << 12 | field (insn, 7, 1) << 11 | field (insn, 25, 6) << 5
                        | field (insn, 8, 4) << 1,
                    13);
}

/* c.j. */
static intptr_t
short_distance (uint32_t insn)
{
  return with_sign (field (insn, 12, 1) << 11 | field (insn, 8, 1) << 10 | field (insn, 9, 2) << 8
                        | field (insn, 6, 1) << 7 | field (insn, 7, 1) << 6
                        | field (insn, 2, 1) << 5 | field (insn, 11, 1) << 4
                        | field (insn, 3, 3) << 1,
                    12);
}

/* c.beqz, c.bnez. */
static intptr_t
short_branch_distance (uint32_t insn)
{
  return with_sign (field (insn, 12, 1) << 8 | field (insn, 5, 2) << 6 | field (insn, 2, 1) << 5
                        | field (insn, 10, 2) << 3 | field (insn, 3, 2) << 1,
                    9);
}

static struct bbp_branch
branch_to (uintptr_t address, size_t bytes)
{
  return (struct bbp_branch) { BBP_BRANCH_TO, address, bytes };
}

/* Calls leave their return address in ra; those of the compiler's own functions in t0. */
static bool
is_link (unsigned number)
{
  return number == RA || number == T0;
}

/* jal; or auipc, jalr.  The callee of jalr alone is not known. */
struct bbp_branch
bbp_arch_call_before (const unsigned char *bytes, uintptr_t point)
{
  const uint32_t upper = word_at (bytes), insn = word_at (bytes + 4);
  if ((insn & 0x7f) == 0x6f && is_link (destination (insn)))
    return branch_to (point - 4 + (uintptr_t) jal_distance (insn), 4);
  if (is_jalr (insn) && is_link (destination (insn)) && is_auipc (upper)
      && destination (upper) == source (insn))
    return branch_to (upper_of (upper, point - 8) + (uintptr_t) immediate (insn), 8);
  return (struct bbp_branch) { 0 };
}

/* jal, jalr, c.jalr. */
bool
bbp_arch_is_behind_call (const unsigned char *bytes)
{
  const uint32_t insn = word_at (bytes), half = half_at (bytes + 2);
  return (((insn & 0x7f) == 0x6f || is_jalr (insn)) && is_link (destination (insn)))
         || ((half & 0xf07f) == 0x9002 && destination (half) != ZERO);
}

/* Beside these a tail call: auipc, jalr zero. */
struct bbp_branch
bbp_arch_jump (const unsigned char *bytes, size_t n, uintptr_t address)
{
  struct code code = { bytes, n, address };
  uint32_t insn, jump;
  if (!next (&code, &insn))
    return (struct bbp_branch) { 0 };
  const size_t size = bytes_of (insn);
  if ((insn & 0xfff) == 0x06f)
    return branch_to (address + (uintptr_t) jal_distance (insn), size);
  if ((insn & 0x7f) == 0x63)
    return branch_to (address + (uintptr_t) branch_distance (insn), size);
  if (size == 2 && (insn & 0xe003) == 0xa001)
    return branch_to (address + (uintptr_t) short_distance (insn), size);
  if (size == 2 && (insn & 0xc003) == 0xc001)
    return branch_to (address + (uintptr_t) short_branch_distance (insn), size);
  if (is_auipc (insn) && next (&code, &jump) && is_jalr (jump) && destination (jump) == ZERO
      && source (jump) == destination (insn))
    return branch_to (upper_of (insn, address) + (uintptr_t) immediate (jump), 8);
  return (struct bbp_branch) { 0 };
}

/* An instruction of GCC's thunks, which change `this' in a0 to the whole object: by a constant, or
   by an entry of the virtual function table, through t0 and t1. */
static bool
is_adjustment (uint32_t insn)
{
  const unsigned to = destination (insn), from = source (insn);
  const bool scratch = to == T0 || to == T1;
  if (bytes_of (insn) == 2)
    return (to == A0 && (insn & 0xe003) == 0x0001)                     /* c.addi a0 */
           || (to == A0 && (insn & 0xf003) == 0x9002)                  /* c.add a0, x */
           || (scratch && (insn & 0xc003) == 0x4001)                   /* c.li, c.lui */
           || (scratch && (insn & 0xe003) == 0x0001)                   /* c.addi */
           || (scratch && (insn & 0xf003) == 0x9002);                  /* c.add */
  return (to == A0 && (is_addi (insn) || (insn & 0xfe00707f) == 0x33)) /* addi, add */
         || (scratch && (is_addi (insn) || (insn & 0xfe00707f) == 0x33))
         || (scratch && (insn & 0x7f) == 0x37) /* lui */
         || (scratch && is_load (insn) && (from == A0 || from == T0 || from == T1));
}

/* Behind an auipc: the load of a slot and a jump there, an entry of the procedure linkage table. */
static struct bbp_branch
by_slot (struct code code, uint32_t auipc, uintptr_t upper)
{
  uint32_t load, jump;
  const unsigned to = destination (auipc);
  if (next (&code, &load) && is_load (load) && source (load) == to && next (&code, &jump)
      && is_jalr (jump) && source (jump) == destination (load) && immediate (jump) == 0)
    return (struct bbp_branch) { BBP_BRANCH_BY_SLOT, upper + (uintptr_t) immediate (load), 12 };
  return (struct bbp_branch) { 0 };
}

#define MOST_ADJUSTMENTS 6

struct bbp_branch
bbp_arch_stub (const unsigned char *bytes, size_t n, uintptr_t address)
{
  struct code code = { bytes, n, address };
  uint32_t insn = 0;
  for (int i = 0; i <= MOST_ADJUSTMENTS; i++)
    {
      const struct code here = code;
      if (!next (&code, &insn))
        break;
      const bool conditional = (insn & 0x7f) == 0x63 || (insn & 0xc003) == 0xc001;
      struct bbp_branch branch = bbp_arch_jump (here.bytes, here.n, here.address);
      if (branch.kind && !conditional)
        {
          branch.bytes += here.address - address;
          return branch;
        }
      if (is_auipc (insn))
        return by_slot (code, insn, upper_of (insn, here.address));
      if (!is_adjustment (insn))
        break;
    }
  return (struct bbp_branch) { 0 };
}

/* The most instructions from auipc to the end of an increment. */
#define MOST_COUNTING 10
#define MOST_BYTES (4 * MOST_COUNTING)

/* The end of the code at CODE that increments COUNTER; 0: it does something else, or begins
   elsewhere.  auipc and addi give the address, to which the thread's displacement is added;
   amoadd.d to zero is the increment. */
static uintptr_t
increment_end (struct code code, uintptr_t counter)
{
  const uintptr_t start = code.address;
  uint32_t insn, add;
  if (!next (&code, &insn) || !is_auipc (insn) || !next (&code, &add) || !is_addi (add)
      || destination (add) != destination (insn) || source (add) != destination (insn)
      || upper_of (insn, start) + (uintptr_t) immediate (add) != counter)
    return 0;
  for (int i = 0; i < MOST_COUNTING && next (&code, &insn); i++)
    if ((insn & 0xf8007fff) == 0x0000302f)
      return code.address;
  return 0;
}

uintptr_t
bbp_arch_counting_end (const unsigned char *bytes, size_t n, uintptr_t address, uintptr_t counter,
                       uintptr_t first)
{
  (void) first;
  uintptr_t end = 0;
  uint32_t insn;
  for (struct code code = { bytes, n, address }; !end && code.n;)
    {
      end = increment_end (code, counter);
      if (!next (&code, &insn))
        break;
    }
  return end;
}

bool
bbp_arch_counts (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                 uintptr_t counter, uintptr_t first)
{
  (void) first;
  const size_t back = before < MOST_BYTES ? before & -2UL : MOST_BYTES;
  for (size_t at = 0; at <= back; at += 2)
    {
      struct code code = { bytes - back + at, n + back - at, address - back + at };
      if (increment_end (code, counter) > address)
        return true;
    }
  return false;
}

/* beqz A, over a jump: auipc A and jalr, jal, or c.j. */
static bool
is_branch_if_zero (const uint32_t *code, uint32_t reg)
{
  bool two = (code[0] & 0xffffff7f) == (0x663 | reg << 15),
       one = (code[0] & 0xffffff7f) == (0x463 | reg << 15),
       half = (code[0] & 0xffffff7f) == (0x363 | reg << 15);
  return (two && (code[1] & 0xfff) == (0x17 | reg << 7)) || (one && (code[1] & 0xfff) == 0x6f)
         || (half && (code[1] & 0xe003) == 0xa001);
}

/* The mode of __bb is loaded relative to the thread pointer: lui A; add A, A, tp; ld A, low(A), of
   which the linker may have left ld A, low(tp); or auipc A; ld A; add A, A, tp; ld A, offset(A). */
bool
bbp_arch_is_point (const unsigned char *bytes)
{
  uint32_t code[BBP_ARCH_POINT_BYTES / 4];
  __builtin_memcpy (code, bytes, sizeof code);
  const uint32_t tp = 4, mode = offsetof (struct bbp_here, mode);
  uint32_t a = code[0] >> 7 & 31, load = 0x3003 | a << 7, add = 0x33 | a << 7 | a << 15 | tp << 20;
  if ((code[0] & 0xfffff) == (load | tp << 15))
    return is_branch_if_zero (code + 1, a);
  if ((code[0] & 0x7f) == 0x37)
    return code[1] == add && (code[2] & 0xfffff) == (load | a << 15)
           && is_branch_if_zero (code + 3, a);
  return (code[0] & 0x7f) == 0x17 && (code[1] & 0xfffff) == (load | a << 15) && code[2] == add
         && code[3] == (load | a << 15 | mode << 20) && is_branch_if_zero (code + 4, a);
}
