/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "collect/streams/file_write.h"
#include "collect/streams/samples_pack.h"
#include "collect/streams/samples_read.h"
#include "model/files/bbx_write.h"
#include "tools/generated/code_bytes.h"
#include "tools/generated/generated_histogram.h"
#include "tools/generated/generated_image.h"
#include "tools/generated/generated_tree.h"
#include "tools/generated/generated_profile.h"

enum { PAGE = 4096 };

/* All of one profile. */
struct naming {
  const char *profile;
  char *sidecar_name, *times_name, *new_times_name;
  struct bbx sidecar;
  struct kept_codes codes;
  struct generated_image image;
  struct generated_tree tree;
  uint64_t base; /* of the object with generated code */
  bool has_code, has_vdso;
};

static uint64_t
base_above (const struct bbx *x)
{
  uint64_t top = 0;
  for (size_t i = 0; i < x->nobjects; i++)
    if (x->objects[i].fixed.base + x->objects[i].fixed.end > top)
      top = x->objects[i].fixed.base + x->objects[i].fixed.end;
  return (top + BBX_BASE_UNIT - 1) / BBX_BASE_UNIT * BBX_BASE_UNIT;
}

/* The vDSO. */

static bool
has_samples (const struct bbx *x, const struct bbx_object *o)
{
  for (size_t i = 0; i < x->stacks.nnodes; i++)
    if (bbx_frame_is_code (x->stacks.nodes[i].kind)
        && x->stacks.nodes[i].address - o->base - o->start < o->end - o->start)
      return true;
  return false;
}

/* The kernel gives all processes the same one; the build id says whether it is that of the
   profile.  False: out of memory. */
static bool
take_vdso (struct bbx_run_object *o)
{
  const unsigned char *mine = (const unsigned char *) getauxval (AT_SYSINFO_EHDR);
  if (!mine || o->build_id.size == 0)
    return true;
  Elf64_Ehdr head;
  memcpy (&head, mine, sizeof head);
  const size_t size = head.e_shoff + (size_t) head.e_shnum * head.e_shentsize;
  if (size > (o->fixed.end + PAGE - 1) / PAGE * PAGE
      || !memmem (mine, size, o->build_id.bytes, o->build_id.size))
    return true;
  o->image = malloc (size);
  if (!o->image)
    return false;
  memcpy (o->image, mine, size);
  o->image_bytes = size;
  return true;
}

static bool
find_vdso (struct naming *n)
{
  for (size_t i = 1; i < n->sidecar.nobjects; i++)
    {
      struct bbx_run_object *o = &n->sidecar.objects[i];
      if (strcmp (o->path, "[vdso]") != 0 || o->image || !has_samples (&n->sidecar, &o->fixed))
        continue;
      if (!take_vdso (o))
        return false;
      n->has_vdso |= o->image != NULL;
    }
  return true;
}

/* The new sidecar. */

/* Identifies the code: profiles of other code have another object. */
static struct build_id
identify (const struct generated_image *image)
{
  struct build_id id = { .size = 0 };
  uint64_t hashes[2] = { 0xcbf29ce484222325, 0x9e3779b97f4a7c15 };
  for (size_t i = 0; i < image->size; i++)
    for (int k = 0; k < 2; k++)
      hashes[k] = (hashes[k] ^ image->bytes[i]) * 0x100000001b3;
  build_id_set (&id, hashes, sizeof hashes);
  return id;
}

static bool
write_generated (const struct naming *n, struct output *o)
{
  static char path[] = "[generated]";
  const struct bbx_run_object object = { .fixed = { .base = n->base,
                                                    .start = n->image.start,
                                                    .end = n->image.end,
                                                    .text_start = n->image.start,
                                                    .text_end = n->image.end,
                                                    .loads = 1 },
                                         .build_id = identify (&n->image),
                                         .path = path,
                                         .image = n->image.bytes,
                                         .image_bytes = n->image.size };
  return bbx_write_object (o, &object);
}

static bool
write_objects (const struct naming *n, struct output *o)
{
  bool ok = true;
  for (size_t i = 0; ok && i < n->sidecar.nobjects; i++)
    ok = bbx_write_object (o, &n->sidecar.objects[i]);
  return ok && (!n->has_code || write_generated (n, o));
}

static bool
write_tree (const struct naming *n, struct output *o)
{
  const struct contexts *t = &n->tree.tree;
  struct bbx_node *nodes = malloc ((t->count + 1) * sizeof *nodes);
  for (size_t i = 1; nodes && i < t->count; i++)
    nodes[i - 1] = (struct bbx_node) { t->nodes[i].address, t->nodes[i].ticks, t->nodes[i].parent,
                                       t->nodes[i].kind, t->nodes[i].by_pointer };
  const bool ok = nodes && bbx_write_contexts (o, nodes, t->count > 0 ? t->count - 1 : 0);
  free (nodes);
  return ok;
}

