/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wakes the writer when the process rings the doorbell of its rings.  The writer waits for its
   monitor and cannot wait for both, so a thread waits for the doorbell and interrupts the writer
   by a signal. */
#ifndef BBPROF_DOORBELL_H
#define BBPROF_DOORBELL_H

#include "collect/writer/ring_reader.h"

/* The calling thread is interrupted from now on.  False: the listener thread cannot be created. */
bool doorbell_listen (struct rings *);

#endif
