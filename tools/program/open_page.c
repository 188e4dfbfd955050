/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/program/open_page.h"

/* Without this process's standard streams, whose readers would wait for the browser, and without
   its blocked signals.  Returns an error number. */
static int
start (char *file)
{
  char program[] = "xdg-open";
  char *argv[] = { program, file, NULL };
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t child;
  sigemptyset (&none);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask (&attributes, &none);
  int error = posix_spawnp (&child, program, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return error;
}

bool
open_page (const char *name, struct error *err)
{
  char *file = realpath (name, NULL); /* no option, whatever its name */
  int error = file ? start (file) : errno;
  free (file);
  return error == 0
         || error_set (err, name, ERROR_NO_OFFSET, "cannot open the page with xdg-open: %s",
                       strerror (error));
}
