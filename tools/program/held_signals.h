/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that wait to be taken, in a command that runs another program: its own are still those
   that the command was started with. */
#ifndef BBPROF_HELD_SIGNALS_H
#define BBPROF_HELD_SIGNALS_H

#include <signal.h>
#include <stddef.h>

/* From here on the N signals NUMBERS, SIGCHLD among them, wait for sigwaitinfo and its kind.
   Once, before the process has threads. */
void held_signals_begin (const int *numbers, size_t n);

/* These. */
const sigset_t *held_signals (void);

/* In the child that becomes the program: mask, and disposition of SIGCHLD, are as they were
   before. */
void held_signals_give_back (void);

#endif
