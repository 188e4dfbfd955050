/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbtrace.gz: addresses of the blocks in the order of their execution, as machine words and
   nothing else.  The old library mixed all threads into one file; here each thread has its own. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/historic/gzip.h"
#include "tools/decode/trace_read.h"
#include "tools/historic/historic.h"

/* The offset that is added to addresses of the object with the file PATH. */
static uint64_t
base_of (const struct objects *all, const char *path)
{
  for (size_t i = 0; i < all->count; i++)
    if (!object_is_executable (&all->all[i]) && strcmp (all->all[i].path, path) == 0)
      return all->all[i].base;
  return 0;
}

/* Of each block of the trace, by number: its address.  Null: no memory. */
static uint64_t *
make_addresses (struct trace *t, const struct historic *h)
{
  uint64_t *addresses = calloc (trace_blocks (t) + 1, sizeof *addresses);
  for (unsigned n = 0; addresses && n < trace_functions (t); n++)
    {
      const struct trace_function *f = trace_function (t, n);
      uint64_t base = base_of (&h->model->objects, f->object);
      for (unsigned i = 0; i < f->nblocks; i++)
        addresses[f->blocks[i].number] = f->blocks[i].address + base;
    }
  return addresses;
}

static void
put_bytes (void *context, const void *bytes, size_t n)
{
  fwrite (bytes, 1, n, context);
}

/* PACKED null: writes uncompressed. */
static void
write_blocks (FILE *out, struct bbh_gzip *packed, struct trace_cursor *c, const uint64_t *addresses)
{
  struct trace_event e;
  if (packed)
    bbh_gzip_begin (packed, (struct bbh_receiver) { put_bytes, out });
  while (trace_next (c, &e))
    if (e.kind == TRACE_BLOCK && packed)
      bbh_gzip_word (packed, addresses[e.block->number]);
    else if (e.kind == TRACE_BLOCK)
      put_bytes (out, &addresses[e.block->number], sizeof *addresses);
  if (packed)
    bbh_gzip_end (packed);
}

static bool
write_file (const char *name, struct trace_cursor *c, const uint64_t *addresses, bool plain,
            struct error *err)
{
  struct bbh_gzip *packed = plain ? NULL : malloc (sizeof *packed);
  if (!plain && !packed)
    return error_no_memory (err);
  FILE *out = fopen (name, "wb");
  if (out)
    write_blocks (out, packed, c, addresses);
  free (packed);
  bool ok = out && !ferror (out);
  ok &= out && fclose (out) == 0;
  return ok || error_set (err, name, ERROR_NO_OFFSET, "cannot write: %s", strerror (errno));
}

static bool
write_thread (struct trace *t, unsigned thread, const uint64_t *addresses, bool plain,
              struct error *err)
{
  static char name[64]; /* ERR refers to NAME */
  const char *suffix = plain ? "" : ".gz";
  if (thread)
    snprintf (name, sizeof name, "bbtrace-%u%s", thread + 1, suffix);
  else
    snprintf (name, sizeof name, "bbtrace%s", suffix);
  struct trace_cursor *c = trace_begin (t, thread);
  bool ok = c ? write_file (name, c, addresses, plain, err) : error_no_memory (err);
  trace_cursor_free (c);
  return ok;
}

bool
historic_write_trace (struct trace *t, const struct historic *h, bool plain, struct error *err)
{
  const struct trace_thread *threads;
  size_t n = trace_threads (t, &threads);
  uint64_t *addresses = make_addresses (t, h);
  bool ok = addresses || error_no_memory (err);
  for (size_t i = 0; i < n && ok; i++)
    ok = write_thread (t, (unsigned) i, addresses, plain, err);
  free (addresses);
  return ok;
}
