/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For screen.test: interactive replay of a hand-written run. main calls leaf twice; other has no
   lines. */
#include <stdlib.h>

#include "testsuite/unit/tools/fake_trace.h"
#include "tools/replay/replay_session.h"

enum { MAIN, LEAF, OTHER };

static void
call (struct trace *t, unsigned function)
{
  fake_event (t, TRACE_ENTER, function, 0, 2);
  fake_event (t, TRACE_BLOCK, function, 0, 2);
  fake_event (t, TRACE_BLOCK, function, 1, 2);
  fake_event (t, TRACE_LEAVE, function, 1, 2);
}

int
main (void)
{
  static const unsigned no_lines[] = { 0, 0 };
  struct error err;
  struct replay_session session;
  struct trace *t = fake_open ();
  fake_function (t, "main", 3, NULL);
  fake_function (t, "leaf", 2, NULL);
  fake_function (t, "other", 2, no_lines);
  fake_thread (t, "first");
  fake_event (t, TRACE_ENTER, MAIN, 0, 1);
  fake_event (t, TRACE_BLOCK, MAIN, 0, 1); /* #0 */
  call (t, LEAF);                          /* #1, #2 */
  fake_event (t, TRACE_BLOCK, MAIN, 1, 1); /* #3 */
  call (t, OTHER);                         /* #4, #5 */
  fake_event (t, TRACE_BLOCK, MAIN, 2, 1); /* #6 */
  fake_event (t, TRACE_LEAVE, MAIN, 2, 1);
  fake_event (t, TRACE_END, 0, 0, 0);
  bool ok = replay_session_open (&session, "hand.bbt", t, &err) && replay_screen (&session);
  replay_session_close (&session);
  trace_close (t);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
