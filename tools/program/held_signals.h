/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds back signals in a command that runs another program.  The program still starts with the
   signal mask that the command was started with. */
#ifndef BBPROF_HELD_SIGNALS_H
#define BBPROF_HELD_SIGNALS_H

#include <signal.h>
#include <stddef.h>

/* From now on the N signals NUMBERS, with SIGCHLD among them, stay pending for sigwaitinfo and
   the like.  Called once, before the process has threads. */
void held_signals_begin (const int *numbers, size_t n);

/* The signals that are held back. */
const sigset_t *held_signals (void);

/* In the child, before exec: restores the mask and the disposition of SIGCHLD. */
void held_signals_give_back (void);

#endif
