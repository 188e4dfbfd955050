/* SPDX-License-Identifier: MIT */
/* bbtrace.gz: words of 64 bits as a gzip file (RFC 1951, 1952).  zlib cannot be used: it
   allocates, and would conflict with the program's own zlib.  Of the format only the fixed codes
   are used, and repetitions of whole words, which loops leave in a trace.  The output depends on
   the words alone.  Context: any. */

#include "include/bbprof-historic.h"
#include "runtime/historic/gzip.h"

#define REACH 4096 /* distance in words at which a repetition may lie: 32 KiB */
#define LONGEST 32 /* words of one repetition: 256 bytes */
#define END_OF_BLOCK 256
enum { FIXED_CODES = 1 };

static void
put_byte (struct bbh_gzip *z, unsigned byte)
{
  z->out[z->used++] = (unsigned char) byte;
  if (z->used == sizeof z->out)
    {
      z->to.put (z->to.context, z->out, z->used);
      z->used = 0;
    }
}

/* The lowest bit first. */
static void
put_bits (struct bbh_gzip *z, uint64_t bits, unsigned n)
{
  z->bits |= bits << z->nbits;
  for (z->nbits += n; z->nbits >= 8; z->nbits -= 8, z->bits >>= 8)
    put_byte (z, (unsigned) (z->bits & 0xff));
}

static void
put_number (struct bbh_gzip *z, uint64_t value, unsigned bytes)
{
  for (; bytes--; value >>= 8)
    put_byte (z, (unsigned) (value & 0xff));
}

/* A Huffman code: the highest bit first. */
static void
put_code (struct bbh_gzip *z, unsigned code, unsigned n)
{
  unsigned reversed = 0;
  for (unsigned i = 0; i < n; i++)
    reversed |= (code >> i & 1) << (n - 1 - i);
  put_bits (z, reversed, n);
}

/* A byte, the end of a block, or a length. */
static void
put_symbol (struct bbh_gzip *z, unsigned symbol)
{
  if (symbol < 144)
    put_code (z, 0x30 + symbol, 8);
  else if (symbol < 256)
    put_code (z, 0x190 + symbol - 144, 9);
  else if (symbol < 280)
    put_code (z, symbol - 256, 7);
  else
    put_code (z, 0xc0 + symbol - 280, 8);
}

static unsigned
highest_bit (unsigned value)
{
  return 31 - (unsigned) __builtin_clz (value);
}

static void
put_repetition (struct bbh_gzip *z, unsigned length, unsigned distance)
{
  unsigned l = length - 3, d = distance - 1;
  /* LENGTH and DISTANCE are multiples of 8 bytes, so L is one less 3, and D one less 1. */
  unsigned more_l = l < 8 ? 0 : highest_bit (l) - 2, more_d = highest_bit (d) - 1;
  put_symbol (z, l < 8 ? 257 + l : 261 + 4 * more_l + (l >> more_l & 3));
  put_bits (z, l & ((1U << more_l) - 1), more_l);
  put_code (z, 2 * highest_bit (d) + (d >> more_d & 1), 5);
  put_bits (z, d & ((1U << more_d) - 1), more_d);
}

static uint32_t
add_to_crc (uint32_t crc, uint64_t word)
{
  static const uint32_t table[16] = { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                      0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c };
  for (unsigned nibble = 0; nibble < 16; nibble++, word >>= 4)
    crc = crc >> 4 ^ table[(crc ^ word) & 15];
  return crc;
}

/* The number of words from I on that repeat those from BEFORE on. */
static unsigned
repeated (const struct bbh_gzip *z, size_t before, size_t i)
{
  unsigned n = 0;
  while (n < LONGEST && i + n < z->n && z->words[before + n] == z->words[i + n])
    n++;
  return n;
}

static uint16_t *
slot (struct bbh_gzip *z, uint64_t word)
{
  return &z->last[word * 0x9e3779b97f4a7c15 >> (64 - BBH_GZIP_SLOT_BITS)];
}

/* Packs the waiting words as a block; the end of the previous block has been written. */
static void
put_block (struct bbh_gzip *z)
{
  for (size_t i = 0; i < sizeof z->last / sizeof *z->last; i++)
    z->last[i] = 0;
  put_bits (z, FIXED_CODES << 1, 3);
  for (size_t i = 0; i < z->n;)
    {
      size_t before = *slot (z, z->words[i]); /* 0: none, else its index + 1 */
      unsigned n = before && i + 1 - before <= REACH ? repeated (z, before - 1, i) : 0;
      if (n)
        put_repetition (z, n * 8, (unsigned) (i + 1 - before) * 8);
      else
        for (unsigned byte = 0; byte < 8; byte++)
          put_symbol (z, (unsigned) (z->words[i] >> 8 * byte & 0xff));
      for (size_t next = i + (n ? n : 1); i < next; i++)
        *slot (z, z->words[i]) = (uint16_t) (i + 1);
    }
  put_symbol (z, END_OF_BLOCK);
  z->n = 0;
}

void
bbh_gzip_begin (struct bbh_gzip *z, struct bbh_receiver to)
{
  /* deflate; no name, no time; Unix. */
  static const unsigned char header[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
  z->to = to;
  z->crc = 0xffffffff;
  z->nwords = z->bits = 0;
  z->nbits = 0;
  z->n = z->used = 0;
  for (size_t i = 0; i < sizeof header; i++)
    put_byte (z, header[i]);
}

void
bbh_gzip_pack (struct bbh_gzip *z)
{
  for (size_t i = 0; i < z->n; i++)
    z->crc = add_to_crc (z->crc, z->words[i]);
  z->nwords += z->n;
  put_block (z);
}

void
bbh_gzip_end (struct bbh_gzip *z)
{
  if (z->n)
    bbh_gzip_pack (z);
  put_bits (z, FIXED_CODES << 1 | 1, 3);
  put_symbol (z, END_OF_BLOCK);
  put_bits (z, 0, -z->nbits % 8);
  put_number (z, ~z->crc & 0xffffffff, 4);
  put_number (z, z->nwords * sizeof *z->words & 0xffffffff, 4);
  z->to.put (z->to.context, z->out, z->used);
  z->used = 0;
}
