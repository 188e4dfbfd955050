/* SPDX-License-Identifier: MIT */
/* Losses by cause, for the sidecar and for messages.  Context: cold, lock held. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"

/* Calls lost before the last reset. */
static uint64_t calls_settled;

uint64_t
bbp_lost_calls (void)
{
  uint64_t lost = __atomic_load_n (&bbp.lost_arcs, __ATOMIC_RELAXED);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    lost += __atomic_load_n (&thread->lost_arcs, __ATOMIC_RELAXED);
  return lost - calls_settled;
}

static struct bbx_loss
loss (uint64_t count, const char *cause)
{
  struct bbx_loss loss = { .count = count };
  struct bbp_text text = { .buffer = loss.cause, .size = sizeof loss.cause };
  bbp_text_string (&text, cause);
  return loss;
}

void
bbp_losses_gather (struct bbx_loss *losses, const struct bbp_profile *profile)
{
  static const struct bbp_collected nothing;
  const struct bbp_collected *stacks = bbp_collected ? bbp_collected : &nothing;
  struct bbp_sampling_facts facts;
  struct bbx_loss *next = losses;
  bbp_dump_above.describe_sampling (&facts);
  *next++ = loss (bbp_lost_calls (), BBX_LOST_CALLS);
  *next++ = loss (bbp.inexact, BBX_LOST_BLOCKS);
  *next++ = loss (bbp.lost_unloaded + profile->lost_unloaded, BBX_LOST_UNLOADED);
  *next++ = loss (facts.missed, BBX_LOST_TICKS);
  *next++ = loss (bbp.own_samples, BBX_LOST_OWN);
  *next++ = loss (bbp.lost_nowhere + profile->lost_nowhere, BBX_LOST_NOWHERE);
  *next++ = loss (bbp.lost_samples, BBX_LOST_SAMPLES);
  *next++ = loss (bbp.lost_dumps, BBX_LOST_DUMPS);
  *next++ = loss (bbp.lost_slices, BBX_LOST_SLICES);
  *next++ = loss (bbp.lost_flow + profile->flow.lost, BBX_LOST_FLOW);
  *next++ = loss (bbp.no_base, BBX_LOST_BASE);
  *next++ = loss (bbp.lost_running, BBX_LOST_RUNNING);
  *next++ = loss (bbp.killed, BBX_LOST_KILLED);
  *next++ = loss (bbp.lost_times, BBX_LOST_TIMES);
  *next++ = loss (stacks->lost_memory, BBX_LOST_STACKS);
  *next++ = loss (stacks->lost_busy, BBX_LOST_BUSY);
  *next++ = loss (stacks->lost_thread, BBX_LOST_THREADS);
  *next++ = loss (bbp.replaced, BBX_LOST_REPLACED);
  *next++ = loss (bbp.exec_begun, BBX_LOST_REST);
  *next++ = loss (bbp.refused, BBX_LOST_REFUSED);
  _Static_assert(BBP_LOSSES == 20, "one for each of the above");
}

/* Warns once that blocks are counted by signals: no count is lost, but the program is slow. */
static void
report_slow (void)
{
  static bool reported;
  if (reported || !__atomic_load_n (&bbp.by_signals, __ATOMIC_RELAXED))
    return;
  reported = true;
  bbp_message ("blocks are counted by signals, which is slow",
               "the program uses the register GS; compile it with "
               "-fplugin-arg-bbprof-update=atomic");
}

/* Code of the 1990s in a program with threads. */
static void
report_refused (const char *subject)
{
  static bool reported;
  if (reported || !__atomic_load_n (&bbp.refused, __ATOMIC_RELAXED))
    return;
  reported = true;
  bbp_message (subject,
               "blocks of a second thread are not counted, because the variable __bb is not "
               "thread-local; compile with -fplugin=bbprof");
}

/* Out of memory is also reported on stderr, once. */
void
bbp_losses_report (const char *subject)
{
  static bool reported;
  report_slow ();
  report_refused (subject);
  uint64_t calls = bbp_lost_calls ();
  if (reported || (!calls && !bbp.inexact))
    return;
  reported = true;
  if (calls)
    {
      char number[64];
      struct bbp_text text = { .buffer = number, .size = sizeof number };
      bbp_text_number (&text, calls);
      bbp_text_string (&text, " " BBX_LOST_CALLS);
      bbp_message (subject, number);
    }
  else
    bbp_message (subject, "counts of some threads may be too low: out of memory");
}

void
bbp_losses_reset (void)
{
  calls_settled = 0;
  calls_settled = bbp_lost_calls ();
  bbp.lost_unloaded = bbp.lost_nowhere = bbp.lost_dumps = bbp.lost_flow = bbp.lost_running
      = bbp.refused = 0;
}
