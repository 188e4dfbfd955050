/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "common/array.h"
#include "common/dwarf_bytes.h"
#include "model/elf/frame_functions.h"

/* The low half of an encoding is the format of a number; the high half says what it is relative
   to. */
enum { FORMAT = 0x0f, RELATION = 0xf0 };

/* A common head (CIE) of descriptions: the encoding of their addresses. */
struct head {
  Dwarf_Off offset;
  unsigned char encoding; /* DW_EH_PE_omit: unknown */
};

struct reader {
  const struct image *image;
  struct functions *functions;
  const unsigned char *bytes; /* of the section */
  uint64_t address;           /* of the section */
  struct head *heads;         /* by offset */
  size_t nheads, room;
};

/* Reads a number in FORMAT.  Sets FAILED of BYTES for an unknown format. */
static uint64_t
read_number (struct dwarf_bytes *bytes, unsigned format, int pointer_bytes)
{
  switch (format)
    {
    case DW_EH_PE_absptr: return dwarf_number (bytes, (size_t) pointer_bytes);
    case DW_EH_PE_udata2: return dwarf_number (bytes, 2);
    case DW_EH_PE_udata4: return dwarf_number (bytes, 4);
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: return dwarf_number (bytes, 8);
    case DW_EH_PE_sdata2: return (uint64_t) (int16_t) dwarf_number (bytes, 2);
    case DW_EH_PE_sdata4: return (uint64_t) (int32_t) dwarf_number (bytes, 4);
    case DW_EH_PE_uleb128: return dwarf_leb (bytes, false);
    case DW_EH_PE_sleb128: return dwarf_leb (bytes, true);
    }
  bytes->failed = true;
  return 0;
}

/* The encoding of addresses in the augmentation of a head. */
static unsigned char
encoding_of (const struct reader *r, const Dwarf_CIE *head)
{
  struct dwarf_bytes data = { .at = head->augmentation_data,
                              .end = head->augmentation_data + head->augmentation_data_size,
                              .big_endian = r->image->big_endian };
  if (head->augmentation[0] == '\0')
    return DW_EH_PE_absptr;
  if (head->augmentation[0] != 'z')
    return DW_EH_PE_omit;
  for (const char *letter = head->augmentation + 1; *letter && !data.failed; letter++)
    if (*letter == 'R')
      return (unsigned char) dwarf_number (&data, 1);
    else if (*letter == 'L')
      dwarf_skip (&data, 1);
    else if (*letter == 'P')
      read_number (&data, (unsigned) dwarf_number (&data, 1) & FORMAT, r->image->pointer_bytes);
    else if (*letter != 'S' && *letter != 'B')
      return DW_EH_PE_omit;
  return data.failed ? DW_EH_PE_omit : DW_EH_PE_absptr;
}

static bool
add_head (struct reader *r, Dwarf_Off offset, const Dwarf_CIE *head)
{
  if (!array_grow (&r->heads, r->nheads, &r->room, sizeof *r->heads))
    return false;
  r->heads[r->nheads++] = (struct head) { .offset = offset, .encoding = encoding_of (r, head) };
  return true;
}

/* The encoding in the head at OFFSET.  A head precedes its descriptions. */
static unsigned char
find_encoding (const struct reader *r, Dwarf_Off offset)
{
  size_t before = ARRAY_BEFORE (i, r->nheads, r->heads[i].offset <= offset);
  return before > 0 && r->heads[before - 1].offset == offset ? r->heads[before - 1].encoding
                                                             : DW_EH_PE_omit;
}

static bool
add_function (struct reader *r, const Dwarf_FDE *f)
{
  struct dwarf_bytes bytes = { .at = f->start, .end = f->end, .big_endian = r->image->big_endian };
  unsigned encoding = find_encoding (r, f->CIE_pointer), relation = encoding & RELATION;
  if (relation != DW_EH_PE_absptr && relation != DW_EH_PE_pcrel)
    return true;
  uint64_t start = read_number (&bytes, encoding & FORMAT, r->image->pointer_bytes);
  uint64_t size = read_number (&bytes, encoding & FORMAT, r->image->pointer_bytes);
  if (relation == DW_EH_PE_pcrel)
    start += r->address + (uint64_t) (f->start - r->bytes);
  if (bytes.failed || size == 0 || start + size < start)
    return true;
  return functions_add (r->functions, &(struct function) { .start = start, .end = start + size });
}

bool
frame_functions_read (struct functions *functions, const struct image *im)
{
  struct reader r = { .image = im, .functions = functions };
  size_t size;
  unsigned char *bytes = image_section (im, ".eh_frame", &r.address, &size);
  const unsigned char e_ident[EI_NIDENT]
      = { [EI_CLASS] = im->pointer_bytes == 8 ? ELFCLASS64 : ELFCLASS32,
          [EI_DATA] = im->big_endian ? ELFDATA2MSB : ELFDATA2LSB };
  Elf_Data data = { .d_buf = bytes, .d_size = size, .d_type = ELF_T_BYTE, .d_version = EV_CURRENT };
  Dwarf_CFI_Entry entry;
  Dwarf_Off next;
  bool ok = true;
  r.bytes = bytes;
  for (Dwarf_Off at = 0;
       ok && bytes && dwarf_next_cfi (e_ident, &data, true, at, &next, &entry) == 0 && next > at;
       at = next)
    ok = dwarf_cfi_cie_p (&entry) ? add_head (&r, at, &entry.cie) : add_function (&r, &entry.fde);
  free (r.heads);
  free (bytes);
  return ok;
}
