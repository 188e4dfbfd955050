/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "collect/streams/chunks.h"

/* A chunk that claims a longer content is damaged. */
#define CONTENT_MOST (128UL << 20)

bool
chunks_damaged (const struct chunks *c, const char *what, struct error *why)
{
  return error_set (why, c->name, c->chunk, "%s: using the data before it", what);
}

bool
chunks_read_at (const struct chunks *c, void *to, size_t n, uint64_t offset)
{
  for (size_t done = 0; done < n;)
    {
      ssize_t part = pread (c->fd, (char *) to + done, n - done, (off_t) (offset + done));
      if (part < 0 && errno == EINTR)
        continue;
      if (part <= 0)
        return false;
      done += (size_t) part;
    }
  return true;
}

/* Always false. */
static bool
is_torn (struct chunks *c, struct error *why)
{
  c->torn = true;
  return chunks_damaged (c, "the file ends too early", why);
}

/* Reads the padding, too, which a torn tail may lack. */
bool
chunks_next (struct chunks *c, struct bbx_chunk *chunk, struct error *why)
{
  c->chunk = c->offset;
  if (c->size - c->offset < sizeof *chunk || !chunks_read_at (c, chunk, sizeof *chunk, c->offset))
    return is_torn (c, why);
  if (chunk->length > CONTENT_MOST)
    return chunks_damaged (c, "damaged: chunk too long", why);
  size_t n = chunk->length, padded = (n + 7) & -8UL;
  c->content.size = 0;
  if (padded > c->size - c->offset - sizeof *chunk)
    return is_torn (c, why);
  if (!bytes_reserve (&c->content, padded + 1))
    return chunks_damaged (c, "out of memory", why);
  if (!chunks_read_at (c, c->content.data, padded, c->offset + sizeof *chunk))
    return chunks_damaged (c, "the file cannot be read", why);
  c->content.size = n;
  uLong crc = crc32_z (0, (const unsigned char *) &chunk->type, sizeof chunk->type);
  crc = crc32_z (crc, (const unsigned char *) &chunk->length, sizeof chunk->length);
  if (crc32_z (crc, c->content.data, n) != chunk->crc)
    return chunks_damaged (c, "damaged: wrong checksum", why);
  c->offset += sizeof *chunk + padded;
  return true;
}

static bool
read_header (struct chunks *c, const char *what, const char *magic, uint32_t version,
             struct error *err)
{
  struct bbx_header *header = &c->header;
  const uint64_t size = c->size - c->offset;
  if (size < sizeof *header || !chunks_read_at (c, header, sizeof *header, c->offset))
    return error_set (err, c->name, ERROR_NO_OFFSET, "not a %s: shorter than a header", what);
  if (memcmp (header->magic, magic, sizeof header->magic) != 0)
    return error_set (err, c->name, ERROR_NO_OFFSET, "not a %s", what);
  if (header->version == 0 || header->version > version)
    return error_set (err, c->name, ERROR_NO_OFFSET,
                      "version %" PRIu32 " of a %s; this bbprof reads version %" PRIu32,
                      header->version, what, version);
  if (header->bytes < sizeof *header || header->bytes % 8 != 0 || header->bytes > size)
    return error_set (err, c->name, ERROR_NO_OFFSET, "damaged header");
  c->offset += header->bytes;
  return true;
}

/* O_NONBLOCK: opening a FIFO would wait for its writer. */
static bool
open_file (struct chunks *c, const char *name, const char *what, struct error *err)
{
  struct stat st;
  *c = (struct chunks) { .name = name, .fd = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
  if (c->fd < 0 || fstat (c->fd, &st) != 0)
    return error_set (err, name, ERROR_NO_OFFSET, "%s", strerror (errno));
  if (!S_ISREG (st.st_mode))
    return error_set (err, name, ERROR_NO_OFFSET, "not a %s", what);
  c->size = (uint64_t) st.st_size;
  return true;
}

bool
chunks_open (struct chunks *c, const char *name, const char *what, const char *magic,
             uint32_t version, struct error *err)
{
  return open_file (c, name, what, err) && read_header (c, what, magic, version, err);
}

/* Narrows C to the content of the next chunk of TYPE.  Its checksum is not checked, because the
   file in it has checksums of its own. */
static bool
enter_chunk (struct chunks *c, uint32_t type)
{
  struct bbx_chunk chunk;
  for (;; c->offset += (chunk.length + 7) & -8UL)
    {
      if (c->size - c->offset < sizeof chunk || !chunks_read_at (c, &chunk, sizeof chunk, c->offset)
          || chunk.type == BBX_TYPE_END)
        return false;
      c->offset += sizeof chunk;
      if (chunk.length > c->size - c->offset
          || -chunk.length % 8 > c->size - c->offset - chunk.length)
        return false;
      if (chunk.type == type)
        break;
    }
  c->size = c->offset + chunk.length;
  return true;
}

bool
chunks_open_inside (struct chunks *c, const char *name, uint32_t type, const char *what,
                    const char *magic, uint32_t version, struct error *err)
{
  return open_file (c, name, what, err)
         && read_header (c, "sidecar of a profile", BBX_MAGIC, BBX_VERSION, err)
         && (enter_chunk (c, type)
             || error_set (err, name, ERROR_NO_OFFSET, "no %s is in it", what))
         && read_header (c, what, magic, version, err);
}

void
chunks_close (struct chunks *c)
{
  if (c->fd >= 0)
    close (c->fd);
  c->fd = -1;
  bytes_free (&c->content);
}

bool
chunks_losses (const struct chunks *c, struct bbx_loss **losses, size_t *n, struct error *why)
{
  if (c->content.size % sizeof **losses != 0)
    return chunks_damaged (c, "damaged list of losses", why);
  free (*losses);
  *n = 0;
  if (!(*losses = malloc (c->content.size + 1)))
    return chunks_damaged (c, "out of memory", why);
  *n = c->content.size / sizeof **losses;
  memcpy (*losses, c->content.data, c->content.size);
  for (size_t i = 0; i < *n; i++)
    (*losses)[i].cause[sizeof (*losses)[i].cause - 1] = '\0';
  return true;
}
