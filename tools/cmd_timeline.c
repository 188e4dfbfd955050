/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof timeline: which thread ran when. */
#include "config.h"

#include "command.h"
#include "timeline_emit.h"

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct timeline t;
  bool ok = timeline_open (&t, argc > 1 ? argv[1] : "gmon.out", NULL, argv[0], err);
  timeline_close (&t);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

const struct command command_timeline = { .name = "timeline", .help = "which thread ran when, which waited", .run = run };
