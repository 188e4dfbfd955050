/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/files/output_pair.h"

#define SUFFIX ".bbx"

bool
output_pair_open (struct output_pair *p, const char *name, bool has_sidecar, struct error *err)
{
  *p = (struct output_pair) { .name = name, .has_sidecar = has_sidecar };
  return output_open (&p->profile, name, "", err)
         && (!has_sidecar || output_open (&p->sidecar, name, SUFFIX, err));
}

static void
remove_sidecar (const char *name)
{
  char *sidecar;
  if (asprintf (&sidecar, "%s" SUFFIX, name) < 0)
    return; /* the profile states that it has none, which is enough */
  unlink (sidecar);
  free (sidecar);
}

bool
output_pair_publish (struct output_pair *p, struct error *err)
{
  if (!output_finish (&p->profile, err) || (p->has_sidecar && !output_finish (&p->sidecar, err)))
    return false;
  if (p->has_sidecar && !output_publish (&p->sidecar, err))
    return false;
  if (!output_publish (&p->profile, err))
    return false;
  if (!p->has_sidecar)
    remove_sidecar (p->name);
  return true;
}

void
output_pair_close (struct output_pair *p)
{
  output_close (&p->profile);
  output_close (&p->sidecar);
}
