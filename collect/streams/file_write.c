/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zlib.h>

#include "collect/streams/file_write.h"
#include "include/bbprof-file.h"

/* Only a plain file that may be written is replaced, as for the profile itself: a folder, a
   device, a FIFO, a link and a write-protected file stay. */
static int
in_the_way (const char *path)
{
  struct stat st;
  if (lstat (path, &st) != 0)
    return 0;
  return S_ISREG (st.st_mode) && (st.st_mode & 0222) ? 0 : EACCES;
}

/* Makes a new file, so a process that reads or writes the old one is not disturbed. */
static int
make_file (const char *path)
{
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  errno = in_the_way (path);
  int fd = errno ? -1 : open (path, flags, 0666);
  if (fd < 0 && errno == EEXIST && unlink (path) == 0)
    fd = open (path, flags, 0666);
  return fd;
}

/* Writes all PARTS in order.  An errno, or 0. */
static int
write_parts (int fd, struct iovec *parts, int n)
{
  while (n > 0)
    {
      ssize_t done = writev (fd, parts, n);
      if (done < 0 && errno != EINTR)
        return errno;
      if (done == 0)
        return EIO;
      for (; n > 0 && done >= (ssize_t) parts->iov_len; parts++, n--)
        done -= (ssize_t) parts->iov_len;
      if (n > 0 && done > 0)
        {
          parts->iov_base = (char *) parts->iov_base + done;
          parts->iov_len -= (size_t) done;
        }
    }
  return 0;
}

/* If the parts do not fit (disk full, file size limit), cuts the file back to its last whole
   chunk. */
static void
add_parts (struct trace_out *out, struct iovec *parts, int n)
{
  uint64_t size = 0;
  for (int i = 0; i < n; i++)
    size += parts[i].iov_len;
  out->error = write_parts (out->fd, parts, n);
  if (out->error == 0)
    out->whole += size;
  else if (ftruncate (out->fd, (off_t) out->whole) != 0
           || lseek (out->fd, (off_t) out->whole, SEEK_SET) < 0)
    return; /* a torn tail, which readers ignore */
}

static void
add_chunk (struct trace_out *out, uint32_t type, const void *content, size_t n)
{
  static const char zeros[8];
  struct bbx_chunk chunk = { .type = type, .length = n };
  uLong crc = crc32_z (0, (const unsigned char *) &chunk.type, sizeof chunk.type);
  crc = crc32_z (crc, (const unsigned char *) &chunk.length, sizeof chunk.length);
  chunk.crc = (uint32_t) (n ? crc32_z (crc, content, n) : crc);
  struct iovec parts[]
      = { { &chunk, sizeof chunk }, { (void *) content, n }, { (void *) zeros, -n & 7 } };
  add_parts (out, parts, 3);
}

void
trace_out_open (struct trace_out *out, const char *path, const char *magic, uint32_t version,
                uint64_t run)
{
  struct bbx_header header = { .version = version, .bytes = sizeof header, .run = run };
  memcpy (header.magic, magic, sizeof header.magic);
  out->whole = 0;
  out->fd = make_file (path);
  out->error = out->fd < 0 ? errno : 0;
  if (!out->error)
    add_parts (out, &(struct iovec) { &header, sizeof header }, 1);
}

void
trace_out_chunk (struct trace_out *out, uint32_t type, const void *content, size_t n)
{
  if (!out->error)
    add_chunk (out, type, content, n);
}

void
trace_out_finish (struct trace_out *out, const struct bbx_loss *losses, size_t n)
{
  int error = out->error;
  if (out->fd < 0)
    return;
  if (out->whole > 0) /* else the file has no header */
    {
      add_chunk (out, BBX_TYPE_LOSSES, losses, n * sizeof *losses);
      trace_out_chunk (out, BBX_TYPE_END, "", 0);
    }
  if (close (out->fd) != 0 && !out->error)
    out->error = errno;
  out->fd = -1;
  if (error)
    out->error = error;
}
