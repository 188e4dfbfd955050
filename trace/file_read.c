/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the chunks: small ones are read, of groups of pieces the heads; where each group is is kept. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "array.h"
#include "group.h"
#include "pieces.h"

/* A chunk that claims to hold more is damaged. */
#define CONTENT_MOST (128UL << 20)

struct place {
  uint64_t offset, bytes; /* of the chunk's content */
};

struct pieces_file {
  int fd;
  uint64_t size, offset; /* of the file; of the next byte */
  uint64_t chunk;        /* offset of the header or chunk that is being read */
  struct bytes content;  /* of the chunk that is being read */
  struct place *groups;
  size_t ngroups, room_groups;
  size_t added; /* pieces; their order in the file */
  bool ended;
};

static bool
damaged (struct pieces *p, const char *what)
{
  return error_set (&p->why, p->name, p->file->chunk, "%s: what stands before it is used", what);
}

static bool
short_of_memory (struct pieces *p)
{
  return damaged (p, "out of memory");
}

static bool
read_at (int fd, void *to, size_t n, uint64_t offset)
{
  for (size_t done = 0; done < n;)
    {
      ssize_t part = pread (fd, (char *) to + done, n - done, (off_t) (offset + done));
      if (part < 0 && errno == EINTR)
        continue;
      if (part <= 0)
        return false;
      done += (size_t) part;
    }
  return true;
}

/* What the chunks hold: CONTENT of N bytes.  */

static bool
add_run (struct pieces *p, const unsigned char *content, size_t n)
{
  if (n <= sizeof p->about || content[n - 1] != '\0')
    return damaged (p, "damaged description of the process");
  memcpy (&p->about, content, sizeof p->about);
  const char *program = (const char *) content + sizeof p->about;
  free (p->program);
  p->program = NULL;
  if (*program && !(p->program = strdup (program)))
    return short_of_memory (p);
  return true;
}

static bool
take_object (struct pieces *p, struct pieces_object *o, const unsigned char *content, size_t n)
{
  if (n < sizeof o->fixed)
    return false;
  memcpy (&o->fixed, content, sizeof o->fixed);
  const unsigned char *data = content + sizeof o->fixed;
  uint64_t id = o->fixed.build_id_bytes, path = o->fixed.path_bytes;
  if (path == 0 || id + path > n - sizeof o->fixed || data[id + path - 1] != '\0' || o->fixed.start > o->fixed.end
      || o->fixed.number > p->nobjects)
    return false;
  build_id_set (&o->build_id, data, id);
  o->path = (char *) (data + id);
  return true;
}

/* A new one, or once more one that is known. */
static bool
add_object (struct pieces *p, const unsigned char *content, size_t n)
{
  struct pieces_object o;
  if (!take_object (p, &o, content, n))
    return damaged (p, "damaged description of an object");
  if (!array_grow (&p->objects, p->nobjects, &p->room_objects, sizeof *p->objects) || !(o.path = strdup (o.path)))
    return short_of_memory (p);
  if (o.fixed.number < p->nobjects)
    free (p->objects[o.fixed.number].path);
  else
    p->nobjects++;
  p->objects[o.fixed.number] = o;
  return true;
}

static bool
add_losses (struct pieces *p, const unsigned char *content, size_t n)
{
  if (n % sizeof *p->losses != 0)
    return damaged (p, "damaged list of losses");
  free (p->losses);
  p->nlosses = 0;
  if (!(p->losses = malloc (n + 1)))
    return short_of_memory (p);
  memcpy (p->losses, content, n);
  p->nlosses = n / sizeof *p->losses;
  for (size_t i = 0; i < p->nlosses; i++)
    p->losses[i].cause[sizeof p->losses[i].cause - 1] = '\0';
  return true;
}

/* Streams come in no order, but mostly the same one as before. */
static struct pieces_stream *
find_stream (struct pieces *p, uint32_t number)
{
  size_t from = 0, to = p->nstreams;
  while (from < to)
    {
      size_t middle = from + (to - from) / 2;
      if (p->streams[middle].number < number)
        from = middle + 1;
      else
        to = middle;
    }
  if (from < p->nstreams && p->streams[from].number == number)
    return &p->streams[from];
  if (!array_grow (&p->streams, p->nstreams, &p->room_streams, sizeof *p->streams))
    return NULL;
  memmove (&p->streams[from + 1], &p->streams[from], (p->nstreams++ - from) * sizeof *p->streams);
  p->streams[from] = (struct pieces_stream) { .number = number };
  return &p->streams[from];
}

