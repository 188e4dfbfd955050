/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the program's file, and whether the loader will preload a library into it. */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "tools/program/library_note.h"
#include "tools/record/record.h"

enum { MOST_INTERPRETERS = 5 };

static bool
is_program (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISREG (st.st_mode) && access (path, X_OK) == 0;
}

/* Finds NAME in the folders of PATH; null: not found, errno is set.  Allocated for good. */
static const char *
search (const char *name)
{
  static char found[PATH_MAX];
  const char *folders = getenv ("PATH");
  if (strchr (name, '/'))
    return name;
  if (!folders)
    folders = "/bin:/usr/bin";
  int error = ENOENT;
  for (const char *end;; folders = end + 1)
    {
      end = strchrnul (folders, ':');
      int n = (int) (end - folders);
      if (snprintf (found, sizeof found, "%.*s%s%s", n, folders, n ? "/" : "", name)
          < (int) sizeof found)
        {
          if (is_program (found))
            return found;
          if (access (found, F_OK) == 0)
            error = EACCES;
        }
      if (!*end)
        break;
    }
  errno = error;
  return NULL;
}

/* Describes a file by its first bytes. */
struct opened {
  char bytes[4096];
  ssize_t n;
  int fd;
};

/* Null: it is dynamically linked, or contains the run-time library. */
static const char *
refuse_segments (const struct opened *file, const Elf64_Ehdr *header)
{
  bool interpreter = false, library = false;
  for (unsigned i = 0; i < header->e_phnum; i++)
    {
      Elf64_Phdr segment;
      char name[PATH_MAX] = "";
      if (pread (file->fd, &segment, sizeof segment, (off_t) (header->e_phoff + i * sizeof segment))
          != sizeof segment)
        return "it is damaged";
      if (segment.p_type == PT_NOTE)
        library |= library_note_in_segment (file->fd, &segment);
      if (segment.p_type != PT_INTERP)
        continue;
      interpreter = true;
      if (pread (file->fd, name, sizeof name - 1, (off_t) segment.p_offset) > 0
          && !strstr (name, "/ld-linux"))
        return "its loader is not that of the GNU C library";
    }
  return interpreter || library ? NULL
                                : "it is statically linked, and nothing can be preloaded (use "
                                  "--outside, or link it with libbbprof.a)";
}

static const char *
refuse_elf (const struct opened *file)
{
  Elf64_Ehdr header;
  if (file->n < (ssize_t) sizeof header)
    return "it is damaged";
  memcpy (&header, file->bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return "it is a 32-bit program";
  if (header.e_machine != HOST_ELF || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "it is for another processor";
  if (header.e_phentsize != sizeof (Elf64_Phdr))
    return "it is damaged";
  return refuse_segments (file, &header);
}

static const char *
refuse_rights (int fd)
{
  struct stat st;
  char capabilities[64];
  if (geteuid () == 0 || fstat (fd, &st) != 0)
    return NULL;
  if ((st.st_mode & S_ISUID) && st.st_uid != geteuid ())
    return "it is set-uid, and nothing can be preloaded";
  if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getegid ())
    return "it is set-gid, and nothing can be preloaded";
  if (fgetxattr (fd, "security.capability", capabilities, sizeof capabilities) > 0)
    return "it has capabilities, and nothing can be preloaded";
  return NULL;
}

/* The interpreter in a script's first line, or the shell; null: damaged. */
static const char *
find_interpreter (struct opened *file)
{
  if (file->n < 2 || memcmp (file->bytes, "#!", 2) != 0)
    return "/bin/sh";
  char *name = file->bytes + 2 + strspn (file->bytes + 2, " \t");
  name[strcspn (name, " \t\n")] = '\0';
  return *name ? name : NULL;
}

/* Null: the library can be preloaded, or the kernel will report why the program cannot be run.
   EXECUTED gets the path of the file that is executed: PATH, or the interpreter of a script. */
static const char *
refuse (const char *path, char *executed, size_t size)
{
  snprintf (executed, size, "%s", path);
  for (int i = 0; i < MOST_INTERPRETERS; i++)
    {
      struct opened file = { .fd = open (executed, O_RDONLY | O_CLOEXEC) };
      if (file.fd < 0)
        return NULL;
      file.n = read (file.fd, file.bytes, sizeof file.bytes - 1);
      bool elf = file.n >= SELFMAG && memcmp (file.bytes, ELFMAG, SELFMAG) == 0;
      const char *why = elf ? refuse_rights (file.fd) : NULL;
      if (elf && !why)
        why = refuse_elf (&file);
      close (file.fd);
      const char *interpreter = elf ? NULL : find_interpreter (&file);
      if (!interpreter)
        return why;
      snprintf (executed, size, "%s", interpreter);
    }
  return NULL;
}

static bool
is_folder (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISDIR (st.st_mode);
}

const char *
record_find_program (const char *name, bool outside, const char **executed, int *status,
                     struct error *err)
{
  static char file[PATH_MAX];
  const char *path = search (name);
  if (!path || access (path, F_OK) != 0)
    {
      bool found = path ? errno != ENOENT && errno != ENOTDIR : errno == EACCES;
      *status = found ? STATUS_NOT_EXECUTABLE : STATUS_NOT_FOUND;
      bool here = !found && !strchr (name, '/') && is_program (name);
      error_set (err, name, ERROR_NO_OFFSET, "%s%s%.100s",
                 found ? strerror (EACCES) : "no such program", here ? "; there is ./" : "",
                 here ? name : "");
      return NULL;
    }
  if (!is_program (path))
    {
      *status = STATUS_NOT_EXECUTABLE;
      error_set (err, name, ERROR_NO_OFFSET, "%s",
                 is_folder (path) ? "is a directory, not a program"
                                  : "may not be run (chmod +x makes a file executable)");
      return NULL;
    }
  const char *why = refuse (path, file, sizeof file);
  *executed = file;
  if (!why || outside)
    return path;
  *status = STATUS_USAGE;
  error_set (err, file, ERROR_NO_OFFSET, "cannot be sampled: %s", why);
  return NULL;
}
