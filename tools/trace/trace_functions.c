/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a line for each function that is entered or left. */
#include <stdlib.h>

#include "common/visible.h"
#include "tools/trace/trace_emit.h"

enum { MOST_INDENTED = 40 };

static bool
thread (struct trace_emitter *e, const struct trace_thread *thread)
{
  trace_print_thread (e, thread);
  return true;
}

static bool
event (struct trace_emitter *e, const struct trace_event *ev)
{
  static const char *const words[] = { [TRACE_ENTER] = ">",
                                       [TRACE_LEAVE] = "<",
                                       [TRACE_LAND] = "^ landed in",
                                       [TRACE_RETURN] = "= returned to",
                                       [TRACE_SIGNAL] = "a signal handler interrupts",
                                       [TRACE_SIGNAL_END] = "the signal handler ends in",
                                       [TRACE_LOST] = "not recorded up to here",
                                       [TRACE_END] = "end" };
  if (ev->kind == TRACE_BLOCK)
    return true;
  fprintf (e->out, "%14.9f %*s%s%s%s%s\n", (double) ev->time / 1e9,
           2 * (int) (ev->depth < MOST_INDENTED ? ev->depth : MOST_INDENTED), "", words[ev->kind],
           ev->block ? " " : "", ev->block ? visible (ev->block->function->name) : "",
           ev->cut ? ", cut off" : "");
  return true;
}

static void
free_functions (struct trace_emitter *e)
{
  free (e);
}

struct trace_emitter *
trace_emit_functions (FILE *out, struct trace *trace, uint64_t window)
{
  static const struct trace_format format = { thread, event, NULL, free_functions };
  struct trace_emitter *e = malloc (sizeof *e);
  if (e)
    *e = (struct trace_emitter) { .format = &format, .out = out, .trace = trace, .window = window };
  return e;
}
