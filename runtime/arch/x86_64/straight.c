/* SPDX-License-Identifier: MIT */
/* Analyses straight-line code backwards: the value that the instructions before an address have put
   into a register.  Instructions cannot be decoded backwards, so possible start addresses are
   tried, the nearest first.  One is accepted if the instructions from there end exactly at the
   address.  Only common instructions are known; any other ends the search.  Pure. */
#include "arch.h"

/* An instruction: its length, and the registers that it may change.  0 bytes: not known, or control
   does not continue behind it. */
struct step {
  size_t bytes;
  uint32_t changes; /* bit mask of registers */
};

/* The length of ModRM, SIB and displacement. */
static size_t
operand_bytes (const unsigned char *p)
{
  unsigned mod = p[0] >> 6, low = p[0] & 7;
  if (mod == 3)
    return 1;
  size_t bytes = 1 + (low == 4);
  if (mod == 1)
    return bytes + 1;
  return bytes + (mod == 2 || low == 5 || (low == 4 && (p[1] & 7) == 5) ? 4 : 0);
}

/* An instruction with ModRM at P, IMMEDIATE bytes behind it, and PREFIX bytes before P; CHANGES:
   which of its two operands it changes. */
enum { CHANGES_NONE, CHANGES_REG = 1, CHANGES_RM = 2 };
static struct step
with_operand (const unsigned char *p, size_t prefix, unsigned char rex, size_t immediate,
              int changes)
{
  struct step step = { .bytes = prefix + operand_bytes (p) + immediate };
  if (changes & CHANGES_REG)
    step.changes |= 1U << ((p[0] >> 3 & 7) | (rex & 4) << 1);
  if ((changes & CHANGES_RM) && p[0] >> 6 == 3)
    step.changes |= 1U << ((p[0] & 7) | (rex & 1) << 3);
  return step;
}

/* The opcode behind 0f, at P. */
static struct step
two_bytes (const unsigned char *p, size_t prefix, unsigned char rex)
{
  unsigned char code = p[0];
  if (code >> 4 == 8)
    return (struct step) { .bytes = prefix + 5 };
  if (code >> 4 == 4 || code == 0xaf || (code & 0xf6) == 0xb6)
    return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_REG);
  if (code >> 4 == 9)
    return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_RM);
  bool vectors = code == 0x10 || code == 0x11 || code == 0x16 || code == 0x28 || code == 0x29
                 || code == 0x6c || code == 0x6e || code == 0x6f || code == 0x7f || code == 0xd6
                 || code == 0xef;
  if (vectors || code == 0x1e || code == 0x1f)
    return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_NONE);
  return (struct step) { 0 };
}

/* Without ModRM. */
static struct step
plain (const unsigned char *p, size_t prefix, unsigned char rex)
{
  unsigned char code = p[0];
  uint32_t low = 1U << ((code & 7) | (rex & 1) << 3);
  if ((code & 0xf8) == 0xb8)
    return (struct step) { prefix + (rex & 8 ? 9 : 5), low };
  if ((code & 0xf8) == 0xb0)
    return (struct step) { prefix + 2, low };
  if ((code & 0xf8) == 0x50 || code == 0x90)
    return (struct step) { prefix + 1, 0 };
  if ((code & 0xf8) == 0x58)
    return (struct step) { prefix + 1, low };
  if (code >> 4 == 7 || code == 0xa8)
    return (struct step) { prefix + 2, 0 };
  if (code == 0xa9 || code == 0x3d)
    return (struct step) { prefix + 5, 0 };
  if ((code & 0xc7) == 0x05)
    return (struct step) { prefix + 5, 1 };
  return (struct step) { 0 };
}

