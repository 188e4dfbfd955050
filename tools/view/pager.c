/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/view/pager.h"

/* Null: none. */
static const char *
choose_pager (void)
{
  const char *pager = getenv ("BBPROF_PAGER");
  if (!pager)
    pager = getenv ("PAGER");
  if (!pager)
    return "less -FRX";
  return *pager && strcmp (pager, "cat") != 0 ? pager : NULL;
}

/* False: there is no such pager, and nothing has been shown. */
static bool
show_by (const char *pager, const char *text, size_t size)
{
  setenv ("LESS", "FRX", 0);
  FILE *to = popen (pager, "w");
  if (!to)
    return false;
  /* Only now, or the pager would ignore them, too.  An interrupt is for the pager to understand. */
  signal (SIGPIPE, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  fwrite (text, 1, size, to);
  int status = pclose (to);
  return !(WIFEXITED (status) && (WEXITSTATUS (status) == 126 || WEXITSTATUS (status) == 127));
}

bool
pager_show (const char *text, size_t size, bool may_page, struct error *err)
{
  const char *pager = may_page && isatty (STDOUT_FILENO) ? choose_pager () : NULL;
  if (pager && show_by (pager, text, size))
    return true;
  fwrite (text, 1, size, stdout);
  return error_if_unwritten (stdout, err);
}
