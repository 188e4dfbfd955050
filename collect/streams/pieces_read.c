/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over the chunks reads the small ones and the heads of groups of pieces, and keeps
   where each group is. */
#include <stdlib.h>
#include <string.h>

#include "collect/streams/chunks.h"
#include "collect/streams/group.h"
#include "collect/streams/pieces_read.h"
#include "common/array.h"

struct place {
  uint64_t offset, bytes; /* of the chunk's content: bytes */
};

struct pieces_file {
  struct chunks chunks;
  struct place *groups;
  size_t ngroups, room_groups;
  size_t added; /* pieces so far; gives their order in the file */
  bool ended;
};

static bool
damaged (struct pieces *p, const char *what)
{
  return chunks_damaged (&p->file->chunks, what, &p->why);
}

static bool
short_of_memory (struct pieces *p)
{
  return damaged (p, "out of memory");
}

/* The contents of chunks: CONTENT has N bytes. */

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
  if (path == 0 || id + path > n - sizeof o->fixed || data[id + path - 1] != '\0'
      || o->fixed.start > o->fixed.end || o->fixed.number > p->nobjects)
    return false;
  build_id_set (&o->build_id, data, id);
  o->path = (char *) (data + id);
  return true;
}

/* Adds an object, or replaces the description of a known one. */
static bool
add_object (struct pieces *p, const unsigned char *content, size_t n)
{
  struct pieces_object o;
  if (!take_object (p, &o, content, n))
    return damaged (p, "damaged description of an object");
  if (!array_grow (&p->objects, p->nobjects, &p->room_objects, sizeof *p->objects)
      || !(o.path = strdup (o.path)))
    return short_of_memory (p);
  if (o.fixed.number < p->nobjects)
    free (p->objects[o.fixed.number].path);
  else
    p->nobjects++;
  p->objects[o.fixed.number] = o;
  return true;
}

/* Streams are in no order, but mostly the stream is the same as the last time. */
static struct pieces_stream *
find_stream (struct pieces *p, uint32_t number)
{
  size_t before = ARRAY_BEFORE (i, p->nstreams, p->streams[i].number < number);
  if (before < p->nstreams && p->streams[before].number == number)
    return &p->streams[before];
  if (!array_grow (&p->streams, p->nstreams, &p->room_streams, sizeof *p->streams))
    return NULL;
  memmove (&p->streams[before + 1], &p->streams[before],
           (p->nstreams++ - before) * sizeof *p->streams);
  p->streams[before] = (struct pieces_stream) { .number = number };
  return &p->streams[before];
}

/* Inserts an entry in order of its sequence; nearly always as the last one. */
static bool
add_entry (struct pieces_stream *s, const struct pieces_entry *e)
{
  if (!array_grow (&s->entries, s->nentries, &s->room, sizeof *s->entries))
    return false;
  size_t at = s->nentries;
  while (at > 0 && s->entries[at - 1].head.sequence > e->head.sequence)
    at--;
  if (at > 0 && s->entries[at - 1].head.sequence == e->head.sequence)
    at--; /* the older one was still being filled at a dump; this one has more */
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
      struct pieces_entry e
          = { .head = heads[i], .group = (uint32_t) p->file->ngroups, .index = (uint32_t) i };
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
  bool ok = add_heads (p, heads, pieces)
            && array_grow (&f->groups, f->ngroups, &f->room_groups, sizeof *f->groups);
  free (heads);
  if (!ok)
    return short_of_memory (p);
  f->groups[f->ngroups++] = (struct place) { f->chunks.chunk + sizeof (struct bbx_chunk), n };
  return true;
}

/* Chunks. */

static bool
add_content (struct pieces *p, uint32_t type, const unsigned char *content, size_t n)
{
  p->file->ended = type == BBX_TYPE_END;
  switch (type)
    {
    case BBT_TYPE_RUN: return add_run (p, content, n);
    case BBT_TYPE_OBJECT: return add_object (p, content, n);
    case BBT_TYPE_PIECES: return add_group (p, content, n);
    case BBX_TYPE_LOSSES: return chunks_losses (&p->file->chunks, &p->losses, &p->nlosses, &p->why);
    default: return true;
    }
}

static bool
read_chunk (struct pieces *p)
{
  struct chunks *c = &p->file->chunks;
  struct bbx_chunk chunk;
  return chunks_next (c, &chunk, &p->why)
         && add_content (p, chunk.type, c->content.data, c->content.size);
}

bool
pieces_open (struct pieces *p, const char *name, struct error *err)
{
  *p = (struct pieces) { .name = name, .file = calloc (1, sizeof *p->file) };
  if (!p->file)
    return error_no_memory (err);
  if (!chunks_open (&p->file->chunks, name, "trace", BBT_MAGIC, BBT_VERSION, err))
    {
      pieces_close (p);
      return false;
    }
  p->version = p->file->chunks.header.version;
  p->run = p->file->chunks.header.run;
  bool ok = true;
  while (ok && !p->file->ended)
    ok = read_chunk (p);
  p->whole = ok;
  p->torn = !ok && p->file->chunks.torn;
  bytes_free (&p->file->chunks.content);
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
  chunks_close (&p->file->chunks);
  free (p->file->groups);
  free (p->file);
  *p = (struct pieces) { .name = NULL };
}

/* Loading. */

struct pieces_loader {
  struct pieces *file;
  struct models models;
  size_t group; /* that is loaded, if HEADS is not null */
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
  if (l->heads && l->contents
      && group_read (content, n, l->heads, l->pieces, &l->models, l->contents, &l->memory))
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
  bool ok = chunks_read_at (&l->file->file->chunks, content, place->bytes, place->offset)
            && load_content (l, content, place->bytes);
  free (content);
  l->group = group;
  return ok
         || error_set (err, l->file->name, place->offset,
                       "damaged group of pieces, or no memory for it");
}

bool
pieces_load (struct pieces_loader *l, const struct pieces_entry *e, struct piece *piece,
             struct error *err)
{
  if ((!l->heads || l->group != e->group) && !load_group (l, e->group, err))
    return false;
  if (e->index >= l->pieces)
    return error_set (err, l->file->name, ERROR_NO_OFFSET, "the file changed while it was read");
  *piece = l->contents[e->index];
  return true;
}
