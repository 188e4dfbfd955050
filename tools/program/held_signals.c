/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tools/program/held_signals.h"

static sigset_t held, mask_before;
static struct sigaction child_before;

void
held_signals_begin (const int *numbers, size_t n)
{
  const struct sigaction action = { .sa_handler = SIG_DFL };
  sigemptyset (&held);
  for (size_t i = 0; i < n; i++)
    sigaddset (&held, numbers[i]);
  sigprocmask (SIG_BLOCK, &held, &mask_before);
  /* If SIGCHLD is ignored, the exit status of children is lost */
  sigaction (SIGCHLD, &action, &child_before);
}

const sigset_t *
held_signals (void)
{
  return &held;
}

void
held_signals_give_back (void)
{
  sigaction (SIGCHLD, &child_before, NULL);
  sigprocmask (SIG_SETMASK, &mask_before, NULL);
}
