/* SPDX-License-Identifier: MIT */
/* Finds the call frame information of an address in one object, by the object's program headers:
   the linker's index (.eh_frame_hdr) leads to the description (.eh_frame).  No offset is followed
   beyond its segment.  Used by the library for its own process (cfi_find.c), and by collect/watch
   for a copy of the watched process's libraries.  Context: signal. */
#include <elf.h>

#include "runtime/base/base.h"
#include "runtime/unwind/unwinding.h"

/* The object that begins at START; without segments if there is no ELF header. */
struct bbp_image
bbp_image_at (const void *start)
{
  const ElfW (Ehdr) *file = start;
  uintptr_t first = (uintptr_t) start;
  const unsigned char *magic = file->e_ident;
  if (magic[0] != ELFMAG0 || magic[1] != ELFMAG1 || magic[2] != ELFMAG2 || magic[3] != ELFMAG3)
    return (struct bbp_image) { 0 };
  struct bbp_image image = { (const ElfW (Phdr) *) (first + file->e_phoff), file->e_phnum, 0 };
  for (size_t i = 0; i < image.n; i++)
    if (image.segment[i].p_type == PT_LOAD)
      {
        image.bias = first - (image.segment[i].p_vaddr & -(uintptr_t) BBP_PAGE_BYTES);
        break;
      }
  return image;
}

/* The readable segment of IMAGE that contains ADDRESS; false: none. */
bool
bbp_image_segment (const struct bbp_image *image, uintptr_t address, const unsigned char **low,
                   const unsigned char **high)
{
  for (const ElfW (Phdr) *segment = image->segment; segment < image->segment + image->n; segment++)
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R)
        && address - image->bias - segment->p_vaddr < segment->p_filesz)
      {
        *low = (const unsigned char *) (segment->p_vaddr + image->bias);
        *high = *low + segment->p_filesz;
        return true;
      }
  return false;
}

/* The index of IMAGE; null: it has none. */
static const struct bbp_cfi_index *
index_of (const struct bbp_image *image)
{
  for (const ElfW (Phdr) *segment = image->segment; segment < image->segment + image->n; segment++)
    if (segment->p_type == PT_GNU_EH_FRAME)
      return (const struct bbp_cfi_index *) (segment->p_vaddr + image->bias);
  return NULL;
}

/* The description that the index gives for ADDRESS; null: none begins before it. */
static const unsigned char *
search (const struct bbp_cfi_index *index, size_t room, uintptr_t address)
{
  bool known = room >= sizeof *index && index->version == 1 && index->number == BBP_CFI_FOUR_BYTES
               && index->table == BBP_CFI_PAIRS
               && index->n <= (room - sizeof *index) / sizeof *index->item;
  intptr_t distance = (intptr_t) (address - (uintptr_t) index);
  size_t low = 0, high = known ? index->n : 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (index->item[middle].start <= distance)
        low = middle + 1;
      else
        high = middle;
    }
  return low ? (const unsigned char *) index + index->item[low - 1].frame : NULL;
}

/* An entry of .eh_frame, behind its length; false: it exceeds the segment. */
static bool
open_entry (const struct bbp_cfi *cfi, const unsigned char *at, struct bbp_bytes *entry)
{
  if (at < cfi->low || at >= cfi->high)
    return false;
  *entry = (struct bbp_bytes) { at, cfi->high, true };
  uint64_t bytes = bbp_bytes_fixed (entry, 4);
  if (bytes == UINT32_MAX)
    bytes = bbp_bytes_fixed (entry, 8);
  if (bytes > (size_t) (entry->stop - entry->next))
    return false;
  entry->stop = entry->next + bytes;
  return entry->good;
}

/* The meaning of an augmentation string's letters, behind the z; DATA: the augmentation data. */
static void
read_augmentation (struct bbp_cfi *cfi, const unsigned char *letter, struct bbp_bytes *data)
{
  enum { INDIRECT = 0x80 };
  for (; *letter && data->good; letter++)
    switch (*letter)
      {
      case 'R': cfi->encoding = (unsigned char) bbp_bytes_fixed (data, 1); break;
      case 'L': bbp_bytes_fixed (data, 1); break;
      case 'P':
        bbp_bytes_address (data, (unsigned) bbp_bytes_fixed (data, 1) & BBP_BYTES_FORMAT);
        break;
      case 'S': cfi->interrupted = true; break;
      case 'B': break;
      /* The data of further letters cannot be found, but the instructions can. */
      default: return;
      }
}

/* The common information entry (CIE), shared by many descriptions. */
static bool
read_cie (struct bbp_cfi *cfi, const unsigned char *at)
{
  struct bbp_bytes entry;
  if (!open_entry (cfi, at, &entry) || bbp_bytes_fixed (&entry, 4) != 0)
    return false;
  uint64_t version = bbp_bytes_fixed (&entry, 1);
  const unsigned char *letters = entry.next;
  while (entry.good && bbp_bytes_fixed (&entry, 1) != 0)
    ;
  cfi->code_unit = bbp_bytes_uleb (&entry);
  cfi->data_unit = bbp_bytes_sleb (&entry);
  uint64_t result = version == 1 ? bbp_bytes_fixed (&entry, 1) : bbp_bytes_uleb (&entry);
  if (!entry.good || (version != 1 && version != 3) || result >= BBP_ARCH_REGISTERS
      || (letters[0] && letters[0] != 'z'))
    return false;
  cfi->result = (unsigned char) result;
  cfi->lettered = letters[0];
  if (cfi->lettered)
    {
      struct bbp_bytes data = bbp_bytes_block (&entry);
      read_augmentation (cfi, letters + 1, &data);
    }
  cfi->first = entry.next;
  cfi->first_stop = entry.stop;
  return entry.good;
}

bool
bbp_cfi_read (struct bbp_cfi *cfi, const unsigned char *at)
{
  struct bbp_bytes entry;
  if (!open_entry (cfi, at, &entry))
    return false;
  const unsigned char *here = entry.next;
  uint64_t back = bbp_bytes_fixed (&entry, 4);
  if (back == 0 || back > (size_t) (here - cfi->low) || !read_cie (cfi, here - back))
    return false;
  cfi->start = bbp_bytes_address (&entry, cfi->encoding);
  cfi->end = cfi->start + bbp_bytes_address (&entry, cfi->encoding & BBP_BYTES_FORMAT);
  if (cfi->lettered)
    bbp_bytes_block (&entry);
  cfi->program = entry.next;
  cfi->program_stop = entry.stop;
  return entry.good;
}

bool
bbp_image_cfi (const struct bbp_image *image, uintptr_t address, struct bbp_cfi *cfi)
{
  const struct bbp_cfi_index *index = index_of (image);
  *cfi = (struct bbp_cfi) { 0 };
  if (!index || !bbp_image_segment (image, (uintptr_t) index, &cfi->low, &cfi->high))
    return false;
  const unsigned char *at
      = search (index, (size_t) (cfi->high - (const unsigned char *) index), address);
  if (!at
      || ((at < cfi->low || at >= cfi->high)
          && !bbp_image_segment (image, (uintptr_t) at, &cfi->low, &cfi->high)))
    return false;
  return bbp_cfi_read (cfi, at) && address - cfi->start < cfi->end - cfi->start;
}

bool
bbp_cfi_find_in (const void *start, uintptr_t address, struct bbp_cfi *cfi)
{
  const struct bbp_image image = bbp_image_at (start);
  return bbp_image_cfi (&image, address, cfi);
}