/* Samples in code that has a name now are not lost any more. */
static bool
write_losses (const struct naming *n, struct output *o)
{
  const uint64_t named = n->has_code ? generated_tree_named (&n->tree) : 0;
  for (size_t i = 0; i < n->sidecar.nlosses; i++)
    {
      struct bbx_loss *l = &n->sidecar.losses[i];
      if (strcmp (l->cause, BBX_LOST_NOWHERE) == 0)
        l->count -= named < l->count ? named : l->count;
    }
  return bbx_write_losses (o, n->sidecar.losses, n->sidecar.nlosses);
}

static void
copy_chunk (const struct chunks *c, const struct bbx_chunk *chunk, struct output *o)
{
  fwrite (chunk, sizeof *chunk, 1, o->file);
  fwrite (c->content.data, 1, c->content.size, o->file);
  output_zeros (o, -c->content.size & 7);
}

/* Chunks that did not change are copied, whatever they are. */
static bool
write_chunks (const struct naming *n, struct chunks *c, struct output *o, struct error *err)
{
  bool ok = true, objects = false;
  bbx_write_header (o, c->header.run);
  for (struct bbx_chunk chunk = { .type = 0 }; ok && chunk.type != BBX_TYPE_END;)
    {
      if (!chunks_next (c, &chunk, err))
        return false;
      if (chunk.type == BBX_TYPE_OBJECT)
        {
          ok = objects || write_objects (n, o);
          objects = true;
        }
      else if (chunk.type == BBX_TYPE_CONTEXTS && n->has_code)
        ok = write_tree (n, o);
      else if (chunk.type == BBX_TYPE_LOSSES)
        ok = write_losses (n, o);
      else if (chunk.type != BBX_TYPE_IMAGE)
        copy_chunk (c, &chunk, o);
    }
  return ok || error_no_memory (err);
}

static bool
write_sidecar (const struct naming *n, struct error *err)
{
  struct chunks c;
  struct output o;
  bool ok = chunks_open (&c, n->sidecar_name, "sidecar", BBX_MAGIC, BBX_VERSION, err);
  ok = ok && output_open (&o, n->sidecar_name, "", err);
  if (ok)
    {
      ok = write_chunks (n, &c, &o, err) && output_finish (&o, err) && output_publish (&o, err);
      output_close (&o);
    }
  chunks_close (&c);
  return ok;
}

/* The new file of times. */

/* Reports the damage and the use of one of the process's files. */
static bool
tell (const struct chunks *c, void (*warn) (const struct error *))
{
  struct bbs_code_file head;
  struct error what;
  const char *path = (const char *) c->content.data + sizeof head,
             *end = (const char *) c->content.data + c->content.size,
             *why = c->content.size > sizeof head ? memchr (path, '\0', (size_t) (end - path))
                                                  : NULL;
  if (!why || ++why == end || end[-1] != '\0')
    return true;
  memcpy (&head, c->content.data, sizeof head);
  if (head.bad > 0)
    error_set (&what, path, head.bad_at,
               "%s: %" PRIu64 " damaged entr%s, %" PRIu64 " of generated code used", why, head.bad,
               head.bad == 1 ? "y" : "ies", head.codes);
  else
    error_set (&what, path, ERROR_NO_OFFSET, "%s: generated code has no names", why);
  if (*why)
    warn (&what);
  return true;
}

/* The samples of the current chunk, in the nodes of their times. */
static bool
move_samples (struct naming *n, const struct chunks *c, struct packer *p, struct bytes *to)
{
  struct bbs_samples head;
  struct bbs_sample *samples;
  if (!samples_unpack (c->content.data, c->content.size, &head, &samples))
    return false;
  bool ok = true;
  for (size_t i = 0; ok && i < head.n; i++)
    ok = generated_tree_move (&n->tree, &samples[i]);
  to->size = 0;
  ok = ok && samples_pack (p, head.thread, samples, head.n, head.lost, to);
  free (samples);
  return ok;
}

