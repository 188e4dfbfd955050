/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "polls.h"

struct polls *
polls_open (pid_t pid, uint64_t started, unsigned rate, struct error *err)
{
  (void) pid;
  (void) started;
  (void) rate;
  return error_set (err, NULL, ERROR_NO_OFFSET, "threads cannot be polled"), NULL;
}

void
polls_close (struct polls *polls)
{
  (void) polls;
}

enum bbs_reasons
polls_reasons (const struct polls *polls)
{
  (void) polls;
  return BBS_REASONS_NONE;
}

uint64_t
polls_due (const struct polls *polls)
{
  (void) polls;
  return 0;
}

bool
polls_take (struct polls *polls, struct watched *w, bool last)
{
  (void) polls;
  (void) w;
  (void) last;
  return false;
}
