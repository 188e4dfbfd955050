/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/pe.h"
#include "model/elf/pe_functions.h"

/* Numbers of data directories. */
enum { EXPORTS = 0, EXCEPTIONS = 3 };

/* Offsets in the table of exports. */
enum { NAMES = 24, FUNCTIONS_AT = 28, NAMES_AT = 32, ORDINALS_AT = 36, TABLE_BYTES = 40 };

enum { ENTRY_BYTES = 12, NAME_MOST = 4096 }; /* an entry of .pdata; the longest name */

/* The section that was read last: all tables are in one or two. */
struct reader {
  const struct image *im;
  struct functions *functions;
  pe_keep *keep;
  void *keeper;
  uint64_t base;                 /* of the image */
  const struct bfd_section *now; /* null: none */
  unsigned char *bytes;
  size_t size;
};

static bool
open_section (struct reader *r, uint64_t address)
{
  if (r->now && address - bfd_section_vma (r->now) < r->size)
    return true;
  for (asection *s = r->im->bfd->sections; s; s = s->next)
    if (address - bfd_section_vma (s) < bfd_section_size (s))
      {
        bfd_byte *bytes = NULL;
        if (!(bfd_section_flags (s) & SEC_HAS_CONTENTS)
            || !bfd_malloc_and_get_section (r->im->bfd, s, &bytes))
          {
            free (bytes);
            return false;
          }
        free (r->bytes);
        r->bytes = bytes;
        r->size = bfd_section_size (s);
        r->now = s;
        return true;
      }
  return false;
}

/* N bytes at RVA; null: not in one section. */
static const unsigned char *
at (struct reader *r, uint32_t rva, size_t n)
{
  if (!open_section (r, r->base + rva))
    return NULL;
  size_t offset = r->base + rva - bfd_section_vma (r->now);
  return n <= r->size - offset ? r->bytes + offset : NULL;
}

static uint32_t
number (const unsigned char *bytes, int n)
{
  uint32_t v = 0;
  for (int i = n; i-- > 0;)
    v = v << 8 | bytes[i];
  return v;
}

/* The number of N bytes at RVA; 0: there is none. */
static uint32_t
number_at (struct reader *r, uint32_t rva, int n)
{
  const unsigned char *bytes = at (r, rva, (size_t) n);
  return bytes ? number (bytes, n) : 0;
}

/* A copy; null: damaged, or out of memory. */
static char *
text_at (struct reader *r, uint32_t rva)
{
  const unsigned char *bytes = at (r, rva, 1);
  size_t room = bytes ? r->size - (size_t) (bytes - r->bytes) : 0,
         n = bytes ? strnlen ((const char *) bytes, room < NAME_MOST ? room : NAME_MOST) : 0;
  return n > 0 && n < room ? strndup ((const char *) bytes, n) : NULL;
}

static bool
is_code (const struct image *im, uint64_t address)
{
  for (const asection *s = im->bfd->sections; s; s = s->next)
    if (address - bfd_section_vma (s) < bfd_section_size (s))
      return (bfd_section_flags (s) & SEC_CODE) != 0;
  return false;
}

/* Data and names of other libraries' functions are exported, too. */
static bool
read_exports (struct reader *r, uint32_t table, uint32_t bytes)
{
  if (bytes < TABLE_BYTES || !at (r, table, TABLE_BYTES))
    return true;
  uint32_t n = number_at (r, table + NAMES, 4), functions = number_at (r, table + FUNCTIONS_AT, 4),
           names = number_at (r, table + NAMES_AT, 4),
           ordinals = number_at (r, table + ORDINALS_AT, 4);
  for (uint32_t i = 0; i < n && i < bytes; i++)
    {
      uint32_t ordinal = number_at (r, ordinals + 2 * i, 2),
               rva = number_at (r, functions + 4 * ordinal, 4);
      char *name = is_code (r->im, r->base + rva) ? text_at (r, number_at (r, names + 4 * i, 4))
                                                  : NULL;
      if (name
          && (!r->keep (r->keeper, name)
              || !functions_add (r->functions,
                                 &(struct function) { .start = r->base + rva, .name = name })))
        return false;
    }
  return true;
}

/* Parts of functions have entries of their own, and are shown as such. */
static bool
read_extents (struct reader *r, uint32_t table, uint32_t bytes)
{
  for (uint32_t i = 0; i + ENTRY_BYTES <= bytes; i += ENTRY_BYTES)
    {
      const unsigned char *entry = at (r, table + i, ENTRY_BYTES);
      uint64_t start = entry ? r->base + number (entry, 4) : 0,
               end = entry ? r->base + number (entry + 4, 4) : 0;
      if (start < end
          && !functions_add (r->functions, &(struct function) { .start = start, .end = end }))
        return false;
    }
  return true;
}

bool
pe_functions_read (struct functions *f, const struct image *im, pe_keep *keep, void *keeper)
{
  struct pe_header header;
  struct reader r = { .im = im, .functions = f, .keep = keep, .keeper = keeper };
  if (!im->is_pe || !pe_read_header (im->path, &header))
    return true;
  r.base = header.base;
  bool ok
      = read_exports (&r, header.directory[EXPORTS].rva, header.directory[EXPORTS].bytes)
        && read_extents (&r, header.directory[EXCEPTIONS].rva, header.directory[EXCEPTIONS].bytes);
  free (r.bytes);
  return ok;
}
