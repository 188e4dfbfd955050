/* SPDX-License-Identifier: MIT */
/* The call frame information of the code at an address: the loader says which object is there, without locks; the linker's index
   in the object (.eh_frame_hdr) leads to the code's description (.eh_frame).  Nothing that these say is believed further than
   their segment.  Context: signal, but as said. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "unwinding.h"

/* Not there before glibc 2.35, nor in a static program. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));
static int (*find_object) (void *, struct dl_find_object *);

/* Where program headers tell what is in memory. */
struct image {
  const ElfW (Phdr) *segment;
  size_t n;
  uintptr_t bias;
};

/* What is known without the loader, as in a static program: the executable, and the kernel's own code.  Writer: the start. */
static struct image executable, vdso;
static uintptr_t loader_base;

/* PT_GNU_EH_FRAME, as all linkers write it: the encodings say so. */
struct index {
  uint8_t version, frames, number, table; /* 1, any, 4 bytes, pairs of 4 bytes relative to this */
  int32_t frames_at;
  uint32_t n;
  struct {
    int32_t start, frame;
  } item[];
};
enum { FOUR_BYTES = 0x03, PAIRS_FROM_HERE = 0x3b };

/* The object that begins at START; no segments: it has no head there. */
static struct image
image_at (const void *start)
{
  const ElfW (Ehdr) *file = start;
  uintptr_t first = (uintptr_t) start;
  const unsigned char *magic = file->e_ident;
  if (magic[0] != ELFMAG0 || magic[1] != ELFMAG1 || magic[2] != ELFMAG2 || magic[3] != ELFMAG3)
    return (struct image) { 0 };
  struct image image = { (const ElfW (Phdr) *) (first + file->e_phoff), file->e_phnum, 0 };
  for (size_t i = 0; i < image.n; i++)
    if (image.segment[i].p_type == PT_LOAD)
      {
        image.bias = first - (image.segment[i].p_vaddr & -(uintptr_t) BBP_PAGE_BYTES);
        break;
      }
  return image;
}

void
bbp_cfi_start (void)
{
  find_object = _dl_find_object;
  executable = (struct image) { (const ElfW (Phdr) *) getauxval (AT_PHDR), getauxval (AT_PHNUM), 0 };
  executable.bias = bbp_object_executable ()->bias;
  for (size_t i = 0; i < executable.n; i++)
    if (executable.segment[i].p_type == PT_PHDR)
      executable.bias = (uintptr_t) executable.segment - executable.segment[i].p_vaddr;
  const void *kernels = (const void *) getauxval (AT_SYSINFO_EHDR);
  if (kernels)
    vdso = image_at (kernels);
  loader_base = getauxval (AT_BASE);
}

/* The segment of IMAGE that is to be read and holds ADDRESS; false: none. */
static bool
segment_at (const struct image *image, uintptr_t address, const unsigned char **low, const unsigned char **high)
{
  for (const ElfW (Phdr) *segment = image->segment; segment < image->segment + image->n; segment++)
    if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R) && address - image->bias - segment->p_vaddr < segment->p_filesz)
      {
        *low = (const unsigned char *) (segment->p_vaddr + image->bias);
        *high = *low + segment->p_filesz;
        return true;
      }
  return false;
}

static bool
holds (const struct image *image, uintptr_t address)
{
  const unsigned char *low, *high;
  return segment_at (image, address, &low, &high);
}

/* Where IMAGE has its index; null: it has none. */
static const struct index *
index_of (const struct image *image)
{
  for (const ElfW (Phdr) *segment = image->segment; segment < image->segment + image->n; segment++)
    if (segment->p_type == PT_GNU_EH_FRAME)
      return (const struct index *) (segment->p_vaddr + image->bias);
  return NULL;
}

/* The object at ADDRESS; false: nobody's. */
static bool
find_image (uintptr_t address, struct image *image)
{
  struct dl_find_object at;
  if (!find_object || find_object ((void *) address, &at) != 0)
    {
      *image = holds (&vdso, address) ? vdso : executable;
      return holds (image, address);
    }
  *image = image_at (at.dlfo_map_start);
  if (image->n == 0 && holds (&executable, address))
    *image = executable;
  return true;
}

