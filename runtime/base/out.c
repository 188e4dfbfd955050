/* SPDX-License-Identifier: MIT */
/* Output files that appear complete or not at all: written under a temporary name in the same
   folder, then renamed.  The first error is kept; callers check it once, at the end.  Context:
   cold. */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

/* openat that never returns a descriptor 0 to 2, even if the program has closed those; else the
   program's output would go into the file.  The free ones are filled meanwhile with descriptors
   that can be neither read nor written, like closed ones. */
long
bbp_open_high (const char *path, int flags)
{
  long low[3], n = 0, fd;
  while ((fd = bbp_sys_openat (AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0)) >= 0 && fd < 3)
    low[n++] = fd;
  if (fd >= 0)
    {
      bbp_sys_close ((int) fd);
      fd = bbp_sys_openat (AT_FDCWD, path, flags, 0666);
    }
  while (n)
    bbp_sys_close ((int) low[--n]);
  return fd;
}

/* Not replaced are a folder, a device, a FIFO, a symbolic link, and a write-protected file. */
int
bbp_out_check_target (const char *path)
{
  struct stat st;
  if (bbp_sys_lstat (path, &st) != 0)
    return 0;
  return S_ISREG (st.st_mode) && (st.st_mode & 0222) ? 0 : EACCES;
}

/* Create the temporary file for PATH, named in OUT; returns a descriptor, or -errno. */
static long
make_temporary (const struct bbp_out *out, const char *path)
{
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  long fd = bbp_rights_lower () ? -bbp_out_check_target (path) : -EPERM;
  if (fd == 0)
    fd = bbp_open_high (out->temporary, flags);
  /* It is left from a killed process with the same pid. */
  if (fd == -EEXIST && bbp_sys_unlink (out->temporary) == 0)
    fd = bbp_open_high (out->temporary, flags);
  bbp_rights_restore ();
  return fd;
}

/* Write all, or as much as possible: *DONE.  A write beyond the size limit would raise a signal. */
int
bbp_out_append (int fd, const char *bytes, size_t n, uint64_t *done)
{
  struct rlimit limit;
  struct stat st;
  bool fits = bbp_sys_limit (RLIMIT_FSIZE, &limit) != 0 || bbp_sys_fstat (fd, &st) != 0
              || (uint64_t) st.st_size + n <= limit.rlim_cur;
  long result = fits ? 0 : -EFBIG;
  for (*done = 0; result >= 0 && *done<n; *done += result> 0 ? (uint64_t) result : 0)
    {
      result = bbp_sys_write (fd, bytes + *done, n - *done);
      if (result == 0 || result == -EINTR)
        result = result ? 0 : -EIO;
    }
  return result < 0 ? (int) result : 0;
}

bool
bbp_out_open (struct bbp_out *out, const char *path)
{
  out->used = out->written = 0;
  out->limit = UINT64_MAX;
  struct bbp_text name = { .buffer = out->temporary, .size = sizeof out->temporary };
  bbp_temporary_name (&name, path);
  struct rlimit limit;
  if (bbp_sys_limit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    out->limit = limit.rlim_cur;
  long fd = name.cut ? -ENAMETOOLONG : make_temporary (out, path);
  out->fd = fd < 0 ? -1 : (int) fd;
  out->error = fd < 0 ? (int) -fd : 0;
  return fd >= 0;
}

void
bbp_out_open_memory (struct bbp_out *out)
{
  out->fd = -1;
  out->limit = UINT64_MAX;
}

/* Write N bytes to the file; returns how many were written, or -errno. */
static long
write_to_file (struct bbp_out *out, const char *bytes, size_t n)
{
  long taken = bbp_sys_write (out->fd, bytes, n);
  return taken ? taken : -EIO;
}

static long
write_to_memory (struct bbp_out *out, const char *bytes, size_t n)
{
  if (out->written + n > out->memory_bytes)
    {
      size_t more = 2 * out->memory_bytes + sizeof out->buffer;
      char *memory = bbp_pages_map (more);
      if (!memory)
        return -ENOMEM;
      bbp_copy_bytes (memory, out->memory, out->written);
      bbp_pages_unmap (out->memory, out->memory_bytes);
      out->memory = memory;
      out->memory_bytes = more;
    }
  bbp_copy_bytes (out->memory + out->written, bytes, n);
  return (long) n;
}

static void
flush (struct bbp_out *out)
{
  size_t done = 0;
  if (!out->error && out->written + out->used > out->limit)
    out->error = EFBIG;
  while (!out->error && done < out->used)
    {
      const char *bytes = out->buffer + done;
      long n = (out->fd < 0 ? write_to_memory : write_to_file) (out, bytes, out->used - done);
      if (n > 0)
        done += n;
      else if (n != -EINTR)
        out->error = (int) -n;
    }
  out->written += done;
  out->used = 0;
}

void
bbp_out_bytes (struct bbp_out *out, const void *bytes, size_t n)
{
  const char *p = bytes;
  while (n)
    {
      size_t room = sizeof out->buffer - out->used, part = n < room ? n : room;
      bbp_copy_bytes (out->buffer + out->used, p, part);
      out->used += part;
      p += part;
      n -= part;
      if (out->used == sizeof out->buffer)
        flush (out);
    }
}

/* Long ranges become holes, which cost no writes and no disk space.  The last byte is written,
   because a file cannot end with a hole. */
void
bbp_out_zeros (struct bbp_out *out, size_t n)
{
  static const char zeros[1024];
  if (n > 2 * sizeof out->buffer && out->fd >= 0)
    {
      flush (out);
      long result = out->error ? 0 : bbp_sys_skip (out->fd, n - 1);
      if (result < 0)
        out->error = (int) -result;
      out->written += n - 1;
      n = 1;
    }
  for (; n > sizeof zeros; n -= sizeof zeros)
    bbp_out_bytes (out, zeros, sizeof zeros);
  bbp_out_bytes (out, zeros, n);
}

bool
bbp_out_close_memory (struct bbp_out *out)
{
  flush (out);
  return !out->error;
}

void
bbp_out_discard (struct bbp_out *out)
{
  bbp_rights_lower ();
  bbp_sys_unlink (out->temporary);
  bbp_rights_restore ();
}

bool
bbp_out_finish (struct bbp_out *out)
{
  flush (out);
  long result = bbp_sys_close (out->fd);
  if (result < 0 && result != -EINTR && !out->error)
    out->error = (int) -result;
  if (out->error)
    bbp_out_discard (out);
  return !out->error;
}

/* Where PATH exists, exchanges the two files and removes the old one.  A rename would do the same,
   but then ext4 writes the new file to the disk at once, and the next run, which removes it, waits
   for that.  Not every file system can exchange. */
static long
replace (const char *temporary, const char *path)
{
  if (bbp_sys_exchange (temporary, path) < 0)
    return bbp_sys_rename (temporary, path);
  if (bbp_sys_unlink (temporary) == 0)
    return 0;
  /* A folder has come to be there, or the process may not remove files. */
  bbp_sys_exchange (temporary, path);
  return bbp_sys_rename (temporary, path);
}

bool
bbp_out_rename (struct bbp_out *out, const char *path)
{
  long result = bbp_rights_lower () ? replace (out->temporary, path) : -EPERM;
  bbp_rights_restore ();
  if (result < 0)
    {
      out->error = (int) -result;
      bbp_out_discard (out);
    }
  return !out->error;
}
