/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the chunks of gmon.out.bbs with the states of threads. */
#ifndef BBPROF_WATCHED_READ_H
#define BBPROF_WATCHED_READ_H

#include "collect/streams/chunks.h"
#include "collect/streams/samples_read.h"

/* Reads the current chunk, of TYPE, into F if it is one of these.  False: damaged, or out of
   memory, as F->why says. */
bool watched_read (struct samples_file *f, const struct chunks *, uint32_t type);

#endif
