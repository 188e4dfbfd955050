/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pprof's profile: gzip around the message of pprof.proto.  It is written as many small messages,
   one behind the other, which readers unite; so only one of them is in memory.

   Sample types, if the profile has them: samples, their time, exact calls, exact executions of
   blocks.  A stack has samples and time.  A call is a stack of two locations: the function, and the
   call site.  A block is a stack of one. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <zlib.h>

#include "common/array.h"
#include "common/utf8.h"
#include "tools/export/export_emit.h"
#include "pprof.pb-c.h"

enum { GZIP = 16, WINDOW = 15, CHUNK = 65536, LABELS = 2 };

enum value { SAMPLES, TIME, CALLS, EXECUTIONS, VALUES };

struct text {
  const char *text;
  int64_t number;
  UT_hash_handle hh;
};

struct pprof {
  FILE *out;
  const struct export_view *view;
  z_stream gzip;
  unsigned char chunk[CHUNK]; /* compressed */
  unsigned char *packed;      /* the current message */
  size_t room;
  struct text *texts; /* numbered from 1 */
  int64_t ntexts;
  bool has[VALUES];
  uint64_t *stack; /* locations of the current sample */
  size_t room_stack;
  bool ok; /* false: out of memory */
};

/* Output. */

static void
compress_bytes (struct pprof *p, const void *bytes, size_t n, int flush)
{
  p->gzip.next_in = (unsigned char *) bytes;
  p->gzip.avail_in = (unsigned) n;
  do
    {
      p->gzip.next_out = p->chunk;
      p->gzip.avail_out = sizeof p->chunk;
      deflate (&p->gzip, flush);
      fwrite (p->chunk, 1, sizeof p->chunk - p->gzip.avail_out, p->out);
  } while (p->gzip.avail_out == 0);
}

/* Writes a part of the profile. */
static void
put (struct pprof *p, const Pprof__Profile *part)
{
  size_t size = pprof__profile__get_packed_size (part);
  if (size > p->room)
    {
      free (p->packed);
      p->packed = malloc (2 * size);
      p->room = p->packed ? 2 * size : 0;
      p->ok = p->ok && p->packed;
    }
  if (!p->ok)
    return;
  pprof__profile__pack (part, p->packed);
  compress_bytes (p, p->packed, size, Z_NO_FLUSH);
}

/* Texts. */

/* The number of TEXT, which is valid as long as the profile; null: 0. */
static int64_t
text_number (struct pprof *p, const char *text)
{
  struct text *t = NULL;
  if (!text || !*text || !p->ok)
    return 0;
  HASH_FIND_STR (p->texts, text, t);
  if (!t && (t = malloc (sizeof *t)))
    {
      char *utf8 = utf8_clean (text);
      *t = (struct text) { .text = text, .number = ++p->ntexts };
      HASH_ADD_KEYPTR (hh, p->texts, t->text, strlen (t->text), t);
      Pprof__Profile part = PPROF__PROFILE__INIT;
      part.n_text = 1;
      part.text = &utf8;
      p->ok = utf8 != NULL;
      put (p, &part);
      free (utf8);
    }
  p->ok = p->ok && t;
  return t ? t->number : 0;
}

static void
forget_texts (struct pprof *p)
{
  struct text *t, *next;
  HASH_ITER (hh, p->texts, t, next)
  {
    HASH_DEL (p->texts, t);
    free (t);
  }
}

/* The head. */

static Pprof__ValueType
value_type (struct pprof *p, enum value value)
{
  static const char *const names[][2] = { { "samples", "count" },
                                          { "cpu", "nanoseconds" },
                                          { "calls", "count" },
                                          { "executions", "count" } };
  Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
  type.type_text = text_number (p, value == TIME && p->view->wall ? "wall" : names[value][0]);
  type.unit_text = text_number (p, names[value][1]);
  return type;
}

static void
put_comments (struct pprof *p)
{
  Pprof__Profile part = PPROF__PROFILE__INIT;
  int64_t number = text_number (p, PACKAGE_STRING);
  part.n_comment_text = 1;
  part.comment_text = &number;
  put (p, &part);
}

