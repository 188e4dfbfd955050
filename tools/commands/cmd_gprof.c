/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof gprof: runs bbprof-gprof. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"

static const char program[] = "bbprof-gprof";

/* Beside bbprof's own file; false: that is unknown. */
static bool
find_beside (char path[PATH_MAX])
{
  ssize_t length = readlink ("/proc/self/exe", path, PATH_MAX - sizeof program);
  if (length <= 0)
    return false;
  path[length] = '\0';
  strcpy (strrchr (path, '/') + 1, program);
  return true;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  char path[PATH_MAX];
  (void) argc;
  argv[0] = (char *) program;
  if (find_beside (path))
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
