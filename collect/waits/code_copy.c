/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the file that the process has mapped, not the process's memory, which may be changed by the
   process at any time. */
#include "config.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/waits/code_copy.h"

enum { MOST_BYTES = 64 << 20, MOST_SEGMENTS = 32 };

/* A line of /proc/PID/maps. */
struct mapping {
  uint64_t low, high, offset, inode;
  char path[4096];
};

static bool
next_mapping (FILE *in, struct mapping *m)
{
  char line[4400];
  m->path[0] = 0;
  return fgets (line, sizeof line, in)
         && sscanf (line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64 " %4095[^\n]",
                    &m->low, &m->high, &m->offset, &m->inode, m->path)
                >= 4;
}

/* The mapping of PC, and the address of its file's start; false: no file is mapped there. */
static bool
find_mapping (struct code *c, pid_t pid, uint64_t pc, struct mapping *m)
{
  char path[40];
  uint64_t inode = 0, start = 0;
  bool found = false;
  snprintf (path, sizeof path, "/proc/%d/maps", (int) pid);
  FILE *in = fopen (path, "re");
  while (in && !found && next_mapping (in, m))
    {
      if (m->inode && m->offset == 0)
        {
          inode = m->inode;
          start = m->low;
        }
      found = pc >= m->low && pc < m->high;
    }
  if (in)
    fclose (in);
  if (found)
    {
      c->low = m->low;
      c->high = m->high;
      c->start = start;
    }
  return found && m->inode && m->inode == inode;
}

/* Opens the file as the process sees it, if it still is the mapped one. */
static int
open_file (pid_t pid, const struct mapping *m)
{
  char path[4200];
  struct stat st;
  snprintf (path, sizeof path, "/proc/%d/root%s", (int) pid, m->path);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_ino == m->inode)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static bool
read_segments (struct code *c, int fd)
{
  Elf64_Ehdr head;
  Elf64_Phdr segments[MOST_SEGMENTS];
  if (pread (fd, &head, sizeof head, 0) != (ssize_t) sizeof head
      || memcmp (head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64
      || head.e_phentsize != sizeof *segments || head.e_phnum == 0 || head.e_phnum > MOST_SEGMENTS)
    return false;
  const size_t bytes = head.e_phnum * sizeof *segments;
  if (pread (fd, segments, bytes, (off_t) head.e_phoff) != (ssize_t) bytes)
    return false;
  uint64_t low = UINT64_MAX, high = 0;
  for (size_t i = 0; i < head.e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      {
        if (segments[i].p_vaddr > INT64_MAX - segments[i].p_memsz
            || segments[i].p_filesz > segments[i].p_memsz)
          return false;
        low = segments[i].p_vaddr < low ? segments[i].p_vaddr : low;
        high = segments[i].p_vaddr + segments[i].p_memsz > high
                   ? segments[i].p_vaddr + segments[i].p_memsz
                   : high;
      }
  low &= ~(uint64_t) 4095;
  if (low >= high || high - low > MOST_BYTES || head.e_phoff + bytes > high - low
      || !(c->copy = calloc (1, high - low)))
    return false;
  c->bytes = high - low;
  for (size_t i = 0; i < head.e_phnum; i++)
    if (segments[i].p_type == PT_LOAD
        && pread (fd, c->copy + (segments[i].p_vaddr - low), segments[i].p_filesz,
                  (off_t) segments[i].p_offset)
               != (ssize_t) segments[i].p_filesz)
      return false;
    else if (segments[i].p_type == PT_LOAD && (segments[i].p_flags & PF_X))
      {
        c->text = c->copy + (segments[i].p_vaddr - low);
        c->text_end = c->text + segments[i].p_filesz;
      }
  return c->text && memcmp (c->copy, &head, sizeof head) == 0
         && memcmp (c->copy + head.e_phoff, segments, bytes) == 0;
}

void
code_open (struct code *c, pid_t pid, uint64_t pc)
{
  struct mapping m;
  *c = (struct code) { .low = pc, .high = pc + 1 };
  int fd = find_mapping (c, pid, pc, &m) ? open_file (pid, &m) : -1;
  if (fd < 0)
    return;
  if (!read_segments (c, fd) || pc - c->start >= c->bytes || !code_name (c, fd))
    {
      free (c->copy);
      c->copy = NULL;
    }
  close (fd);
}

void
code_close (struct code *c)
{
  free (c->copy);
  free (c->ranges);
  *c = (struct code) { .low = 0 };
}
