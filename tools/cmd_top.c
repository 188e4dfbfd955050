/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof top: which threads of a process run, now. */
#include "config.h"

#include "command.h"
#include "monitor.h"

static enum command_result
run (int argc, char **argv, struct error *err)
{
  (void) argc;
  (void) argv;
  struct monitor *m = monitor_open (&(struct monitor_options) { .pid = 1 }, err);
  monitor_close (m);
  return m ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_top = { .name = "top", .help = "which threads of a process run, now", .run = run };