bool
bbp_cfi_is_loader (uintptr_t address)
{
  struct dl_find_object at;
  return find_object && loader_base && find_object ((void *) address, &at) == 0
         && (uintptr_t) at.dlfo_map_start == loader_base;
}

/* The description that the index leads to; null: none begins before ADDRESS. */
static const unsigned char *
search (const struct index *index, size_t room, uintptr_t address)
{
  bool known = room >= sizeof *index && index->version == 1 && index->number == FOUR_BYTES && index->table == PAIRS_FROM_HERE
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

/* One entry of .eh_frame, behind its length; false: it goes beyond the segment. */
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

/* What a head's letters say, behind the z: DATA. */
static void
take_letters (struct bbp_cfi *cfi, const unsigned char *letter, struct bbp_bytes *data)
{
  enum { INDIRECT = 0x80 };
  for (; *letter && data->good; letter++)
    switch (*letter)
      {
      case 'R': cfi->encoding = (unsigned char) bbp_bytes_fixed (data, 1); break;
      case 'L': bbp_bytes_fixed (data, 1); break;
      case 'P': bbp_bytes_address (data, (unsigned) bbp_bytes_fixed (data, 1) & BBP_BYTES_FORMAT); break;
      case 'S': cfi->interrupted = true; break;
      case 'B': break;
      default: return; /* what is behind it has no place of its own: the instructions are found all the same */
      }
}

/* The head that descriptions of much code have in common. */
static bool
take_head (struct bbp_cfi *cfi, const unsigned char *at)
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
  if (!entry.good || (version != 1 && version != 3) || result >= BBP_ARCH_REGISTERS || (letters[0] && letters[0] != 'z'))
    return false;
  cfi->result = (unsigned char) result;
  cfi->lettered = letters[0];
  if (cfi->lettered)
    {
      struct bbp_bytes data = bbp_bytes_block (&entry);
      take_letters (cfi, letters + 1, &data);
    }
  cfi->first = entry.next;
  cfi->first_stop = entry.stop;
  return entry.good;
}

/* The description of code that lies at AT. */
static bool
take_description (struct bbp_cfi *cfi, const unsigned char *at)
{
  struct bbp_bytes entry;
  if (!open_entry (cfi, at, &entry))
    return false;
  const unsigned char *here = entry.next;
  uint64_t back = bbp_bytes_fixed (&entry, 4);
  if (back == 0 || back > (size_t) (here - cfi->low) || !take_head (cfi, here - back))
    return false;
  cfi->start = bbp_bytes_address (&entry, cfi->encoding);
  cfi->end = cfi->start + bbp_bytes_address (&entry, cfi->encoding & BBP_BYTES_FORMAT);
  if (cfi->lettered)
    bbp_bytes_block (&entry);
  cfi->program = entry.next;
  cfi->program_stop = entry.stop;
  return entry.good;
}

static bool
find_in (const struct image *image, uintptr_t address, struct bbp_cfi *cfi)
{
  const struct index *index = index_of (image);
  *cfi = (struct bbp_cfi) { 0 };
  if (!index || !segment_at (image, (uintptr_t) index, &cfi->low, &cfi->high))
    return false;
  const unsigned char *at = search (index, (size_t) (cfi->high - (const unsigned char *) index), address);
  if (!at || ((at < cfi->low || at >= cfi->high) && !segment_at (image, (uintptr_t) at, &cfi->low, &cfi->high)))
    return false;
  return take_description (cfi, at) && address - cfi->start < cfi->end - cfi->start;
}

bool
bbp_cfi_find_in (const void *start, uintptr_t address, struct bbp_cfi *cfi)
{
  const struct image image = image_at (start);
  return find_in (&image, address, cfi);
}

enum bbp_cfi_found
bbp_cfi_find (uintptr_t address, struct bbp_cfi *cfi)
{
  struct image image;
  if (!find_image (address, &image))
    return BBP_CFI_NOBODYS;
  return find_in (&image, address, cfi) ? BBP_CFI_THERE : BBP_CFI_NONE;
}
