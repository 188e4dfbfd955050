/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "include/bbprof-control.h"
#include "tools/program/library_note.h"

enum { MOST_NOTES = 4096, MOST_SEGMENTS = 64 };

/* The notes of a file, at link-time addresses. */
struct notes {
  char bytes[MOST_NOTES];
  size_t n;
  unsigned long address;
};

static void
read_notes (int fd, const Elf64_Phdr *segment, struct notes *notes)
{
  size_t bytes = segment->p_filesz < sizeof notes->bytes ? segment->p_filesz : sizeof notes->bytes;
  ssize_t n = pread (fd, notes->bytes, bytes, (off_t) segment->p_offset);
  notes->n = n > 0 ? (size_t) n : 0;
  notes->address = segment->p_vaddr;
}

static bool
has_note (const struct notes *notes)
{
  return memmem (notes->bytes, notes->n, BBC_NOTE_NAME, sizeof BBC_NOTE_NAME);
}

bool
library_note_in_segment (int fd, const Elf64_Phdr *segment)
{
  struct notes notes;
  read_notes (fd, segment, &notes);
  return has_note (&notes);
}

/* Link-time address of the page that shows whether the library takes commands; 0: not in NOTES. */
static unsigned long
find_page (const struct notes *notes)
{
  static const struct {
    Elf64_Nhdr head;
    char name[(sizeof BBC_NOTE_NAME + 3) / 4 * 4];
  } wanted = { { sizeof BBC_NOTE_NAME, sizeof (int32_t), BBC_NOTE_TYPE }, BBC_NOTE_NAME };
  int32_t distance;
  const char *note = memmem (notes->bytes, notes->n, &wanted, sizeof wanted);
  if (!note || (size_t) (notes->bytes + notes->n - note) < sizeof wanted + sizeof distance)
    return 0;
  memcpy (&distance, note + sizeof wanted, sizeof distance);
  return notes->address + (unsigned long) (note - notes->bytes) + sizeof wanted
         + (unsigned long) distance;
}

/* One line of /proc/PID/maps. */
struct mapping {
  unsigned long start, end, offset; /* in the file */
  char access[8];
  const char *name; /* file name; "": anonymous */
};

static bool
parse_mapping (char *line, struct mapping *mapping)
{
  int name = 0;
  line[strcspn (line, "\n")] = '\0';
  if (sscanf (line, "%lx-%lx %7s %lx %*s %*s %n", &mapping->start, &mapping->end, mapping->access,
              &mapping->offset, &name)
      < 4)
    return false;
  mapping->name = name && line[name] == '/' ? line + name : "";
  return true;
}

/* The library in a mapped file, as the notes of the file describe it. */
struct carrier {
  bool has_note;
  unsigned long page; /* run-time address of the page; 0: unknown */
};

/* FD: the file of MAPPING, which maps code. */
static void
read_carrier (int fd, const struct mapping *mapping, struct carrier *carrier)
{
  Elf64_Ehdr header;
  unsigned long page = 0, moved = 0;
  bool placed = false;
  if (pread (fd, &header, sizeof header, 0) != sizeof header
      || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64
      || header.e_phentsize != sizeof (Elf64_Phdr))
    return;
  for (unsigned i = 0; i < header.e_phnum && i < MOST_SEGMENTS; i++)
    {
      Elf64_Phdr segment;
      struct notes notes;
      if (pread (fd, &segment, sizeof segment, (off_t) (header.e_phoff + i * sizeof segment))
          != sizeof segment)
        return;
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X)
          && segment.p_offset - mapping->offset < BBC_PAGE_BYTES)
        {
          moved = mapping->start + (segment.p_offset - mapping->offset) - segment.p_vaddr;
          placed = true;
        }
      if (segment.p_type != PT_NOTE)
        continue;
      read_notes (fd, &segment, &notes);
      carrier->has_note |= has_note (&notes);
      page = page ? page : find_page (&notes);
    }
  carrier->page = page && placed ? page + moved : 0;
}

static bool
read_carrier_file (const char *path, const struct mapping *mapping, struct carrier *carrier)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0)
    {
      read_carrier (fd, mapping, carrier);
      close (fd);
    }
  return carrier->has_note;
}

/* Tries several paths: the process may see another root, and the file may have been unlinked. */
static struct carrier
find_carrier (pid_t pid, pid_t thread, const struct mapping *mapping)
{
  char path[PATH_MAX], executable[PATH_MAX];
  struct carrier carrier = { 0 };
  snprintf (path, sizeof path, "/proc/%ld/map_files/%lx-%lx", (long) pid, mapping->start,
            mapping->end);
  if (read_carrier_file (path, mapping, &carrier))
    return carrier;
  snprintf (path, sizeof path, "/proc/%ld/task/%ld/exe", (long) pid, (long) thread);
  ssize_t n = readlink (path, executable, sizeof executable - 1);
  executable[n > 0 ? n : 0] = '\0';
  if (strcmp (executable, mapping->name) == 0 && read_carrier_file (path, mapping, &carrier))
    return carrier;
  if (snprintf (path, sizeof path, "/proc/%ld/root%s", (long) pid, mapping->name)
      < (int) sizeof path)
    read_carrier_file (path, mapping, &carrier);
  return carrier;
}

static FILE *
open_maps (pid_t pid, pid_t thread)
{
  char path[64];
  snprintf (path, sizeof path, "/proc/%ld/task/%ld/maps", (long) pid, (long) thread);
  return fopen (path, "re");
}

static bool
is_read_only (pid_t pid, pid_t thread, unsigned long page)
{
  char line[PATH_MAX + 128];
  struct mapping mapping;
  bool found = false;
  FILE *maps = open_maps (pid, thread);
  while (maps && !found && fgets (line, sizeof line, maps))
    found = parse_mapping (line, &mapping) && mapping.start <= page && page < mapping.end
            && strncmp (mapping.access, "r--", 3) == 0;
  if (maps)
    fclose (maps);
  return found;
}

enum library_presence
library_in_process (pid_t pid, pid_t thread)
{
  char line[PATH_MAX + 128];
  struct mapping mapping;
  enum library_presence presence = LIBRARY_ABSENT;
  FILE *maps = open_maps (pid, thread);
  if (!maps)
    return LIBRARY_UNKNOWN;
  while (presence != LIBRARY_LISTENS && fgets (line, sizeof line, maps))
    {
      if (!parse_mapping (line, &mapping) || !*mapping.name || mapping.access[2] != 'x')
        continue;
      struct carrier carrier = find_carrier (pid, thread, &mapping);
      if (carrier.page && is_read_only (pid, thread, carrier.page))
        presence = LIBRARY_LISTENS;
      else if (carrier.has_note)
        presence = LIBRARY_DEAF;
    }
  fclose (maps);
  return presence;
}
