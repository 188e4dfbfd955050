/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "library_note.h"

enum { MOST_NOTES = 4096, MOST_SEGMENTS = 64 };

static const char owner[] = "bbprof";

bool
library_note_in_segment (int fd, const Elf64_Phdr *segment)
{
  char notes[MOST_NOTES];
  size_t bytes = segment->p_filesz < sizeof notes ? segment->p_filesz : sizeof notes;
  ssize_t n = pread (fd, notes, bytes, (off_t) segment->p_offset);
  return n > 0 && memmem (notes, (size_t) n, owner, sizeof owner);
}

static bool
has_note (int fd)
{
  Elf64_Ehdr header;
  if (pread (fd, &header, sizeof header, 0) != sizeof header || memcmp (header.e_ident, ELFMAG, SELFMAG) != 0
      || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof (Elf64_Phdr))
    return false;
  for (unsigned i = 0; i < header.e_phnum && i < MOST_SEGMENTS; i++)
    {
      Elf64_Phdr segment;
      if (pread (fd, &segment, sizeof segment, (off_t) (header.e_phoff + i * sizeof segment)) != sizeof segment)
        return false;
      if (segment.p_type == PT_NOTE && library_note_in_segment (fd, &segment))
        return true;
    }
  return false;
}

static bool
file_has_note (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool found = fd >= 0 && has_note (fd);
  if (fd >= 0)
    close (fd);
  return found;
}

/* LINE of /proc/PID/maps: the file that is mapped, which the process may see in another place than this one, and which may have no name
   any more. */
static bool
mapping_has_note (pid_t pid, char *line)
{
  char range[64], access[8], path[PATH_MAX];
  int name = 0;
  line[strcspn (line, "\n")] = '\0';
  if (sscanf (line, "%63s %7s %*s %*s %*s %n", range, access, &name) < 2 || !name || line[name] != '/' || access[2] != 'x')
    return false;
  snprintf (path, sizeof path, "/proc/%ld/map_files/%s", (long) pid, range);
  if (file_has_note (path))
    return true;
  return snprintf (path, sizeof path, "/proc/%ld/root%s", (long) pid, line + name) < (int) sizeof path && file_has_note (path);
}

enum library_presence
library_in_process (pid_t pid, pid_t thread)
{
  char path[64], line[PATH_MAX + 128];
  bool found = false;
  snprintf (path, sizeof path, "/proc/%ld/task/%ld/exe", (long) pid, (long) thread);
  if (file_has_note (path))
    return LIBRARY_PRESENT;
  snprintf (path, sizeof path, "/proc/%ld/task/%ld/maps", (long) pid, (long) thread);
  FILE *maps = fopen (path, "re");
  if (!maps)
    return LIBRARY_UNKNOWN;
  while (!found && fgets (line, sizeof line, maps))
    found = mapping_has_note (pid, line);
  fclose (maps);
  return found ? LIBRARY_PRESENT : LIBRARY_ABSENT;
}
