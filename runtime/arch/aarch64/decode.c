/* SPDX-License-Identifier: MIT */
/* Decoder for the aarch64 machine code of calls, of stubs between call and callee, and of what the
   plugin writes.  Pure functions on bytes.  Context: cold, signal. */
#include <stddef.h>

#include "decode.h"
#include "include/bbprof-abi.h"

#define INSN sizeof (uint32_t)

/* The rest of the code to be decoded. */
struct code {
  const unsigned char *bytes;
  size_t n;
  uintptr_t address; /* of the first byte */
};

static uint32_t
insn_at (const unsigned char *bytes)
{
  uint32_t insn;
  __builtin_memcpy (&insn, bytes, sizeof insn);
  return insn;
}

/* Take the next instruction; false: there is none. */
static bool
next (struct code *code, uint32_t *insn)
{
  if (code->n < INSN)
    return false;
  *insn = insn_at (code->bytes);
  code->bytes += INSN;
  code->n -= INSN;
  code->address += INSN;
  return true;
}

/* The bits of INSN from LOW on, WIDTH of them. */
static uint32_t
field (uint32_t insn, unsigned low, unsigned width)
{
  return insn >> low & ((1U << width) - 1);
}

/* The same as a signed number of instructions: a distance in bytes. */
static intptr_t
distance (uint32_t insn, unsigned low, unsigned width)
{
  const unsigned upper = 64 - width;
  return (intptr_t) ((uint64_t) field (insn, low, width) << upper) >> upper << 2;
}

static struct bbp_branch
branch_to (uintptr_t address, size_t bytes)
{
  return (struct bbp_branch) { BBP_BRANCH_TO, address, bytes };
}

/* bl; the callee of blr is not known. */
struct bbp_branch
bbp_arch_call_before (const unsigned char *bytes, uintptr_t point)
{
  uint32_t insn = insn_at (bytes);
  if (insn >> 26 != 0x25)
    return (struct bbp_branch) { 0 };
  return branch_to (point - INSN + (uintptr_t) distance (insn, 0, 26), INSN);
}

/* bl, blr, and blr with a signed address. */
bool
bbp_arch_is_behind_call (const unsigned char *bytes)
{
  uint32_t insn = insn_at (bytes);
  return insn >> 26 == 0x25 || (insn & 0xfffffc1f) == 0xd63f0000
         || (insn & 0xfefff800) == 0xd63f0800;
}

/* b; b.cond, cbz, cbnz; tbz, tbnz. */
struct bbp_branch
bbp_arch_jump (const unsigned char *bytes, size_t n, uintptr_t address)
{
  if (n < INSN)
    return (struct bbp_branch) { 0 };
  uint32_t insn = insn_at (bytes);
  intptr_t far = 0;
  if (insn >> 26 == 0x05)
    far = distance (insn, 0, 26);
  else if (insn >> 24 == 0x54 || (insn & 0x7e000000) == 0x34000000)
    far = distance (insn, 5, 19);
  else if ((insn & 0x7e000000) == 0x36000000)
    far = distance (insn, 5, 14);
  else
    return (struct bbp_branch) { 0 };
  return branch_to (address + (uintptr_t) far, INSN);
}

static bool
is_adrp (uint32_t insn)
{
  return (insn & 0x9f000000) == 0x90000000;
}

/* What the adrp at ADDRESS puts into its register. */
static uintptr_t
page_of (uint32_t insn, uintptr_t address)
{
  uint64_t pages = (uint64_t) field (insn, 5, 19) << 2 | field (insn, 29, 2);
  return (address & -4096UL) + (uintptr_t) ((intptr_t) (pages << 43) >> 31);
}

/* add xTO, xTO, #value. */
static bool
adds_to (uint32_t insn, unsigned to)
{
  return insn >> 22 == 0x244 && field (insn, 0, 5) == to && field (insn, 5, 5) == to;
}

/* An instruction of GCC's thunks, which change `this' in x0 to the whole object: by a constant, or
   by an entry of the virtual function table, through x16 or x17. */
static bool
is_adjustment (uint32_t insn)
{
  const unsigned to = field (insn, 0, 5), from = field (insn, 5, 5);
  const bool scratch = to == 16 || to == 17, loads = scratch && (from == 0 || from == to);
  return (to == 0 && from == 0 && (insn >> 23 == 0x122 || insn >> 23 == 0x1a2)) /* add, sub #n */
         || (to == 0 && (insn & 0xffe0ffe0) == 0x8b000000)                      /* add x0, x0, xN */
         || (loads && (insn >> 22 == 0x3e5 || (insn & 0xffe00000) == 0xf8400000)) /* ldr, ldur */
         || (loads && (insn & 0xffe00c00) == 0xf8400c00)    /* ldr with writeback */
         || (scratch && insn >> 23 == 0x1a5)                /* mov #n */
         || (scratch && from == to && insn >> 23 == 0x1a2); /* sub #n */
}

/* adrp x16, then a slot or a place near it: entries of the procedure linkage table, and veneers. */
static struct bbp_branch
by_page (struct code code, uint32_t adrp, uintptr_t page)
{
  uint32_t insn[3];
  const unsigned to = field (adrp, 0, 5);
  if (!next (&code, &insn[0]) || !next (&code, &insn[1]))
    return (struct bbp_branch) { 0 };
  if (adds_to (insn[0], to) && insn[1] == (0xd61f0000 | to << 5))
    return branch_to (page + field (insn[0], 10, 12), 3 * INSN);
  bool loads = insn[0] >> 22 == 0x3e5 && field (insn[0], 5, 5) == to;
  uint32_t jump = 0xd61f0000 | field (insn[0], 0, 5) << 5;
  if (loads && (insn[1] == jump || (next (&code, &insn[2]) && insn[2] == jump)))
    return (struct bbp_branch) { BBP_BRANCH_BY_SLOT, page + 8 * field (insn[0], 10, 12), 4 * INSN };
  return (struct bbp_branch) { 0 };
}

