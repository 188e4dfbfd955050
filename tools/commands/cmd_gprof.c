/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof gprof: runs bbprof-gprof. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/program/part.h"

static const char program[] = "bbprof-gprof";

static enum command_result
run (int argc, char **argv, struct error *err)
{
  const char *path = part_beside ("/bbprof-gprof");
  (void) argc;
  argv[0] = (char *) program;
  if (path)
    execv (path, argv);
  execvp (program, argv);
  error_set (err, program, ERROR_NO_OFFSET,
             "cannot run it: %s; is it in the same folder as bbprof?", strerror (errno));
  return COMMAND_FAILED;
}

const struct command command_gprof = {
  .name = "gprof",
  .summary = "GNU gprof's report, by bbprof-gprof",
  .group = GROUP_LOOK,
  .synopsis = "[option...] [PROGRAM [gmon.out...]]",
  .description = "Runs bbprof-gprof with these arguments; it has the options of GNU gprof.",
  .run = run,
};
