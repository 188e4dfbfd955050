/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the trace's sidecar: where the blocks of historic code are, and which functions the
   user's selection hides.  Without a sidecar neither is known. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/decode/trace_model.h"

#define SUFFIX ".bbt"

/* The model's address for ADDRESS of the sidecar; 0: in no object of the trace. */
static uint64_t
place_of (const struct trace *t, uint64_t address)
{
  const struct bbx *x = &t->sidecar;
  for (size_t i = 0; i < x->nobjects; i++)
    {
      const struct bbx_run_object *from = &x->objects[i];
      if (address - from->fixed.base - from->fixed.start >= from->fixed.end - from->fixed.start)
        continue;
      for (size_t k = 0; k < t->model.objects.count; k++)
        {
          const struct object *to = &t->model.objects.all[k];
          if (strcmp (to->path, from->path) == 0 && build_id_equal (&to->build_id, &from->build_id))
            return address - from->fixed.base + to->base;
        }
    }
  return 0;
}

bool
trace_sidecar_read (struct trace *t)
{
  size_t length = strlen (t->pieces.name), suffix = strlen (SUFFIX);
  if (length <= suffix || strcmp (t->pieces.name + length - suffix, SUFFIX) != 0)
    return true;
  char *profile = strndup (t->pieces.name, length - suffix);
  if (!profile)
    return false;
  bbx_read (&t->sidecar, profile, t->pieces.run, 0);
  free (profile);
  for (size_t i = 0; i < t->sidecar.nunits; i++)
    for (size_t k = 0; k < t->sidecar.units[i].nblocks; k++)
      {
        uint64_t address = place_of (t, t->sidecar.units[i].blocks[k].address);
        if (address && !profile_add_execution (&t->model.profile, address, 0))
          return false;
      }
  return profile_finish (&t->model.profile);
}

size_t
trace_sidecar_lone (const struct trace *t, struct graph_lone *lone)
{
  const struct symbol *last = NULL;
  size_t n = 0;
  for (size_t i = 0; i < t->located.count; i++)
    {
      const struct block *b = &t->located.blocks[i];
      if (b->map)
        continue;
      lone[n] = (struct graph_lone) { .address = b->start,
                                      .first = n == 0 || !b->symbol || b->symbol != last };
      last = b->symbol;
      n++;
    }
  return n;
}

void
trace_sidecar_hide (struct trace *t)
{
  for (size_t i = 0; i < t->sidecar.nwords; i++)
    for (size_t k = 0; k < t->sidecar.words[i].nfunctions; k++)
      if (t->sidecar.words[i].flags & BBX_SELECT_HIDES)
        graph_hide (&t->graph, place_of (t, t->sidecar.words[i].functions[k]));
}
