/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a sidecar, chunk by chunk (include/bbprof-file.h): a header, the chunks for which there
   are data, then bbx_write_end.  False: out of memory; output_finish reports errors of the disk. */
#ifndef BBPROF_BBX_WRITE_H
#define BBPROF_BBX_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/output.h"
#include "model/files/bbx_read.h"

void bbx_write_header (struct output *, uint64_t run);
bool bbx_write_run (struct output *, const struct bbx_process *);
/* With its image, if it has one. */
bool bbx_write_object (struct output *, const struct bbx_run_object *);
bool bbx_write_edges (struct output *, const struct edge *, size_t n);
/* Open counts of several threads. */
bool bbx_write_open (struct output *, uint32_t which, const struct edge *list, size_t n);
bool bbx_write_jumps (struct output *, uint32_t variant, const struct edge *, size_t n);
bool bbx_write_word (struct output *, const struct bbx_run_word *);
bool bbx_write_block (struct output *, const struct bbx_run_block *);
bool bbx_write_unit (struct output *, const struct bbx_run_unit *);
bool bbx_write_time (struct output *, const struct bbx_time *); /* nothing if it is unknown */
bool bbx_write_machine (struct output *, const struct bbx_machine *);
bool bbx_write_losses (struct output *, const struct bbx_loss *, size_t n);
bool bbx_write_sampling (struct output *, const struct bbx_sampling *);
bool bbx_write_thread (struct output *, const struct bbx_thread *);
bool bbx_write_kernel (struct output *, const struct bbx_kernel *);
/* Parents before their children. */
bool bbx_write_contexts (struct output *, const struct bbx_node *, size_t n);
bool bbx_write_language (struct output *, const struct bbx_language *);
bool bbx_write_spoken (struct output *, const struct bbx_spoken *);
bool bbx_write_rank (struct output *, const struct bbx_run_rank *);
bool bbx_write_end (struct output *);

#endif
