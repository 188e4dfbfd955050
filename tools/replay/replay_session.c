/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/visible.h"
#include "tools/replay/replay_session.h"

bool
replay_session_open (struct replay_session *s, const char *file, struct trace *trace,
                     struct error *err)
{
  *s = (struct replay_session) { .file = file };
  if (replay_open (&s->replay, trace))
    return true;
  return s->replay.nthreads == 0
             ? error_set (err, file, ERROR_NO_OFFSET, "no thread is in this trace")
             : error_no_memory (err);
}

void
replay_session_close (struct replay_session *s)
{
  for (size_t i = 0; i < s->nstops; i++)
    location_free (&s->stops[i]);
  free (s->stops);
  source_free (&s->source);
  replay_close (&s->replay);
}

void
replay_print_block (struct replay_session *s, const struct trace_block *b, FILE *out)
{
  if (!b)
    {
      fputs ("? (not known)", out);
      return;
    }
  const struct line *line = lines_of (&s->replay.lines, b);
  fprintf (out, "%s  0x%" PRIx64, visible (b->function->name), b->address);
  if (line->file)
    fprintf (out, "  %s:%u", visible (line->file), line->line);
}

void
replay_print_place (struct replay_session *s, FILE *out)
{
  const struct thread_block *p = replay_place (&s->replay);
  if (!p)
    {
      fprintf (out, "thread %u has executed nothing", s->replay.thread);
      return;
    }
  fprintf (out, "#%" PRIu64 "  %" PRIu64 ".%09" PRIu64 " s  thread %u  depth %u  ",
           s->replay.number, p->time / 1000000000, p->time % 1000000000, s->replay.thread,
           p->depth);
  replay_print_block (s, p->block, out);
}

void
replay_print_source (struct replay_session *s, FILE *out)
{
  const struct thread_block *p = replay_place (&s->replay);
  const struct line *line = p ? lines_of (&s->replay.lines, p->block) : NULL;
  const char *text = line && line->file ? source_line (&s->source, line->file, line->line) : NULL;
  if (text)
    fprintf (out, "%u\t%s\n", line->line, visible_line (text));
}

void
replay_print_stack (struct replay_session *s, unsigned most, FILE *out)
{
  const struct trace_block *const *frames;
  size_t n = replay_stack (&s->replay, &frames);
  for (size_t i = 0; i < n && i < most; i++)
    {
      fprintf (out, "%2zu  ", i);
      replay_print_block (s, frames[n - 1 - i], out);
      fputc ('\n', out);
    }
}

static void
print_blocks (struct replay_session *s, const struct trace_block *here, unsigned around, FILE *out)
{
  unsigned first = here->index > around ? here->index - around : 0;
  for (unsigned i = first; i < here->function->nblocks && i <= here->index + around; i++)
    {
      fputs (i == here->index ? "=> " : "   ", out);
      replay_print_block (s, &here->function->blocks[i], out);
      fputc ('\n', out);
    }
}

void
replay_print_list (struct replay_session *s, unsigned around, FILE *out)
{
  const struct thread_block *p = replay_place (&s->replay);
  const struct line *line = lines_of (&s->replay.lines, p->block);
  if (!line->file || !source_line (&s->source, line->file, line->line))
    {
      print_blocks (s, p->block, around, out);
      return;
    }
  for (unsigned i = line->line > around ? line->line - around : 1; i <= line->line + around; i++)
    {
      const char *text = source_line (&s->source, line->file, i);
      if (text)
        fprintf (out, "%s%u\t%s\n", i == line->line ? "=> " : "   ", i, visible_line (text));
    }
}
