/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "include/bbprof-file.h"
#include "model/files/bbx_losses.h"

bool
bbx_loss_is_of_counts (const char *cause, bool *unbounded)
{
  static const struct {
    const char *cause;
    bool unbounded;
  } of_counts[]
      = { { BBX_LOST_CALLS, true },   { BBX_LOST_BLOCKS, true }, { BBX_LOST_UNLOADED, true },
          { BBX_LOST_SLICES, true },  { BBX_LOST_BASE, true },   { BBX_LOST_RUNNING, false },
          { BBX_LOST_KILLED, false }, { BBX_LOST_FLOW, false },  { BBX_LOST_BUILDS, false } };
  for (size_t i = 0; i < sizeof of_counts / sizeof *of_counts; i++)
    if (strcmp (cause, of_counts[i].cause) == 0)
      {
        *unbounded = of_counts[i].unbounded;
        return true;
      }
  return false;
}
