/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "collect/outside/sample_times.h"
#include "collect/outside/switch_times.h"
#include "collect/streams/file_write.h"
#include "collect/streams/samples_pack.h"
#include "common/array.h"

void
sample_times_add (struct process *p, struct process_thread *t, const struct bbs_sample *s)
{
  if (p->ntimes == SAMPLE_TIMES_MOST
      || !array_grow (&t->times, t->ntimes, &t->room_times, sizeof *t->times))
    {
      p->lost_times++;
      return;
    }
  t->times[t->ntimes++] = *s;
  p->ntimes++;
}

/* N samples of a thread as a chunk, behind a chunk of their flags. */
static bool
write_chunk (struct trace_out *out, struct packer *packer, uint32_t thread,
             const struct bbs_sample *samples, size_t n)
{
  struct bytes flags = { .data = NULL }, content = { .data = NULL };
  const bool good = samples_pack_flags (packer, samples, n, &flags)
                    && samples_pack (packer, thread, samples, n, 0, &content);
  if (good && samples_have_flags (samples, n))
    trace_out_chunk (out, BBS_TYPE_FLAGS, flags.data, flags.size);
  if (good)
    trace_out_chunk (out, BBS_TYPE_SAMPLES, content.data, content.size);
  bytes_free (&flags);
  bytes_free (&content);
  return good && !out->error;
}

static bool
write_thread (struct trace_out *out, struct packer *packer, const struct process_thread *t)
{
  bool good = true;
  for (size_t i = 0, n; good && i < t->ntimes; i += n)
    {
      n = t->ntimes - i < BBS_CHUNK_MOST ? t->ntimes - i : BBS_CHUNK_MOST;
      good = write_chunk (out, packer, t->number, t->times + i, n);
    }
  return good;
}

bool
sample_times_write (const struct process *p, const char *output)
{
  struct trace_out out = { .fd = -1 };
  struct packer packer;
  char *name;
  if (p->ntimes == 0 && !p->switches)
    return true;
  if (asprintf (&name, "%s" BBS_SUFFIX, output) < 0)
    return false;
  bool good = packer_begin (&packer);
  if (good)
    {
      trace_out_open (&out, name, BBS_FILE_MAGIC, BBS_VERSION, p->run);
      for (size_t i = 0; good && i < p->nthreads; i++)
        good = write_thread (&out, &packer, p->all[i]);
      good = good && switch_times_write (p, &packer, &out);
      const struct bbx_loss lost = { switch_times_lost (p), BBS_LOST_SWITCHES };
      trace_out_finish (&out, &lost, p->switches ? 1 : 0);
      packer_end (&packer);
    }
  free (name);
  return good && !out.error;
}
