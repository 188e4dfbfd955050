/* SPDX-License-Identifier: MIT */
/* Reads numbers in DWARF encodings.  Context: any. */
#include "runtime/unwind/unwinding.h"

/* Encodings of addresses (DW_EH_PE_...): the format, and the base. */
enum {
  WORD = 0,
  ULEB = 1,
  UDATA2 = 2,
  UDATA4 = 3,
  UDATA8 = 4,
  SLEB = 9,
  SDATA2 = 10,
  SDATA4 = 11,
  SDATA8 = 12
};
enum { RELATIVE = 0x70, TO_HERE = 0x10 };

uint64_t
bbp_bytes_fixed (struct bbp_bytes *from, unsigned bytes)
{
  uint64_t value = 0;
  if ((size_t) (from->stop - from->next) < bytes)
    from->good = false;
  for (unsigned i = 0; from->good && i < bytes; i++)
    value |= (uint64_t) *from->next++ << 8 * i;
  return value;
}

/* BITS: the size of the number. */
static uint64_t
take_leb (struct bbp_bytes *from, unsigned *bits)
{
  uint64_t value = 0;
  unsigned char byte = 0x80;
  for (*bits = 0; byte & 0x80; *bits += 7)
    {
      byte = (unsigned char) bbp_bytes_fixed (from, 1);
      if (*bits < 64)
        value |= (uint64_t) (byte & 0x7f) << *bits;
    }
  return value;
}

uint64_t
bbp_bytes_uleb (struct bbp_bytes *from)
{
  unsigned bits;
  return take_leb (from, &bits);
}

int64_t
bbp_bytes_sleb (struct bbp_bytes *from)
{
  unsigned bits;
  uint64_t value = take_leb (from, &bits);
  bool negative = bits > 0 && bits < 64 && (value >> (bits - 1) & 1);
  return (int64_t) (negative ? value | -(UINT64_C (1) << bits) : value);
}

struct bbp_bytes
bbp_bytes_block (struct bbp_bytes *from)
{
  uint64_t bytes = bbp_bytes_uleb (from);
  if (bytes > (size_t) (from->stop - from->next))
    from->good = false;
  struct bbp_bytes block = { from->next, from->next + (from->good ? bytes : 0), from->good };
  from->next = block.stop;
  return block;
}

/* 0, and GOOD becomes false, for encodings that code does not use. */
uint64_t
bbp_bytes_address (struct bbp_bytes *from, unsigned encoding)
{
  uint64_t here = (uintptr_t) from->next, value = 0;
  unsigned relative = encoding & RELATIVE;
  switch (encoding & BBP_BYTES_FORMAT)
    {
    case WORD:
    case UDATA8:
    case SDATA8: value = bbp_bytes_fixed (from, 8); break;
    case UDATA2: value = bbp_bytes_fixed (from, 2); break;
    case UDATA4: value = bbp_bytes_fixed (from, 4); break;
    case SDATA2: value = (uint64_t) (int16_t) bbp_bytes_fixed (from, 2); break;
    case SDATA4: value = (uint64_t) (int32_t) bbp_bytes_fixed (from, 4); break;
    case ULEB: value = bbp_bytes_uleb (from); break;
    case SLEB: value = (uint64_t) bbp_bytes_sleb (from); break;
    default: from->good = false;
    }
  if (relative != 0 && relative != TO_HERE)
    from->good = false;
  return relative == TO_HERE ? value + here : value;
}