/* ldr x16, over the next three instructions; adr x17, itself; add x16, x16, x17; br x16: how
   linkers reach what adrp does not. */
static struct bbp_branch
by_distance (struct code code, uint32_t insn)
{
  uint32_t adr, add, jump;
  int64_t far;
  if (insn != 0x58000090 || !next (&code, &adr) || adr != 0x10000011 || !next (&code, &add)
      || add != 0x8b110210 || !next (&code, &jump) || jump != 0xd61f0200 || code.n < sizeof far)
    return (struct bbp_branch) { 0 };
  __builtin_memcpy (&far, code.bytes, sizeof far);
  return branch_to (code.address - 3 * INSN + (uintptr_t) far, 4 * INSN + sizeof far);
}

#define MOST_ADJUSTMENTS 6

struct bbp_branch
bbp_arch_stub (const unsigned char *bytes, size_t n, uintptr_t address)
{
  struct code code = { bytes, n, address };
  uint32_t insn = 0;
  for (int i = 0; i <= MOST_ADJUSTMENTS && next (&code, &insn); i++)
    {
      const uintptr_t here = code.address - INSN;
      if (is_adrp (insn))
        return by_page (code, insn, page_of (insn, here));
      struct bbp_branch branch = by_distance (code, insn);
      if (branch.kind)
        return branch;
      if (insn >> 26 == 0x05)
        return branch_to (here + (uintptr_t) distance (insn, 0, 26), here + INSN - address);
      if ((insn & 0xffffff3f) != 0xd503241f && !is_adjustment (insn)) /* bti */
        break;
    }
  return (struct bbp_branch) { 0 };
}

/* The most instructions from adrp to the end of an increment. */
#define MOST_COUNTING 12

/* The end of the code at CODE that increments COUNTER; 0: it does something else, or begins
   elsewhere.  adrp gives the page; an add, or the offset in the increment, the rest.  The increment
   is ldr, add #1, str; or ldxr, add #1, stxr, cbnz; or stadd.  Between them the thread's
   displacement is read and added. */
static uintptr_t
increment_end (struct code code, uintptr_t counter)
{
  uint32_t insn;
  if (!next (&code, &insn) || !is_adrp (insn))
    return 0;
  const unsigned to = field (insn, 0, 5);
  uintptr_t address = page_of (insn, code.address - INSN);
  for (int i = 0; i < MOST_COUNTING && next (&code, &insn); i++)
    {
      const unsigned char *here = code.bytes - INSN;
      const bool exclusive = (insn & 0xfffffc00) == 0xc85f7c00;
      if (adds_to (insn, to))
        address += field (insn, 10, 12);
      else if (code.n >= 2 * INSN && bbp_arch_is_increment ((const uint32_t *) here)
               && address + 8 * field (insn, 10, 12) == counter)
        return code.address + 2 * INSN;
      else if (exclusive && code.n >= 2 * INSN && address == counter)
        return code.address + 2 * INSN; /* the next one repeats it, if it has failed */
      else if ((insn & 0xffe0fc1f) == 0xf820001f && address == counter) /* stadd */
        return code.address;
    }
  return 0;
}

uintptr_t
bbp_arch_counting_end (const unsigned char *bytes, size_t n, uintptr_t address, uintptr_t counter,
                       uintptr_t first)
{
  (void) first;
  uintptr_t end = 0;
  for (struct code code = { bytes, n, address }; !end && code.n >= INSN;)
    {
      uint32_t insn;
      end = increment_end (code, counter);
      next (&code, &insn);
    }
  return end;
}

bool
bbp_arch_counts (const unsigned char *bytes, size_t before, size_t n, uintptr_t address,
                 uintptr_t counter, uintptr_t first)
{
  (void) first;
  size_t back = before < MOST_COUNTING * INSN ? before & -INSN : MOST_COUNTING * INSN;
  for (struct code code = { bytes - back, n + back, address - back }; code.address <= address;)
    {
      uint32_t insn;
      if (increment_end (code, counter) > address)
        return true;
      if (!next (&code, &insn))
        break;
    }
  return false;
}

/* cbz A, over the next instruction; b. */
static bool
is_branch_unless_zero (const uint32_t *code, uint32_t reg)
{
  return code[0] == (0xb4000040 | reg) && code[1] >> 26 == 0x05;
}

/* The mode of __bb is loaded relative to the thread pointer: mrs A; add A, A, high;
   ldr A, [A, low]; or mrs B; add A, A, B; ldr A, [A, offset], behind two instructions that load
   A. */
bool
bbp_arch_is_point (const unsigned char *bytes)
{
  uint32_t code[BBP_ARCH_POINT_BYTES / 4];
  __builtin_memcpy (code, bytes, sizeof code);
  const uint32_t thread_pointer = 0xd53bd040, mode = offsetof (struct bbp_here, mode) / 8;
  uint32_t a = code[0] & 31, b = code[2] & 31;
  if (code[0] == (thread_pointer | a))
    return (code[1] & 0xffc003ff) == (0x91400000 | a << 5 | a)
           && (code[2] & 0xffc003ff) == (0xf9400000 | a << 5 | a)
           && is_branch_unless_zero (code + 3, a);
  return code[2] == (thread_pointer | b) && code[3] == (0x8b000000 | b << 16 | a << 5 | a)
         && code[4] == (0xf9400000 | mode << 10 | a << 5 | a)
         && is_branch_unless_zero (code + 5, a);
}