/* In its place: nearly always the last one. */
static bool
add_entry (struct pieces_stream *s, const struct pieces_entry *e)
{
  if (!array_grow (&s->entries, s->nentries, &s->room, sizeof *s->entries))
    return false;
  size_t at = s->nentries;
  while (at > 0 && s->entries[at - 1].head.sequence > e->head.sequence)
    at--;
  if (at > 0 && s->entries[at - 1].head.sequence == e->head.sequence)
    at--; /* it was being filled at a dump: now there is more of it */
  else
    memmove (&s->entries[at + 1], &s->entries[at], (s->nentries++ - at) * sizeof *s->entries);
  s->entries[at] = *e;
  return true;
}

static bool
add_heads (struct pieces *p, const struct bbt_piece *heads, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      struct pieces_entry e = { .head = heads[i], .group = (uint32_t) p->file->ngroups, .index = (uint32_t) i };
      struct pieces_stream *s = find_stream (p, heads[i].stream);
      if (!s || !add_entry (s, &e))
        return false;
    }
  return true;
}

static bool
add_group (struct pieces *p, const unsigned char *content, size_t n)
{
  struct pieces_file *f = p->file;
  size_t pieces;
  struct bbt_piece *heads = group_read_heads (content, n, &pieces);
  if (!heads)
    return damaged (p, "damaged group of pieces");
  bool ok = add_heads (p, heads, pieces) && array_grow (&f->groups, f->ngroups, &f->room_groups, sizeof *f->groups);
  free (heads);
  if (!ok)
    return short_of_memory (p);
  f->groups[f->ngroups++] = (struct place) { f->chunk + sizeof (struct bbx_chunk), n };
  return true;
}

/* Chunks.  */

static bool
add_content (struct pieces *p, uint32_t type, const unsigned char *content, size_t n)
{
  p->file->ended = type == BBX_TYPE_END;
  switch (type)
    {
    case BBT_TYPE_RUN:
      return add_run (p, content, n);
    case BBT_TYPE_OBJECT:
      return add_object (p, content, n);
    case BBT_TYPE_PIECES:
      return add_group (p, content, n);
    case BBX_TYPE_LOSSES:
      return add_losses (p, content, n);
    default:
      return true;
    }
}

/* With the zeros behind it, which may be missing where the file was torn. */
static bool
read_chunk (struct pieces *p)
{
  struct pieces_file *f = p->file;
  struct bbx_chunk chunk;
  f->chunk = f->offset;
  if (f->size - f->offset < sizeof chunk || !read_at (f->fd, &chunk, sizeof chunk, f->offset))
    return damaged (p, "the file ends too early");
  if (chunk.length > CONTENT_MOST)
    return damaged (p, "damaged: more than a chunk can hold");
  size_t n = chunk.length, padded = (n + 7) & -8UL;
  f->content.size = 0;
  if (padded > f->size - f->offset - sizeof chunk)
    return damaged (p, "the file ends too early");
  if (!bytes_reserve (&f->content, padded + 1))
    return short_of_memory (p);
  if (!read_at (f->fd, f->content.data, padded, f->offset + sizeof chunk))
    return damaged (p, "the file cannot be read");
  uLong crc = crc32_z (0, (const unsigned char *) &chunk.type, sizeof chunk.type);
  crc = crc32_z (crc, (const unsigned char *) &chunk.length, sizeof chunk.length);
  if (crc32_z (crc, f->content.data, n) != chunk.crc)
    return damaged (p, "damaged: the checksum is wrong");
  f->offset += sizeof chunk + padded;
  return add_content (p, chunk.type, f->content.data, n);
}

static bool
refuse (struct pieces *p, const char *text, struct error *err)
{
  return error_set (err, p->name, ERROR_NO_OFFSET, "%s", text);
}

