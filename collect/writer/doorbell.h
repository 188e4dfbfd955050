/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hears the bell of the rings while the writer waits for its monitor, which cannot wait for
   both: a thread of the writer's does nothing but that, and wakes it by a signal. */
#ifndef BBPROF_DOORBELL_H
#define BBPROF_DOORBELL_H

#include "collect/writer/ring_reader.h"

/* The calling thread is to be woken, for good.  False: there is no thread to be had. */
bool doorbell_listen (struct rings *);

#endif
