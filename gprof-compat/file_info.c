/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "common/visible.h"
#include "gprof-compat/file_info.h"

static void
print_count (FILE *out, uint64_t count, const char *kind)
{
  fprintf (out, "\t%" PRIu64 " %s record%s\n", count, kind, count == 1 ? "" : "s");
}

void
file_info_print (FILE *out, const struct model *m)
{
  for (size_t i = 0; i < m->nruns; i++)
    {
      const struct run *r = &m->runs[i];
      if (!r->is_read)
        continue;
      fprintf (out, "File `%s' (version %u) contains:\n", visible (r->profile), r->version);
      print_count (out, r->records.histograms, "histogram");
      print_count (out, r->records.calls, "call-graph");
      print_count (out, r->records.blocks, "basic-block count");
    }
}
