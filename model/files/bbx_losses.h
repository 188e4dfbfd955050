/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the losses of a sidecar are about. */
#ifndef BBPROF_BBX_LOSSES_H
#define BBPROF_BBX_LOSSES_H

#include <stdbool.h>

/* Does this cause make counts of calls and blocks wrong?  All other causes are about samples.
   *UNBOUNDED: by an unknown amount. */
bool bbx_loss_is_of_counts (const char *cause, bool *unbounded);

#endif
