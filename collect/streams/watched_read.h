/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chunks of gmon.out.bbs that say which thread ran when. */
#ifndef BBPROF_WATCHED_READ_H
#define BBPROF_WATCHED_READ_H

#include "collect/streams/chunks.h"
#include "collect/streams/samples_read.h"

/* The chunk of TYPE that was read last, into F if it is one of them.  False: damaged, or memory
   is short; F->why says it. */
bool watched_read (struct samples_file *f, const struct chunks *, uint32_t type);

#endif
