/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a line for each block. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/visible.h"
#include "model/symbols/srcline.h"
#include "tools/decode/lines.h"
#include "tools/trace/trace_emit.h"
#include "tools/trace/trace_fold.h"
#include "tools/view/plural.h"

struct text {
  struct trace_emitter base;
  struct lines lines;
  struct fold fold;
  bool folds;
};

static void
print_line (void *of, const struct trace_event *ev, uint64_t times)
{
  struct text *t = of;
  const struct line *line = lines_of (&t->lines, ev->block);
  char place[64] = "?", address[24];
  if (line->file)
    snprintf (place, sizeof place, "%s:%u", visible (srcline_base (line->file)), line->line);
  snprintf (address, sizeof address, "0x%" PRIx64, ev->block->address);
  fprintf (t->base.out, "%12" PRIu64 " %14.9f %5u %12s  %-28s  %s", ev->number,
           (double) ev->time / 1e9, ev->depth, address, place, visible (ev->block->function->name));
  if (times > 1)
    fprintf (t->base.out, "  x%" PRIu64, times);
  fputc ('\n', t->base.out);
}

static void
print_group (void *of, size_t lines, uint64_t times)
{
  struct text *t = of;
  style_put (t->base.style, t->base.out, FAINT);
  fprintf (t->base.out, "%12s %s %zu line%s x%" PRIu64, "", lines == 1 ? "this" : "these", lines,
           plural (lines), times);
  style_put (t->base.style, t->base.out, PLAIN);
  fputc ('\n', t->base.out);
}

void
trace_print_thread (const struct trace_emitter *e, const struct trace_thread *thread)
{
  style_put (e->style, e->out, TITLE);
  fprintf (e->out, "thread %u (%d, %s), from %.9f to %.9f", thread->number, thread->tid,
           visible (thread->name), (double) thread->start / 1e9, (double) thread->end / 1e9);
  if (e->window)
    fprintf (e->out, ", the last %" PRIu64 " blocks", e->window);
  style_put (e->style, e->out, PLAIN);
  fputc ('\n', e->out);
}

static bool
thread (struct trace_emitter *e, const struct trace_thread *thread)
{
  trace_print_thread (e, thread);
  style_put (e->style, e->out, TITLE);
  fprintf (e->out, "%12s %14s %5s %12s  %-28s  %s", "number", "time", "depth", "address",
           "file:line", "function");
  style_put (e->style, e->out, PLAIN);
  fputc ('\n', e->out);
  return true;
}

static void
print_word (const struct text *t, const struct trace_event *ev, const char *word)
{
  style_put (t->base.style, t->base.out, ev->kind == TRACE_LOST || ev->cut ? ALARM : FAINT);
  fprintf (t->base.out, "%12s %14.9f %5u %s", "", (double) ev->time / 1e9, ev->depth, word);
  style_put (t->base.style, t->base.out, PLAIN);
  fputc ('\n', t->base.out);
}

static bool
event (struct trace_emitter *e, const struct trace_event *ev)
{
  struct text *t = (struct text *) e;
  switch (ev->kind)
    {
    case TRACE_BLOCK:
      if (t->folds)
        fold_add (&t->fold, ev);
      else
        print_line (t, ev, 1);
      return true;
    case TRACE_SIGNAL:
    case TRACE_SIGNAL_END:
    case TRACE_LOST:
    case TRACE_END:
      fold_end (&t->fold);
      print_word (t, ev,
                  ev->kind == TRACE_SIGNAL ? "a signal handler begins"
                  : ev->kind == TRACE_SIGNAL_END
                      ? ev->cut ? "the signal handler is cut off" : "the signal handler ends"
                  : ev->kind == TRACE_LOST ? "not recorded up to here"
                  : ev->cut                ? "cut off"
                                           : "end");
      return true;
    case TRACE_ENTER:
    case TRACE_LEAVE:
    case TRACE_LAND:
    case TRACE_RETURN: return true; /* shown by the depth */
    }
  return true;
}

static bool
end (struct trace_emitter *e, struct error *err)
{
  (void) err;
  fold_end (&((struct text *) e)->fold);
  return true;
}

static void
free_text (struct trace_emitter *e)
{
  lines_close (&((struct text *) e)->lines);
  free (e);
}

struct trace_emitter *
trace_emit_text (FILE *out, struct trace *trace, uint64_t window, bool fold)
{
  static const struct trace_format format = { thread, event, end, free_text };
  struct text *t = calloc (1, sizeof *t);
  if (!t)
    return NULL;
  t->base
      = (struct trace_emitter) { .format = &format, .out = out, .trace = trace, .window = window };
  t->fold.line = print_line;
  t->fold.group = print_group;
  t->fold.of = t;
  t->folds = fold;
  if (lines_open (&t->lines, trace))
    return &t->base;
  free (t);
  return NULL;
}