static bool
read_header (struct pieces *p, struct error *err)
{
  struct pieces_file *f = p->file;
  struct bbx_header header;
  if (f->size < sizeof header || !read_at (f->fd, &header, sizeof header, 0))
    return refuse (p, "not a trace: it ends inside its header", err);
  if (memcmp (header.magic, BBT_MAGIC, sizeof header.magic) != 0)
    return refuse (p, "not a trace", err);
  if (header.version != BBT_VERSION)
    return refuse (p, "the trace's version is unknown here", err);
  if (header.bytes < sizeof header || header.bytes % 8 != 0 || header.bytes > f->size)
    return refuse (p, "damaged header", err);
  p->run = header.run;
  f->offset = header.bytes;
  return true;
}

/* O_NONBLOCK: a pipe would wait for its writer. */
static bool
open_file (struct pieces *p, struct error *err)
{
  struct stat st;
  p->file->fd = open (p->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (p->file->fd < 0 || fstat (p->file->fd, &st) != 0)
    return refuse (p, strerror (errno), err);
  if (!S_ISREG (st.st_mode))
    return refuse (p, "not a trace", err);
  p->file->size = (uint64_t) st.st_size;
  return true;
}

bool
pieces_open (struct pieces *p, const char *name, struct error *err)
{
  *p = (struct pieces) { .name = name, .file = calloc (1, sizeof *p->file) };
  if (!p->file)
    return error_no_memory (err);
  if (!open_file (p, err) || !read_header (p, err))
    {
      pieces_close (p);
      return false;
    }
  bool ok = true;
  while (ok && !p->file->ended)
    ok = read_chunk (p);
  p->whole = ok;
  bytes_free (&p->file->content);
  return true;
}

void
pieces_close (struct pieces *p)
{
  for (size_t i = 0; i < p->nobjects; i++)
    free (p->objects[i].path);
  free (p->objects);
  for (size_t i = 0; i < p->nstreams; i++)
    free (p->streams[i].entries);
  free (p->streams);
  free (p->losses);
  free (p->program);
  if (p->file->fd >= 0)
    close (p->file->fd);
  free (p->file->groups);
  bytes_free (&p->file->content);
  free (p->file);
  *p = (struct pieces) { .name = NULL };
}

/* Loading.  */

struct pieces_loader {
  struct pieces *file;
  struct models models;
  size_t group; /* that is loaded; if HEADS is not null */
  struct bbt_piece *heads;
  struct piece *contents;
  size_t pieces;
  struct bytes memory;
};

struct pieces_loader *
pieces_loader_new (struct pieces *p)
{
  struct pieces_loader *l = calloc (1, sizeof *l);
  if (l)
    l->file = p;
  return l;
}

static void
forget_group (struct pieces_loader *l)
{
  free (l->heads);
  free (l->contents);
  l->heads = NULL;
  l->contents = NULL;
}

void
pieces_loader_free (struct pieces_loader *l)
{
  if (l)
    {
      forget_group (l);
      bytes_free (&l->memory);
    }
  free (l);
}

static bool
load_content (struct pieces_loader *l, const unsigned char *content, size_t n)
{
  l->heads = group_read_heads (content, n, &l->pieces);
  l->contents = calloc (l->pieces + 1, sizeof *l->contents);
  if (l->heads && l->contents && group_read (content, n, l->heads, l->pieces, &l->models, l->contents, &l->memory))
    return true;
  forget_group (l);
  return false;
}

static bool
load_group (struct pieces_loader *l, size_t group, struct error *err)
{
  const struct place *place = &l->file->file->groups[group];
  unsigned char *content = malloc (place->bytes);
  forget_group (l);
  if (!content)
    return error_no_memory (err);
  bool ok = read_at (l->file->file->fd, content, place->bytes, place->offset) && load_content (l, content, place->bytes);
  free (content);
  l->group = group;
  return ok || error_set (err, l->file->name, place->offset, "damaged group of pieces, or no memory for it");
}

bool
pieces_load (struct pieces_loader *l, const struct pieces_entry *e, struct piece *piece, struct error *err)
{
  if ((!l->heads || l->group != e->group) && !load_group (l, e->group, err))
    return false;
  if (e->index >= l->pieces)
    return error_set (err, l->file->name, ERROR_NO_OFFSET, "the file has changed meanwhile");
  *piece = l->contents[e->index];
  return true;
}
