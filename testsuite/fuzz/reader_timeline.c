/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes bbprof timeline with a gmon.out.bbs of any times and numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "collect/streams/samples_read.h"
#include "common/error.h"
#include "testsuite/fuzz/reader.h"
#include "tools/intervals/timeline_make.h"
#include "tools/timeline/timeline_view.h"

#define FILE_NAME "input"

/* One behind the other, from birth to death, within the whole. */
static void
check_lives (const struct timeline *t)
{
  for (size_t k = 0; k < t->nthreads; k++)
    {
      const struct timeline_thread *thread = &t->threads[k];
      uint64_t at = thread->begun;
      if (thread->begun < t->start || thread->ended > t->end || !thread->name)
        abort ();
      for (size_t i = 0; i < thread->nintervals; at = thread->intervals[i++].end)
        if (thread->intervals[i].start != at || thread->intervals[i].end < at
            || thread->intervals[i].state >= TIMELINE_STATES
            || thread->intervals[i].why >= BBS_WHYS)
          abort ();
      if (at != thread->ended)
        abort ();
    }
}

static void
show (const struct timeline *t)
{
  static timeline_emitter *const emitters[] = { timeline_emit_text, timeline_emit_svg,
                                                timeline_emit_html, timeline_emit_chrome,
                                                timeline_emit_json };
  static FILE *out;
  struct error err;
  out = out ? out : fopen ("/dev/null", "w");
  for (int by_cpu = 0; by_cpu < 2; by_cpu++)
    {
      struct timeline_view v
          = { .by_cpu = by_cpu, .ascii = by_cpu, .style = { .columns = 80, .colour = by_cpu } };
      const struct timeline_choice choice = { .from = by_cpu ? "25%" : NULL };
      if (timeline_view_make (&v, t, &choice, &err))
        for (size_t i = 0; i < sizeof emitters / sizeof *emitters; i++)
          {
            if (!emitters[i](out, &v, &err))
              reader_check_error (&err);
          }
      else
        reader_check_error (&err);
      timeline_view_free (&v);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct samples_file f;
  struct timeline t = { .program = NULL };
  struct error err;
  reader_put_chunks (FILE_NAME, data, size);
  if (samples_file_open (&f, FILE_NAME, &err))
    {
      const struct timeline_input input = { .watch = f.watch, .watched = &f.watched };
      if (f.watch.how && timeline_make (&t, &input, &err))
        {
          check_lives (&t);
          show (&t);
        }
      timeline_close (&t);
    }
  samples_file_close (&f);
  return 0;
}