static bool
write_times_chunks (struct naming *n, struct chunks *c, struct packer *p, struct trace_out *out,
                    void (*warn) (const struct error *), struct error *err)
{
  struct bytes moved = { .data = NULL };
  struct bbx_loss *losses = NULL;
  size_t nlosses = 0;
  bool ok = true;
  for (struct bbx_chunk chunk = { .type = 0 }; ok && chunk.type != BBX_TYPE_END;)
    {
      ok = chunks_next (c, &chunk, err);
      if (!ok || chunk.type == BBX_TYPE_END || chunk.type == BBS_TYPE_CODES)
        continue;
      if (chunk.type == BBS_TYPE_CODE_FILE)
        ok = tell (c, warn);
      else if (chunk.type == BBX_TYPE_LOSSES)
        ok = chunks_losses (c, &losses, &nlosses, err);
      else if (chunk.type == BBS_TYPE_SAMPLES && n->has_code)
        {
          ok = move_samples (n, c, p, &moved) || error_no_memory (err);
          if (ok)
            trace_out_chunk (out, chunk.type, moved.data, moved.size);
        }
      else
        trace_out_chunk (out, chunk.type, c->content.data, c->content.size);
    }
  trace_out_finish (out, losses, nlosses);
  free (losses);
  bytes_free (&moved);
  return ok
         && (!out->error
             || error_set (err, n->times_name, ERROR_NO_OFFSET, "%s", strerror (out->error)));
}

static bool
write_times (struct naming *n, void (*warn) (const struct error *), struct error *err)
{
  struct chunks c;
  struct packer p = { .zstd = NULL };
  struct trace_out out = { .fd = -1 };
  bool ok = samples_chunks_open (&c, n->times_name, err)
            && (packer_begin (&p) || error_no_memory (err));
  if (ok)
    {
      trace_out_open (&out, n->new_times_name, BBS_FILE_MAGIC, BBS_VERSION, c.header.run);
      ok = write_times_chunks (n, &c, &p, &out, warn, err);
    }
  packer_end (&p);
  chunks_close (&c);
  return ok;
}

/* The steps. */

/* Has the file of times anything about generated code?  Only the heads of the chunks are read,
   because the file is as long as the run. */
static bool
tells_of_code (const struct naming *n)
{
  struct chunks c;
  struct bbx_chunk chunk = { .type = 0 };
  struct error ignored;
  bool tells = false;
  bool more = samples_chunks_open (&c, n->times_name, &ignored);
  for (uint64_t at = c.offset; more && !tells && at < c.size;)
    {
      more = c.size - at >= sizeof chunk && chunks_read_at (&c, &chunk, sizeof chunk, at)
             && chunk.length < c.size - at;
      tells = more && (chunk.type == BBS_TYPE_CODES || chunk.type == BBS_TYPE_CODE_FILE);
      at += sizeof chunk + ((chunk.length + 7) & -8UL);
    }
  chunks_close (&c);
  return tells;
}

static bool
open_naming (struct naming *n, const char *profile)
{
  *n = (struct naming) { .profile = profile };
  return asprintf (&n->sidecar_name, "%s" BBX_SUFFIX, profile) >= 0
         && asprintf (&n->times_name, "%s" BBS_SUFFIX, profile) >= 0
         && asprintf (&n->new_times_name, "%s" BBS_SUFFIX ".tmp", profile) >= 0;
}

static void
close_naming (struct naming *n)
{
  bbx_free (&n->sidecar);
  kept_codes_free (&n->codes);
  generated_tree_free (&n->tree);
  free (n->image.bytes);
  free (n->sidecar_name);
  free (n->times_name);
  free (n->new_times_name);
}

static bool
find_code (struct naming *n)
{
  bool ok = generated_tree_want (&n->tree, &n->sidecar.stacks, &n->codes)
            && kept_codes_read (&n->codes, n->times_name)
            && code_bytes_read (&n->codes, n->times_name)
            && generated_image_make (&n->image, &n->codes);
  n->has_code = ok && n->codes.n > 0;
  n->base = base_above (&n->sidecar);
  return ok && (!n->has_code || generated_tree_make (&n->tree, &n->codes, n->base));
}

static bool
name (struct naming *n, uint64_t run, void (*warn) (const struct error *), struct error *err)
{
  bbx_read (&n->sidecar, n->profile, run, 0);
  if (n->sidecar.state != BBX_WHOLE)
    return true;
  const bool tells = tells_of_code (n);
  if ((tells && !find_code (n)) || !find_vdso (n))
    return error_no_memory (err);
  if ((tells && !write_times (n, warn, err))
      || ((n->has_code || n->has_vdso) && !write_sidecar (n, err)))
    {
      unlink (n->new_times_name);
      return false;
    }
  if (n->has_code
      && !generated_histogram_append (n->profile, &n->tree, n->image.start, n->image.end,
                                      &n->sidecar.time, err))
    return false;
  return !tells || rename (n->new_times_name, n->times_name) == 0
         || error_set (err, n->times_name, ERROR_NO_OFFSET, "cannot be replaced");
}

bool
generated_profile_name (const char *profile, uint64_t run, void (*warn) (const struct error *),
                        struct error *err)
{
  struct naming n;
  const bool ok = open_naming (&n, profile) ? name (&n, run, warn, err) : error_no_memory (err);
  close_naming (&n);
  return ok;
}
