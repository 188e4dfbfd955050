/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints one JSON document per line: first the head, then threads and events.  The format is
   stable: members are added; none is changed or removed without a new version number. */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/decode/lines.h"
#include "tools/decode/trace_model.h"
#include "tools/trace/trace_emit.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

struct json {
  struct trace_emitter base;
  struct lines lines;
  bool functions; /* without TRACE_BLOCK events */
};

static bool
thread (struct trace_emitter *e, const struct trace_thread *thread)
{
  fprintf (e->out, "{\"thread\": %u, \"tid\": %d, \"name\": ", thread->number, thread->tid);
  json_string (e->out, thread->name);
  fprintf (e->out, ", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 "}\n", thread->start,
           thread->end);
  return true;
}

static void
print_block (struct json *j, const struct trace_block *block)
{
  FILE *out = j->base.out;
  const struct line *line = lines_of (&j->lines, block);
  fprintf (out, ", \"address\": \"0x%" PRIx64 "\", \"function\": ", block->address);
  json_string (out, block->function->name);
  fputs (", \"object\": ", out);
  json_string (out, block->function->object);
  fputs (", \"file\": ", out);
  json_string (out, line->file);
  if (line->file)
    fprintf (out, ", \"line\": %u", line->line);
}

static bool
event (struct trace_emitter *e, const struct trace_event *ev)
{
  static const char *const words[] = { [TRACE_ENTER] = "enter",
                                       [TRACE_BLOCK] = "block",
                                       [TRACE_LEAVE] = "leave",
                                       [TRACE_LAND] = "land",
                                       [TRACE_RETURN] = "return",
                                       [TRACE_SIGNAL] = "signal",
                                       [TRACE_SIGNAL_END] = "signal_end",
                                       [TRACE_LOST] = "lost",
                                       [TRACE_END] = "end" };
  struct json *j = (struct json *) e;
  if (j->functions && ev->kind == TRACE_BLOCK)
    return true;
  fprintf (e->out,
           "{\"event\": \"%s\", \"number\": %" PRIu64 ", \"time_ns\": %" PRIu64 ", \"depth\": %u",
           words[ev->kind], ev->number, ev->time, ev->depth);
  if (ev->block)
    print_block (j, ev->block);
  if (ev->cut)
    fputs (", \"cut\": true", e->out);
  if (ev->kind == TRACE_LOST)
    {
      fputs (", \"why\": ", e->out);
      json_string (e->out, ev->why);
    }
  fputs ("}\n", e->out);
  return true;
}

static void
free_json (struct trace_emitter *e)
{
  lines_close (&((struct json *) e)->lines);
  free (e);
}

struct trace_emitter *
trace_emit_json (FILE *out, struct trace *trace, uint64_t window, bool functions)
{
  static const struct trace_format format = { thread, event, NULL, free_json };
  struct json *j = calloc (1, sizeof *j);
  if (!j)
    return NULL;
  j->base
      = (struct trace_emitter) { .format = &format, .out = out, .trace = trace, .window = window };
  j->functions = functions;
  if (!lines_open (&j->lines, trace))
    {
      free (j);
      return NULL;
    }
  fprintf (out, "{\"format\": \"bbprof-trace\", \"version\": %d, \"program\": ", VERSION);
  json_string (out, trace->pieces.program);
  fprintf (out, ", \"pid\": %" PRIu32 ", \"started_ns\": %" PRIu64, trace->pieces.about.pid,
           trace->pieces.about.started);
  if (window)
    fprintf (out, ", \"window\": %" PRIu64, window);
  fputs ("}\n", out);
  return &j->base;
}
