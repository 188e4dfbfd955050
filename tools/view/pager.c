/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/view/pager.h"

/* Returns the pager's command; null: none. */
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

/* False: the pager could not be run and nothing was shown. */
static bool
show_by (const char *pager, const char *text, size_t size)
{
  setenv ("LESS", "FRX", 0);
  FILE *to = popen (pager, "w");
  if (!to)
    return false;
  /* After popen, because the pager would inherit it.  The pager handles interrupts. */
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
