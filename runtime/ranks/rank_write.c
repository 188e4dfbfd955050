/* SPDX-License-Identifier: MIT */
/* Writes the calls of MPI to the sidecar.  Context: cold, lock held. */
#include <errno.h>

#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/ranks/rank.h"

/* The virtual address of a call site; 0: it is in no object. */
static uint64_t
virtual_site (uintptr_t site)
{
  const struct bbp_object *object = bbp_object_at (site);
  return object ? bbp_object_virtual (object, site) : 0;
}

enum { NUMBERS = 9 }; /* for each place */

static unsigned char *
encode (unsigned char *next, const struct bbp_place *p, uint64_t site, uint64_t before)
{
  const uint64_t numbers[NUMBERS] = { bbp_number_fold (site - before),
                                      p->key & ((1 << BBP_RANK_SITE) - 1),
                                      p->calls,
                                      p->nanoseconds,
                                      p->bytes,
                                      p->judged,
                                      p->last,
                                      p->spread,
                                      p->waited };
  for (int i = 0; i < NUMBERS; i++)
    next = bbp_number_put (next, numbers[i]);
  return next;
}

/* A forked child is no rank. */
void
bbp_ranks_write (struct bbp_out *out)
{
  enum { ROOM = BBP_RANK_PLACES * NUMBERS * BBP_NUMBER_BYTES };
  if (!bbp_rank.size || bbp.forked)
    return;
  unsigned char *bytes = bbp_rank_places ? bbp_pages_map (ROOM) : NULL, *next = bytes;
  if (bbp_rank_places && !bytes)
    {
      out->error = ENOMEM;
      return;
    }
  struct bbx_rank head = bbp_rank;
  uint64_t before = 0;
  head.time = bbp_clock_now () - bbp_rank_began;
  for (unsigned i = 0; bytes && i < BBP_RANK_PLACES; i++)
    if (bbp_rank_places[i].calls)
      {
        uint64_t site = virtual_site (bbp_rank_places[i].key >> BBP_RANK_SITE);
        next = encode (next, &bbp_rank_places[i], site, before);
        before = site;
        head.calls++;
      }
  bbp_bbx_chunk (out, BBX_TYPE_RANK,
                 (const struct bbp_part[BBP_PARTS]) { { &head, sizeof head },
                                                      { bytes, (size_t) (next - bytes) } });
  bbp_pages_unmap (bytes, ROOM);
}