static void
put_head (struct pprof *p)
{
  Pprof__Profile part = PPROF__PROFILE__INIT;
  Pprof__ValueType types[VALUES], *list[VALUES];
  char *empty = (char[]) { "" };
  part.n_text = 1;
  part.text = &empty;
  put (p, &part);
  part.n_text = 0;
  for (int i = 0; i < VALUES; i++)
    if (p->has[i])
      {
        types[i] = value_type (p, (enum value) i);
        list[part.n_sample_type++] = &types[i];
        part.default_sample_type_text = types[i].type_text;
      }
  if (p->has[TIME])
    {
      part.period_type = &types[TIME];
      part.period = (int64_t) p->view->tick;
      part.default_sample_type_text = types[TIME].type_text;
    }
  part.sample_type = list;
  part.time_nanoseconds = (int64_t) p->view->summary.started;
  part.duration_nanoseconds = (int64_t) p->view->summary.wall;
  put (p, &part);
  put_comments (p);
}

/* Objects, functions, locations. */

static void
put_objects (struct pprof *p)
{
  const struct objects *all = &p->view->model->objects;
  for (size_t i = 0; i < all->count; i++)
    {
      const struct object *o = &all->all[i];
      Pprof__Profile part = PPROF__PROFILE__INIT;
      Pprof__Mapping mapping = PPROF__MAPPING__INIT, *list = &mapping;
      mapping.id = i + 1;
      mapping.start = o->base + o->start;
      mapping.limit = o->base + o->end;
      mapping.file_text = text_number (p, o->path);
      if (o->build_id.size > 0)
        mapping.build_id_text = text_number (p, p->view->build_ids[i]);
      mapping.has_functions = true;
      mapping.has_files = mapping.has_lines = mapping.has_inlined = o->image.bfd != NULL;
      part.n_mapping = 1;
      part.mapping = &list;
      put (p, &part);
    }
}

static void
put_functions (struct pprof *p)
{
  const struct frames *f = &p->view->frames;
  for (size_t i = 0; i < f->nfunctions; i++)
    {
      Pprof__Profile part = PPROF__PROFILE__INIT;
      Pprof__Function function = PPROF__FUNCTION__INIT, *list = &function;
      function.id = i + 1;
      function.name_text = text_number (p, p->view->names[i]);
      function.symbol_text = text_number (p, f->functions[i].symbol);
      function.file_text = text_number (p, f->functions[i].file);
      function.line = f->functions[i].line;
      part.n_function = 1;
      part.function = &list;
      put (p, &part);
    }
}

/* LINES in a new location. */
static void
put_location (struct pprof *p, uint64_t id, uint64_t address, const struct object *o,
              const struct frames_line *lines, size_t n)
{
  Pprof__Profile part = PPROF__PROFILE__INIT;
  Pprof__Location location = PPROF__LOCATION__INIT, *list = &location;
  Pprof__Line line[FRAMES_INLINED_MOST + 1], *line_list[FRAMES_INLINED_MOST + 1];
  for (size_t i = 0; i < n; i++)
    {
      line[i] = (Pprof__Line) PPROF__LINE__INIT;
      line[i].function = lines[i].function + 1;
      line[i].line = lines[i].line;
      line_list[i] = &line[i];
    }
  location.id = id;
  location.mapping = (uint64_t) (o - p->view->model->objects.all) + 1;
  location.address = address;
  location.n_line = n;
  location.line = line_list;
  part.n_location = 1;
  part.location = &list;
  put (p, &part);
}

/* The location of a function as such: what is called. */
static uint64_t
entry_location (const struct pprof *p, uint32_t symbol)
{
  return p->view->frames.nplaces + symbol + 1;
}

static uint64_t
place_location (const struct pprof *p, const struct frames_place *place)
{
  return (uint64_t) (place - p->view->frames.places) + 1;
}

static void
put_locations (struct pprof *p)
{
  const struct frames *f = &p->view->frames;
  const struct symtab *t = &p->view->model->symtab;
  uint32_t last = UINT32_MAX;
  for (size_t i = 0; i < f->nplaces; i++)
    {
      const struct frames_place *place = &f->places[i];
      const struct symbol *s = &t->symbols[place->symbol];
      put_location (p, i + 1, place->address, s->object, &f->lines[place->first], place->nlines);
      if (p->has[CALLS] && place->symbol != last)
        {
          struct frames_line entry = f->lines[place->first + place->nlines - 1];
          entry.line = f->functions[entry.function].line;
          put_location (p, entry_location (p, place->symbol), s->address, s->object, &entry, 1);
        }
      last = place->symbol;
    }
}

/* Samples. */

