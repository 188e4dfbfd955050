/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of sidecars as bags: which items are equal, and how two equal ones are united.
   For bbx_sum.c. */
#ifndef BBPROF_SUM_ITEMS_H
#define BBPROF_SUM_ITEMS_H

#include "common/bag.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"

/* Empty bags.  Processes are not united; edges, units, losses and machines add up; equal words and
   blocks are kept once. */
extern const struct bag sum_processes, sum_edges, sum_words, sum_blocks, sum_units, sum_losses,
    sum_machines;

/* Also free what the items own. */
void sum_processes_free (struct bag *);
void sum_words_free (struct bag *);
void sum_blocks_free (struct bag *);
void sum_units_free (struct bag *);

/* Move to other addresses. */
void sum_word_move (struct bbx_run_word *, const struct gmon_moves *);
void sum_block_move (struct bbx_run_block *, const struct gmon_moves *);
void sum_unit_move (struct bbx_run_unit *, const struct gmon_moves *);

#endif
