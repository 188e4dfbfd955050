/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbtrace.gz: the addresses of the blocks in the order in which they were executed, words of the machine's, and nothing else.  The
   old library mixed all threads into one file; here each has its own. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "historic.h"
#include "trace.h"

/* How far the addresses of the object with the file PATH are moved up. */
static uint64_t
base_of (const struct objects *all, const char *path)
{
  for (size_t i = 0; i < all->count; i++)
    if (!object_is_executable (&all->all[i]) && strcmp (all->all[i].path, path) == 0)
      return all->all[i].base;
  return 0;
}

/* Of each block of the trace, by its number.  Null: no memory. */
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

static bool
write_blocks (gzFile out, struct trace_cursor *c, const uint64_t *addresses)
{
  struct trace_event e;
  bool ok = true;
  while (ok && trace_next (c, &e))
    if (e.kind == TRACE_BLOCK)
      ok = gzwrite (out, &addresses[e.block->number], sizeof *addresses) == sizeof *addresses;
  return ok;
}

static bool
write_thread (struct trace *t, unsigned thread, const uint64_t *addresses, bool plain, struct error *err)
{
  static char name[64]; /* it is in the error */
  const char *suffix = plain ? "" : ".gz";
  if (thread)
    snprintf (name, sizeof name, "bbtrace-%u%s", thread + 1, suffix);
  else
    snprintf (name, sizeof name, "bbtrace%s", suffix);
  struct trace_cursor *c = trace_begin (t, thread);
  if (!c)
    return error_no_memory (err);
  gzFile out = gzopen (name, plain ? "wbT" : "wb");
  bool ok = out && write_blocks (out, c, addresses);
  if (out && gzclose (out) != Z_OK)
    ok = false;
  trace_cursor_free (c);
  return ok || error_set (err, name, ERROR_NO_OFFSET, "cannot write: %s", strerror (errno));
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
