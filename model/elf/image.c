/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/elf/image.h"
#include "model/elf/pe.h"

/* Suppresses libbfd's messages about unusual files.  If the file is unusable, we print one line
   ourselves. */
static void
drop_message (const char *format, va_list args)
{
  (void) format;
  (void) args;
}

/* The machine in the ELF header: libbfd names only those that it was built for. */
static unsigned
elf_machine (const char *path)
{
  unsigned char header[20];
  FILE *file = fopen (path, "re");
  size_t n = file ? fread (header, 1, sizeof header, file) : 0;
  if (file)
    fclose (file);
  if (n < sizeof header || memcmp (header, ELFMAG, SELFMAG) != 0)
    return EM_NONE;
  return header[EI_DATA] == ELFDATA2MSB ? header[18] << 8 | header[19]
                                        : header[19] << 8 | header[18];
}

static void
find_machine (struct image *im)
{
  im->is_pe = bfd_get_flavour (im->bfd) == bfd_target_coff_flavour;
  switch (bfd_get_arch (im->bfd) == bfd_arch_i386 ? EM_X86_64 : elf_machine (im->path))
    {
    case EM_X86_64: im->machine = IMAGE_X86; break;
    case EM_AARCH64: im->machine = IMAGE_AARCH64; break;
    case EM_RISCV: im->machine = IMAGE_RISCV; break;
    default: im->machine = IMAGE_OTHER;
    }
  im->machine_name = bfd_printable_name (im->bfd);
  im->pointer_bytes = bfd_get_arch_size (im->bfd) == 32 ? 4 : 8;
  im->big_endian = bfd_big_endian (im->bfd);
}

static void
find_code (struct image *im)
{
  im->code_low = UINT64_MAX;
  im->code_high = 0;
  for (asection *s = im->bfd->sections; s; s = s->next)
    if ((bfd_section_flags (s) & SEC_CODE) && bfd_section_size (s) > 0)
      {
        uint64_t low = bfd_section_vma (s);
        uint64_t high = low + bfd_section_size (s);
        if (low < im->code_low)
          im->code_low = low;
        if (high > im->code_high)
          im->code_high = high;
      }
}

/* Has a local symbol of PE the type of a function?  libbfd does not say.  Labels of assembler code
   begin with a dot. */
static void
mark_local_functions (struct image *im)
{
  for (size_t i = 0; i < im->nraw; i++)
    {
      struct bfd_symbol *raw = im->raw[i];
      if ((raw->flags & BSF_LOCAL) && !(raw->flags & (BSF_SECTION_SYM | BSF_FILE | BSF_DEBUGGING))
          && (bfd_section_flags (bfd_asymbol_section (raw)) & SEC_CODE)
          && bfd_asymbol_name (raw)[0] != '.')
        raw->flags |= BSF_FUNCTION;
    }
}

/* If code does not begin at a page, the linker has put it into one segment with the constants. */
static void
find_end_of_segment (struct image *im)
{
  const flagword constant = SEC_ALLOC | SEC_READONLY;
  const uint64_t page = 4096;
  im->segment_high = im->code_high;
  for (asection *s = im->bfd->sections; s && im->code_low % page; s = s->next)
    if ((bfd_section_flags (s) & constant) == constant
        && bfd_section_vma (s) + bfd_section_size (s) > im->segment_high)
      im->segment_high = bfd_section_vma (s) + bfd_section_size (s);
}

bool
image_read_symbols (struct image *im, struct error *err)
{
  long bytes = bfd_get_symtab_upper_bound (im->bfd);
  if (bytes <= 0)
    return true;
  free (im->raw);
  im->raw = malloc ((size_t) bytes);
  if (!im->raw)
    return error_no_memory (err);
  long n = bfd_canonicalize_symtab (im->bfd, im->raw);
  im->nraw = n > 0 ? (size_t) n : 0;
  if (n <= 0)
    im->raw[0] = NULL; /* the end of the list */
  if (im->is_pe)
    mark_local_functions (im);
  return n >= 0
         || error_set (err, im->path, ERROR_NO_OFFSET, "damaged symbol table: %s",
                       bfd_errmsg (bfd_get_error ()));
}

bool
image_has_instructions (const struct image *im)
{
  return im->bfd && (bfd_section_flags (im->text) & SEC_HAS_CONTENTS);
}

void
image_read_stubs (struct image *im)
{
  long bytes = bfd_get_dynamic_symtab_upper_bound (im->bfd);
  im->dynamic = bytes > 0 ? malloc ((size_t) bytes) : NULL;
  long n = im->dynamic ? bfd_canonicalize_dynamic_symtab (im->bfd, im->dynamic) : 0;
  if (n > 0)
    n = bfd_get_synthetic_symtab (im->bfd, (long) im->nraw, im->raw, n, im->dynamic, &im->stubs);
  im->nstubs = n > 0 ? (size_t) n : 0;
}