/* The instruction at P, where at least 16 bytes are readable. */
static struct step
step_at (const unsigned char *p)
{
  const unsigned char *start = p;
  while (*p == 0x66 || *p == 0x64 || *p == 0xf2 || *p == 0xf3)
    if (++p - start > 3)
      return (struct step) { 0 };
  unsigned char rex = (*p & 0xf0) == 0x40 ? *p++ : 0, code = *p;
  size_t prefix = (size_t) (p - start), immediate = *start == 0x66 ? 2 : 4;
  if (code == 0x0f)
    return two_bytes (p + 1, prefix + 1, rex);
  if (code < 0x40 && (code & 7) < 4)
    return with_operand (p + 1, prefix + 1, rex, 0,
                         code >= 0x38 ? CHANGES_NONE
                         : code & 2   ? CHANGES_REG
                                      : CHANGES_RM);
  switch (code)
    {
    case 0x84:
    case 0x85:
    case 0x88:
    case 0xff: return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_NONE);
    case 0x89:
    case 0xd1:
    case 0xd3: return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_RM);
    case 0x8a:
    case 0x8b:
    case 0x8d:
    case 0x63: return with_operand (p + 1, prefix + 1, rex, 0, CHANGES_REG);
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6: return with_operand (p + 1, prefix + 1, rex, 1, CHANGES_RM);
    case 0x81:
    case 0xc7: return with_operand (p + 1, prefix + 1, rex, immediate, CHANGES_RM);
    case 0xf6:
    case 0xf7:
      return with_operand (p + 1, prefix + 1, rex,
                           p[1] >> 3 & 7  ? 0
                           : code == 0xf6 ? 1
                                          : immediate,
                           CHANGES_RM);
    default: return plain (p, prefix, rex);
    }
}

/* True if the code from P ends at STOP and changes none of REGISTERS. */
static bool
leads (const unsigned char *p, const unsigned char *stop, uint32_t registers)
{
  while (p < stop)
    {
      struct step step = step_at (p);
      if (step.bytes == 0 || step.changes & registers)
        return false;
      p += step.bytes;
    }
  return p == stop;
}

static long
four_bytes (const unsigned char *p)
{
  return (long) (p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 | (uint32_t) p[3] << 24);
}

/* The value that the instruction at P, of BYTES, puts into register REG. */
static struct bbp_loaded
load_at (const unsigned char *p, unsigned reg, size_t *bytes)
{
  const struct bbp_loaded none = { .by = BBP_LOADED_NOT };
  if (p[0] == 0xb8 + reg)
    return *bytes = 5, (struct bbp_loaded) { BBP_LOADED_NUMBER, four_bytes (p + 1) };
  if ((p[0] == 0x31 || p[0] == 0x33) && p[1] == 0xc0 + 9 * reg)
    return *bytes = 2, (struct bbp_loaded) { BBP_LOADED_NUMBER, 0 };
  if (p[0] == 0x48 && p[1] == 0xc7 && p[2] == 0xc0 + reg)
    return *bytes = 7, (struct bbp_loaded) { BBP_LOADED_NUMBER, four_bytes (p + 3) };
  size_t prefix = (p[0] & 0xf3) == 0x40; /* the register is not one of the upper eight */
  unsigned char rex = prefix ? p[0] : 0;
  const unsigned char *code = p + prefix;
  if (code[0] == 0x89 && code[1] >> 6 == 3 && (code[1] & 7) == reg)
    return *bytes = prefix + 2,
           (struct bbp_loaded) { BBP_LOADED_REGISTER, (code[1] >> 3 & 7) | (rex & 4) << 1 };
  return none;
}

struct bbp_loaded
bbp_arch_loaded (const unsigned char *bytes, size_t n, unsigned reg)
{
  const unsigned char *stop = bytes + n;
  for (const unsigned char *p = stop - 2; p >= bytes; p--)
    {
      size_t length;
      /* Then P is most likely inside another instruction. */
      bool prefixed = p > bytes && p[-1] >> 4 == 4;
      struct bbp_loaded loaded = load_at (p, reg, &length);
      if (prefixed || loaded.by == BBP_LOADED_NOT || p + length > stop
          || !leads (p + length, stop, 1U << reg))
        continue;
      if (loaded.by == BBP_LOADED_REGISTER && !leads (p + length, stop, 1U << loaded.value))
        loaded.by = BBP_LOADED_CHANGED;
      return loaded;
    }
  return (struct bbp_loaded) { .by = BBP_LOADED_NOT };
}