/* The stack has N locations; ROOT is its thread, or null. */
static void
put_sample (struct pprof *p, size_t n, const uint64_t values[VALUES], const struct context *root)
{
  Pprof__Profile part = PPROF__PROFILE__INIT;
  Pprof__Sample sample = PPROF__SAMPLE__INIT, *list = &sample;
  Pprof__Label labels[LABELS], *label_list[LABELS] = { &labels[0], &labels[1] };
  int64_t value[VALUES];
  labels[0] = labels[1] = (Pprof__Label) PPROF__LABEL__INIT;
  for (int i = 0; i < VALUES; i++)
    if (p->has[i])
      value[sample.n_value++] = (int64_t) values[i];
  if (root && root->address != FRAMES_NO_THREAD)
    {
      labels[0].key_text = text_number (p, "thread");
      labels[0].value_text = text_number (p, export_thread_name (p->view, root));
      labels[1].key_text = text_number (p, "tid");
      labels[1].number = p->view->model->stacks.threads[root->address].fixed.tid;
      sample.n_label = LABELS;
      sample.label = label_list;
    }
  sample.value = value;
  sample.location = p->stack;
  sample.n_location = n;
  part.n_sample = 1;
  part.sample = &list;
  put (p, &part);
}

static void
push (struct pprof *p, size_t *n, uint64_t location)
{
  p->ok = p->ok && array_grow (&p->stack, *n, &p->room_stack, sizeof *p->stack);
  if (p->ok)
    p->stack[(*n)++] = location;
}

static void
put_stack (struct pprof *p, uint32_t node)
{
  const struct contexts *t = &p->view->frames.tree;
  uint64_t values[VALUES] = { [SAMPLES] = t->nodes[node].ticks };
  size_t n = 0;
  values[TIME] = (uint64_t) ((double) values[SAMPLES] * p->view->tick + 0.5);
  for (; t->nodes[node].kind != BBX_FRAME_THREAD; node = t->nodes[node].parent)
    if (t->nodes[node].kind == BBX_FRAME_CODE)
      push (p, &n, t->nodes[node].address + 1);
  put_sample (p, n, values, &t->nodes[node]);
}

static void
put_call (struct pprof *p, const struct call *call)
{
  const struct frames_place *to
      = frames_at (&p->view->frames, call->self),
      *from = frames_at (&p->view->frames, frames_call_address (p->view->model, call));
  uint64_t values[VALUES] = { [CALLS] = call->count };
  size_t n = 0;
  if (!to)
    return;
  push (p, &n, entry_location (p, to->symbol));
  if (from)
    push (p, &n, place_location (p, from));
  put_sample (p, n, values, NULL);
}

static void
put_block (struct pprof *p, const struct execution *e)
{
  const struct frames_place *place = frames_at (&p->view->frames, e->address);
  uint64_t values[VALUES] = { [EXECUTIONS] = e->count };
  size_t n = 0;
  if (e->count == 0 || !place)
    return;
  push (p, &n, place_location (p, place));
  put_sample (p, n, values, NULL);
}

static void
put_samples (struct pprof *p)
{
  const struct contexts *t = &p->view->frames.tree;
  const struct profile *profile = &p->view->model->profile;
  for (uint32_t i = contexts_next (t, 0); i != 0; i = contexts_next (t, i))
    if (t->nodes[i].ticks > 0)
      put_stack (p, i);
  for (size_t i = 0; p->has[CALLS] && i < profile->ncalls; i++)
    put_call (p, &profile->calls[i]);
  for (size_t i = 0; i < profile->nexecutions; i++)
    put_block (p, &profile->executions[i]);
}

bool
export_pprof (FILE *out, const struct export_view *v, struct error *err)
{
  const struct profile *profile = &v->model->profile;
  struct pprof p = { .out = out,
                     .view = v,
                     .ok = true,
                     .has = { [SAMPLES] = true,
                              [TIME] = v->tick > 0,
                              [CALLS] = profile->ncalls > 0 && !v->model->estimated,
                              [EXECUTIONS] = profile->nexecutions > 0 } };
  if (deflateInit2 (&p.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP + WINDOW, MAX_MEM_LEVEL,
                    Z_DEFAULT_STRATEGY)
      != Z_OK)
    return error_no_memory (err);
  put_head (&p);
  put_objects (&p);
  put_functions (&p);
  put_locations (&p);
  put_samples (&p);
  compress_bytes (&p, NULL, 0, Z_FINISH);
  deflateEnd (&p.gzip);
  forget_texts (&p);
  free (p.packed);
  free (p.stack);
  return p.ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
