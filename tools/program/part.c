/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/program/part.h"

char *
part_beside (const char *name)
{
  char path[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", path, sizeof path - 1);
  char *slash = n > 0 ? memrchr (path, '/', (size_t) n) : NULL;
  if (!slash || (size_t) (slash - path) + strlen (name) >= sizeof path)
    return NULL;
  strcpy (slash, name);
  return realpath (path, NULL);
}

/* In memory for good. */
static const char *
find_commands (void)
{
  const char *path = part_beside ("/bbprof-commands");
  if (!path)
    path = part_beside ("/../libexec/bbprof/bbprof-commands");
  return path ? path : BBP_COMMANDS;
}

static bool
fail (const char *path, int error, struct error *err)
{
  return error_set (err, path, ERROR_NO_OFFSET, "cannot run this part of bbprof: %s",
                    strerror (error));
}

void
commands_become (char **argv, struct error *err)
{
  const char *path = find_commands ();
  execv (path, argv);
  fail (path, errno, err);
}

bool
commands_run (char **argv, struct error *err)
{
  const char *path = find_commands ();
  pid_t child;
  int status, error = posix_spawn (&child, path, NULL, NULL, argv, environ);
  if (error)
    return fail (path, error, err);
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  return true;
}
