/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds libraries that a program is linked with: the sanitizer's, which must be loaded before all
   others, including bbprof's; and MPI's. */
#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/record/record.h"

enum { MOST_SEGMENTS = 64, MOST_DYNAMIC = 512 };

struct program {
  int fd;
  unsigned nsegments;
  Elf64_Phdr segments[MOST_SEGMENTS];
  Elf64_Dyn dynamic[MOST_DYNAMIC];
  unsigned ndynamic;
};

static bool
read_all (int fd, void *to, size_t bytes, uint64_t offset)
{
  return pread (fd, to, bytes, (off_t) offset) == (ssize_t) bytes;
}

static bool
read_program (struct program *p)
{
  Elf64_Ehdr header;
  if (!read_all (p->fd, &header, sizeof header, 0) || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0
      || header.e_phnum > MOST_SEGMENTS
      || !read_all (p->fd, p->segments, header.e_phnum * sizeof *p->segments, header.e_phoff))
    return false;
  p->nsegments = header.e_phnum;
  for (unsigned i = 0; i < p->nsegments; i++)
    if (p->segments[i].p_type == PT_DYNAMIC)
      {
        uint64_t bytes = p->segments[i].p_filesz < sizeof p->dynamic ? p->segments[i].p_filesz
                                                                     : sizeof p->dynamic;
        p->ndynamic = (unsigned) (bytes / sizeof *p->dynamic);
        return read_all (p->fd, p->dynamic, p->ndynamic * sizeof *p->dynamic,
                         p->segments[i].p_offset);
      }
  return false;
}

/* File offset of what is linked at ADDRESS; 0: not in the file. */
static uint64_t
offset_of (const struct program *p, uint64_t address)
{
  for (unsigned i = 0; i < p->nsegments; i++)
    if (p->segments[i].p_type == PT_LOAD
        && address - p->segments[i].p_vaddr < p->segments[i].p_filesz)
      return address - p->segments[i].p_vaddr + p->segments[i].p_offset;
  return 0;
}

/* The library name of entry I; false: it has none, or a long one. */
static bool
needed_name (const struct program *p, unsigned i, uint64_t strings, char *name, size_t size)
{
  if (p->dynamic[i].d_tag != DT_NEEDED)
    return false;
  ssize_t n = pread (p->fd, name, size, (off_t) (strings + p->dynamic[i].d_un.d_val));
  return n > 0 && memchr (name, '\0', (size_t) n);
}

static bool
find_needed (const struct program *p, const char *begins, char *name, size_t size)
{
  uint64_t strings = 0;
  for (unsigned i = 0; i < p->ndynamic && p->dynamic[i].d_tag != DT_NULL; i++)
    if (p->dynamic[i].d_tag == DT_STRTAB)
      strings = offset_of (p, p->dynamic[i].d_un.d_ptr);
  for (unsigned i = 0; strings && i < p->ndynamic && p->dynamic[i].d_tag != DT_NULL; i++)
    if (needed_name (p, i, strings, name, size) && strncmp (name, begins, strlen (begins)) == 0)
      return true;
  return false;
}

/* The first library of FILE whose name begins so. */
static bool
needs (const char *file, const char *begins, char *name, size_t size)
{
  struct program *p = calloc (1, sizeof *p);
  if (!p)
    return false;
  p->fd = open (file, O_RDONLY | O_CLOEXEC);
  bool found = p->fd >= 0 && read_program (p) && find_needed (p, begins, name, size);
  if (p->fd >= 0)
    close (p->fd);
  free (p);
  return found;
}

const char *
record_needed_mpi (const char *file)
{
  static const struct {
    const char *begins, *mpi;
  } libraries[] = { { "libmpi.so.40", "openmpi" },   { "libmpi_mpifh.so.40", "openmpi" },
                    { "libmpi_usempi", "openmpi" },  { "libmpi.so.12", "mpich" },
                    { "libmpich.so.12", "mpich" },   { "libmpichfort.so.12", "mpich" },
                    { "libmpichcxx.so.12", "mpich" } };
  char name[64];
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (needs (file, libraries[i].begins, name, sizeof name))
      return libraries[i].mpi;
  return NULL;
}

const char *
record_preloads (const char *file, const char *library)
{
  char name[64], *both = NULL;
  bool found = needs (file, "libasan.so.", name, sizeof name);
  return found && asprintf (&both, "%s:%s", name, library) > 0 ? both : library;
}
