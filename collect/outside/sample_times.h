/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the samples of a process were taken: gmon.out.bbs. */
#ifndef BBPROF_SAMPLE_TIMES_H
#define BBPROF_SAMPLE_TIMES_H

#include "collect/outside/outside_process.h"
#include "include/bbprof-samples.h"

/* Samples of all threads of a process, at most; the times of further ones are lost. */
enum { SAMPLE_TIMES_MOST = 4 << 20 };

/* Keeps a sample; one without memory is counted as lost. */
void sample_times_add (struct process *, struct process_thread *, const struct bbs_sample *);

/* Writes the times of P beside the profile OUTPUT; nothing, if there are none.  False: they are
   lost. */
bool sample_times_write (const struct process *p, const char *output);

#endif
