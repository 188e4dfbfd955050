/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of gmon.out.bbs. */
#include <stdlib.h>
#include <string.h>

#include "collect/streams/samples_read.h"
#include "common/error.h"
#include "testsuite/fuzz/reader.h"

#define FILE_NAME "input"

/* In order of time, with what the enumerations know; texts end. */
static void
check_watched (const struct watched *w)
{
  for (size_t i = 0; i < w->nswitches; i++)
    if (w->switches[i].kind >= BBS_SWITCH_KINDS
        || (i > 0 && w->switches[i].time < w->switches[i - 1].time))
      abort ();
  for (size_t i = 0; i < w->nlooks; i++)
    if (w->looks[i].why >= BBS_WHYS || (i > 0 && w->looks[i].time < w->looks[i - 1].time))
      abort ();
  for (size_t i = 0; i < w->nnames; i++)
    if (!memchr (w->names[i].name, '\0', sizeof w->names[i].name)
        || (i > 0 && w->names[i].time < w->names[i - 1].time))
      abort ();
  for (size_t i = 0; i < w->nmarks; i++)
    if (!memchr (w->marks[i].text, '\0', sizeof w->marks[i].text)
        || (i > 0 && w->marks[i].time < w->marks[i - 1].time))
      abort ();
}

/* In order of time, and what is not whole says why. */
static void
check (const struct samples_file *f)
{
  check_watched (&f->watched);
  if (f->watch.how > BBS_BY_POLLS)
    abort ();
  if (!f->whole)
    reader_check_error (&f->why);
  for (size_t i = 0; i < f->nthreads; i++)
    {
      if (i > 0 && f->threads[i - 1].number >= f->threads[i].number)
        abort ();
      for (size_t k = 1; k < f->threads[i].n; k++)
        if (f->threads[i].samples[k].time < f->threads[i].samples[k - 1].time)
          abort ();
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct samples_file f;
  struct error err;
  reader_put_chunks (FILE_NAME, data, size);
  if (samples_file_open (&f, FILE_NAME, &err))
    check (&f);
  else
    reader_check_error (&err);
  samples_file_close (&f);
  return 0;
}
