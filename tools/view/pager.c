/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static FILE *pager; /* null: none */
static int terminal;

static void
leave (void)
{
  struct error ignored;
  pager_end (&ignored);
}

void
pager_begin (bool may_page)
{
  const char *words = may_page && isatty (STDOUT_FILENO) ? choose_pager () : NULL;
  char *command;
  /* A pager that cannot be run has read nothing. */
  if (!words || asprintf (&command, "%s\ncase $? in 126 | 127) exec cat ;; esac", words) < 0)
    return;
  setenv ("LESS", "FRX", 0);
  terminal = dup (STDOUT_FILENO);
  pager = terminal >= 0 ? popen (command, "w") : NULL;
  free (command);
  if (!pager)
    return;
  /* After popen, because the pager would inherit it.  The pager handles interrupts. */
  signal (SIGPIPE, SIG_IGN);
  signal (SIGINT, SIG_IGN);
  fflush (stdout);
  dup2 (fileno (pager), STDOUT_FILENO);
  atexit (leave);
}

bool
pager_end (struct error *err)
{
  if (!pager)
    return error_if_unwritten (stdout, err);
  fflush (stdout); /* fails if the user has left the pager */
  clearerr (stdout);
  dup2 (terminal, STDOUT_FILENO);
  close (terminal);
  pclose (pager);
  pager = NULL;
  return true;
}

bool
pager_show (const char *text, size_t size, bool may_page, struct error *err)
{
  pager_begin (may_page);
  fwrite (text, 1, size, stdout);
  return pager_end (err);
}
