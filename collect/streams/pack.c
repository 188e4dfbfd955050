/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame begins with the sizes of the lists, one number each. */
#include <zstd.h>

#include "collect/streams/pack.h"

enum { LEVEL = 3, LISTS_MOST = 32 };

bool
lists_begin (struct bytes *lists, size_t n, size_t room)
{
  bool ok = true;
  for (size_t i = 0; i < n; i++)
    {
      lists[i] = (struct bytes) { .data = NULL };
      ok = ok && bytes_reserve (&lists[i], room);
    }
  return ok;
}

void
lists_free (struct bytes *lists, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes_free (&lists[i]);
}

/* The lists' sizes, as numbers; SIZES has room for all. */
static void
put_sizes (struct bytes *sizes, const struct bytes *lists, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes_put_number (sizes, lists[i].size);
}

uint64_t
lists_bytes (const struct bytes *lists, size_t n)
{
  unsigned char numbers[LISTS_MOST * BYTES_NUMBER_MOST];
  struct bytes sizes = { numbers, 0, sizeof numbers };
  put_sizes (&sizes, lists, n);
  uint64_t all = sizes.size;
  for (size_t i = 0; i < n; i++)
    all += lists[i].size;
  return all;
}

bool
packer_begin (struct packer *p)
{
  p->zstd = ZSTD_createCCtx ();
  return p->zstd
         && !ZSTD_isError (ZSTD_CCtx_setParameter (p->zstd, ZSTD_c_compressionLevel, LEVEL));
}

void
packer_end (struct packer *p)
{
  ZSTD_freeCCtx (p->zstd);
  p->zstd = NULL;
}

/* Adds one list; END: it is the last of the frame. */
static bool
pack_list (struct packer *p, const unsigned char *data, size_t n, bool end, struct bytes *to)
{
  ZSTD_inBuffer in = { data, n, 0 };
  ZSTD_outBuffer out = { to->data, to->room, to->size };
  size_t left = ZSTD_compressStream2 (p->zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_flush);
  to->size = out.pos;
  return left == 0;
}

static bool
pack_all (struct packer *p, const struct bytes *lists, size_t n, struct bytes *to)
{
  unsigned char numbers[LISTS_MOST * BYTES_NUMBER_MOST];
  struct bytes sizes = { numbers, 0, sizeof numbers };
  const uint64_t all = lists_bytes (lists, n);
  put_sizes (&sizes, lists, n);
  ZSTD_CCtx_reset (p->zstd, ZSTD_reset_session_only);
  if (!bytes_reserve (to, ZSTD_compressBound (all) + 64 * (n + 1))
      || ZSTD_isError (ZSTD_CCtx_setPledgedSrcSize (p->zstd, all))
      || !pack_list (p, sizes.data, sizes.size, n == 0, to))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!pack_list (p, lists[i].data, lists[i].size, i == n - 1, to))
      return false;
  return true;
}

bool
pack_lists (struct packer *p, const struct bytes *lists, size_t n, struct bytes *to)
{
  size_t before = to->size;
  bool ok = pack_all (p, lists, n, to);
  if (!ok)
    to->size = before;
  return ok;
}

bool
unpack_lists (const void *frame, size_t n, uint64_t most, struct bytes *to, struct reading *read,
              size_t count)
{
  unsigned long long size = ZSTD_getFrameContentSize (frame, n);
  if (size > most || !bytes_reserve (to, size + 1))
    return false;
  size_t done = ZSTD_decompress (to->data, size, frame, n);
  if (ZSTD_isError (done) || done != size)
    return false;
  to->size = size;
  struct reading all = { to->data, to->data + size };
  uint64_t sizes[LISTS_MOST];
  for (size_t i = 0; i < count; i++)
    if (!reading_number (&all, &sizes[i]))
      return false;
  for (size_t i = 0; i < count; i++)
    {
      if (sizes[i] > (uint64_t) (all.stop - all.next))
        return false;
      read[i] = (struct reading) { all.next, all.next + sizes[i] };
      all.next += sizes[i];
    }
  return true;
}
