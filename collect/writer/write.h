/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three kinds of work of bbprof-writer.  Each runs until the process ends, on the shared
   memory FD.  False: not such memory, or out of memory. */
#ifndef BBPROF_WRITE_H
#define BBPROF_WRITE_H

#include <stdbool.h>

bool write_trace (int fd);
bool write_samples (int fd);
bool serve_witness (int fd);

#endif
