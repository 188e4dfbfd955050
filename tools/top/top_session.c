/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code that the screen and the plain formats share, from one refresh to the next. */
#include "config.h"

#include <inttypes.h>
#include <signal.h>

#include "collect/watch/monitor.h"
#include "tools/top/top.h"

bool
top_refresh (struct top *top)
{
  top_sums_tick (&top->watch.sums,
                 top->watch.ended ? top->watch.ended : top_watch_now (&top->watch));
  if (top->watch.ended && !top->options->json)
    top_sums_whole (&top->watch.sums);
  return top_rows_choose (&top->rows, &top->watch.sums, &top->choice);
}

unsigned
top_patience (uint64_t due, uint64_t now)
{
  uint64_t milliseconds = due > now ? (due - now) / 1000000 + 1 : 0;
  return milliseconds < TOP_PATIENCE ? (unsigned) milliseconds : TOP_PATIENCE;
}

int
top_obey_signals (struct top *top)
{
  bool ours;
  for (int number; (number = top_take_signal (&ours));)
    switch (number)
      {
      case SIGCHLD: break;
      case SIGTSTP: top->stop (); break;
      case SIGCONT:
      case SIGWINCH: top->redraw = true; break;
      default:
        if (!top->program)
          return number;
        top->asked_to_end = true;
        if (ours && !top_program_has_ended (top->program))
          kill (top->program->pid, number);
      }
  return 0;
}

void
top_summarize (const struct top *top, char *text, size_t size)
{
  const struct top_sums *s = &top->watch.sums;
  int64_t switches = s->whole.voluntary + s->whole.involuntary;
  size_t living = 0;
  char own[48] = "";
  for (size_t i = 0; i < s->n; i++)
    living += s->threads[i]->died == TOP_LIVES && !watched_is_own (s->threads[i]->name);
  if (s->own > 0)
    snprintf (own, sizeof own, ", bbprof's own %.1f %%", top_percent (s, s->own));
  snprintf (text, size,
            "%zu thread%s, %.1f %% CPU%s, %.1f %% ready, %.0f switches/s, %" PRIu64 " lost", living,
            living == 1 ? "" : "s", top_percent (s, s->whole.time[TIMELINE_RUNNING]), own,
            top_percent (s, s->whole.time[TIMELINE_READY]), top_rate (s, switches),
            monitor_lost (top->watch.monitor));
}
