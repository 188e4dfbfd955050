/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recover/live_read.h"

/* Reads from AT up to the next hole, or to the current end.  Returns the offset behind that; -1:
   see errno. */
static off_t
read_stretch (struct live_file *file, int fd, off_t at)
{
  off_t end = lseek (fd, at, SEEK_HOLE);
  if (end < 0 || end > (off_t) file->bytes)
    end = (off_t) file->bytes;
  while (at < end)
    {
      ssize_t n = pread (fd, file->data + at, (size_t) (end - at), at);
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      at += n;
    }
  return end;
}

#define NOT_LIVE "not a live file, which a program writes with BBPROF_OPTIONS=live=1"

/* Copies the file instead of mapping it.  A mapping would cause a signal if the file were
   truncated meanwhile, or if its holes had no room on a full disk. */
static bool
read_all (struct live_file *file, int fd, struct error *err)
{
  if (fstat (fd, &file->st) != 0)
    return error_set (err, file->name, ERROR_NO_OFFSET, "%s", strerror (errno));
  if (!S_ISREG (file->st.st_mode))
    return error_set (err, file->name, ERROR_NO_OFFSET, NOT_LIVE);
  file->bytes = (uint64_t) file->st.st_size & -(uint64_t) BBL_PAGE;
  if (file->bytes == 0)
    return true;
  file->data = mmap (NULL, file->bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (file->data == MAP_FAILED)
    {
      file->data = NULL;
      return error_set (err, file->name, ERROR_NO_OFFSET, "%s", strerror (errno));
    }
  for (off_t at = 0; at >= 0 && at < (off_t) file->bytes;)
    {
      at = lseek (fd, at, SEEK_DATA);
      if (at < 0 && errno == ENXIO)
        break;
      if (at >= 0)
        at = read_stretch (file, fd, at);
      if (at < 0)
        return error_set (err, file->name, ERROR_NO_OFFSET, "%s", strerror (errno));
    }
  return true;
}

/* The pid in the file's name, which ends with .PID.live or .PID.N.live; 0: none. */
static unsigned
number_of (const char *name)
{
  const char *slash = strrchr (name, '/'), *p = slash ? slash + 1 : name;
  unsigned pid = 0, n;
  int end = 0;
  for (; (p = strchr (p, '.')); p++)
    if (sscanf (p, ".%9u.live%n", &n, &end) == 1 && end && p[end] == '\0')
      return pid ? pid : n;
    else
      pid = sscanf (p, ".%9u%n", &n, &end) == 1 && p[end] == '.' ? n : 0, end = 0;
  return 0;
}

static bool
is_valid (const struct live_file *file, const struct bbl_slice *slice)
{
  uint64_t offset = (uint64_t) ((const char *) slice - file->data);
  return slice->magic == BBL_MAGIC && slice->offset == offset && slice->bytes % BBL_PAGE == 0
         && slice->bytes >= BBL_PAGE && slice->bytes <= file->bytes - offset
         && slice->content <= slice->bytes - sizeof *slice;
}

/* The head is made valid last, when there is something to recover. */
static bool
is_unfinished (const struct live_file *file)
{
  static const struct bbl_slice zeros;
  const struct bbl_slice *slice = (const struct bbl_slice *) file->data;
  if (file->bytes == 0)
    return file->st.st_size == 0;
  return slice->magic == 0
         && (slice->kind == BBL_HEAD || memcmp (slice, &zeros, sizeof zeros) == 0);
}

static bool
find_head (struct live_file *file, struct error *err)
{
  const struct bbl_slice *slice = (const struct bbl_slice *) file->data;
  const struct bbl_head *head = (const struct bbl_head *) (slice + 1);
  if (is_unfinished (file) && number_of (file->name))
    return true;
  if (file->bytes == 0 || slice->kind != BBL_HEAD || !is_valid (file, slice)
      || slice->content < sizeof head->version)
    return error_set (err, file->name, ERROR_NO_OFFSET, NOT_LIVE);
  if (head->version != BBL_VERSION)
    return error_set (err, file->name, sizeof *slice,
                      "unsupported version %u of a live file; this bbprof reads version %d",
                      head->version, BBL_VERSION);
  if (slice->content != sizeof *head || !memchr (head->profile, '\0', sizeof head->profile))
    return error_set (err, file->name, sizeof *slice, "damaged: description of the process");
  file->head = head;
  return true;
}

bool
live_open (struct live_file *file, const char *name, struct error *err)
{
  *file = (struct live_file) { .name = name };
  int fd = open (name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open the live file: %s",
                      strerror (errno));
  bool ok = read_all (file, fd, err) && find_head (file, err);
  close (fd);
  if (!ok)
    live_close (file);
  return ok;
}

void
live_close (struct live_file *file)
{
  if (file->data)
    munmap (file->data, file->bytes);
  file->data = NULL;
}

struct bbl_slice *
live_next (const struct live_file *file, const struct bbl_slice *slice)
{
  const struct bbl_slice *first = (const struct bbl_slice *) file->data;
  uint64_t offset = slice ? (uint64_t) ((const char *) slice - file->data) + slice->bytes : 0;
  for (; offset < file->bytes; offset += BBL_PAGE)
    {
      struct bbl_slice *next = (struct bbl_slice *) (file->data + offset);
      if (is_valid (file, next) && next->run == first->run)
        return next;
    }
  return NULL;
}

/* Fields 3 and 20 to 22 of /proc/PID/stat: state, number of threads, start time.  Field 2, in
   parentheses, may contain anything. */
static bool
read_stat (unsigned pid, char *state, long *threads, unsigned long long *born)
{
  char path[64], line[1024];
  snprintf (path, sizeof path, "/proc/%u/stat", pid);
  FILE *in = fopen (path, "re");
  if (!in)
    return false;
  size_t n = fread (line, 1, sizeof line - 1, in);
  fclose (in);
  line[n] = '\0';
  const char *end = strrchr (line, ')');
  return end
         && sscanf (
                end + 1,
                " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld %*s %llu",
                state, threads, born)
                == 3;
}

/* A process that has ended is listed until its parent waits for it.  A process is a zombie, too,
   when its first thread has ended and others run. */
bool
live_is_running (const struct live_file *file)
{
  unsigned pid = file->head ? file->head->pid : number_of (file->name);
  char state;
  long threads;
  unsigned long long born;
  if (!read_stat (pid, &state, &threads, &born))
    return access ("/proc/self/stat", F_OK) != 0 && (kill ((pid_t) pid, 0) == 0 || errno == EPERM);
  if (file->head && file->head->born && born != file->head->born)
    return false;
  return threads > 1 || (state != 'Z' && state != 'X');
}
