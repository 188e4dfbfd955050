/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three kinds of work of bbprof-writer: to the end of the process, from the memory FD that
   it shares.  False: it is not such memory, or memory is short. */
#ifndef BBPROF_WRITE_H
#define BBPROF_WRITE_H

#include <stdbool.h>

bool write_trace (int fd);
bool write_samples (int fd);
bool answer_questions (int fd);

#endif