bool
image_open (struct image *im, const char *path, struct error *err)
{
  struct stat st;
  struct pe_header header;
  memset (im, 0, sizeof *im);
  im->path = path;
  if (stat (path, &st) != 0)
    return error_set (err, path, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  if (S_ISDIR (st.st_mode))
    return error_set (err, path, ERROR_NO_OFFSET, "is a directory, not a program");
  if (!S_ISREG (st.st_mode))
    return error_set (err, path, ERROR_NO_OFFSET, "not a regular file, so not a program");

  bfd_init ();
  bfd_set_error_handler (drop_message);
  im->bfd = bfd_openr (path, NULL);
  if (!im->bfd)
    return error_set (err, path, ERROR_NO_OFFSET, "cannot open: %s",
                      bfd_get_error () == bfd_error_system_call ? strerror (errno)
                                                                : bfd_errmsg (bfd_get_error ()));
  im->bfd->flags |= BFD_DECOMPRESS;
  if (!bfd_check_format (im->bfd, bfd_object))
    return error_set (err, path, ERROR_NO_OFFSET, "not a program or object file");
  im->text = bfd_get_section_by_name (im->bfd, ".text");
  if (!im->text)
    return error_set (err, path, ERROR_NO_OFFSET, "has no section .text, so no code to report");
  find_machine (im);
  if (im->bfd->build_id)
    build_id_set (&im->build_id, im->bfd->build_id->data, im->bfd->build_id->size);
  else if (im->is_pe && pe_read_header (path, &header))
    build_id_set (&im->build_id, header.stamp, sizeof header.stamp);
  find_code (im);
  find_end_of_segment (im);
  return true;
}

static bool
begins_with (const char *path, const char *magic)
{
  char begin[4] = "";
  FILE *file = fopen (path, "re");
  size_t n = file ? fread (begin, 1, sizeof begin, file) : 0;
  if (file)
    fclose (file);
  return n >= strlen (magic) && memcmp (begin, magic, strlen (magic)) == 0;
}

bool
image_open_program (struct image *im, const char *path, struct error *err)
{
  if (access (path, R_OK) == 0)
    {
      if (image_open (im, path, err))
        return true;
      if (im->bfd && begins_with (path, "gmon"))
        error_set (err, path, ERROR_NO_OFFSET, "a profile, not a program: PROGRAM comes first");
      else if (im->bfd && begins_with (path, "#!"))
        error_set (err, path, ERROR_NO_OFFSET,
                   "a script, not a program: name the program that it runs");
      return false;
    }
  memset (im, 0, sizeof *im);
  return error_set (err, path, ERROR_NO_OFFSET, "cannot open the program: %s", strerror (errno));
}

void
image_close (struct image *im)
{
  free (im->raw);
  free (im->stubs);
  if (im->bfd)
    bfd_close (im->bfd);
  free (im->dynamic);
  memset (im, 0, sizeof *im);
}

bool
image_find (const struct image *im, const char *name, uint64_t *address)
{
  for (size_t i = 0; i < im->nraw; i++)
    if (strcmp (bfd_asymbol_name (im->raw[i]), name) == 0
        && !bfd_is_und_section (bfd_asymbol_section (im->raw[i])))
      {
        *address = bfd_asymbol_value (im->raw[i]);
        return true;
      }
  return false;
}

static unsigned char *
read_section (const struct image *im, asection *s, uint64_t *address, size_t *size)
{
  *size = 0;
  if (!s || !(bfd_section_flags (s) & SEC_HAS_CONTENTS))
    return NULL;
  bfd_byte *bytes = NULL;
  if (!bfd_malloc_and_get_section (im->bfd, s, &bytes))
    {
      free (bytes);
      return NULL;
    }
  *address = bfd_section_vma (s);
  *size = bfd_section_size (s);
  return bytes;
}

unsigned char *
image_section (const struct image *im, const char *name, uint64_t *address, size_t *size)
{
  return read_section (im, bfd_get_section_by_name (im->bfd, name), address, size);
}

unsigned char *
image_code (const struct image *im, uint64_t address, uint64_t *start, size_t *size)
{
  asection *s = im->bfd->sections;
  while (s
         && !((bfd_section_flags (s) & SEC_CODE)
              && address - bfd_section_vma (s) < bfd_section_size (s)))
    s = s->next;
  return read_section (im, s, start, size);
}
