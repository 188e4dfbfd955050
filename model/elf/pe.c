/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model/elf/pe.h"

/* Offsets in the headers: of the DOS header, and behind the signature "PE\0\0". */
enum {
  AT_SIGNATURE = 0x3c,
  TIME_STAMP = 8,
  IMAGE_SIZE = 24 + 56,
  CHECKSUM = 24 + 64,
  HEADERS = 96
};

static uint32_t
number (const unsigned char *bytes)
{
  return bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16
         | (uint32_t) bytes[3] << 24;
}

void
pe_stamp (const char *path, struct build_id *id)
{
  unsigned char dos[64], headers[HEADERS], stamp[12];
  FILE *file = fopen (path, "rbe");
  if (!file)
    return;
  if (fread (dos, 1, sizeof dos, file) == sizeof dos && memcmp (dos, "MZ", 2) == 0
      && fseek (file, (long) number (dos + AT_SIGNATURE), SEEK_SET) == 0
      && fread (headers, 1, sizeof headers, file) == sizeof headers
      && memcmp (headers, "PE\0", 4) == 0)
    {
      memcpy (stamp, headers + TIME_STAMP, 4);
      memcpy (stamp + 4, headers + IMAGE_SIZE, 4);
      memcpy (stamp + 8, headers + CHECKSUM, 4);
      build_id_set (id, stamp, sizeof stamp);
    }
  fclose (file);
}
