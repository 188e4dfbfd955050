/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model/elf/pe.h"

/* Offsets: in the DOS header; behind the signature "PE\0\0"; in the optional header of 64 bits. */
enum { AT_SIGNATURE = 0x3c, TIME_STAMP = 8, OPTIONAL = 24 };
enum { BASE = OPTIONAL + 24, IMAGE_SIZE = OPTIONAL + 56, CHECKSUM = OPTIONAL + 64 };
enum { DIRECTORIES = OPTIONAL + 112, HEADERS = DIRECTORIES + 8 * PE_DIRECTORIES };
enum { MAGIC_64 = 0x20b }; /* of an optional header of 64 bits */

static uint32_t
number (const unsigned char *bytes)
{
  return bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16
         | (uint32_t) bytes[3] << 24;
}

static void
fill (struct pe_header *h, const unsigned char *bytes)
{
  memcpy (h->stamp, bytes + TIME_STAMP, 4);
  memcpy (h->stamp + 4, bytes + IMAGE_SIZE, 4);
  memcpy (h->stamp + 8, bytes + CHECKSUM, 4);
  h->base = number (bytes + BASE) | (uint64_t) number (bytes + BASE + 4) << 32;
  for (int i = 0; i < PE_DIRECTORIES; i++)
    {
      h->directory[i].rva = number (bytes + DIRECTORIES + 8 * i);
      h->directory[i].bytes = number (bytes + DIRECTORIES + 8 * i + 4);
    }
}

bool
pe_read_header (const char *path, struct pe_header *h)
{
  unsigned char dos[64], bytes[HEADERS];
  FILE *file = fopen (path, "rbe");
  if (!file)
    return false;
  bool ok = fread (dos, 1, sizeof dos, file) == sizeof dos && memcmp (dos, "MZ", 2) == 0
            && fseek (file, (long) number (dos + AT_SIGNATURE), SEEK_SET) == 0
            && fread (bytes, 1, sizeof bytes, file) == sizeof bytes
            && memcmp (bytes, "PE\0", 4) == 0 && (number (bytes + OPTIONAL) & 0xffff) == MAGIC_64;
  if (ok)
    fill (h, bytes);
  fclose (file);
  return ok;
}
