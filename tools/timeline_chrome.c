/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "timeline_emit.h"

bool
timeline_emit_chrome (FILE *out, const struct timeline_view *view, struct error *err)
{
  (void) out;
  (void) view;
  return error_set (err, NULL, ERROR_NO_OFFSET, "no such view");
}
