/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "monitor.h"

struct monitor *
monitor_open (const struct monitor_options *options, struct error *err)
{
  (void) options;
  return error_set (err, NULL, ERROR_NO_OFFSET, "threads cannot be watched"), NULL;
}

void
monitor_close (struct monitor *m)
{
  (void) m;
}

const struct bbs_watch *
monitor_watch (const struct monitor *m)
{
  (void) m;
  return NULL;
}

void
monitor_wait (struct monitor *m, unsigned milliseconds)
{
  (void) m;
  (void) milliseconds;
}

bool
monitor_take (struct monitor *m, struct watched *w, bool last)
{
  (void) m;
  (void) w;
  (void) last;
  return false;
}

uint64_t
monitor_lost (const struct monitor *m)
{
  (void) m;
  return 0;
}
