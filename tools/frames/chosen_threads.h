/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --threads of commands that show sampled stacks. */
#ifndef BBPROF_CHOSEN_THREADS_H
#define BBPROF_CHOSEN_THREADS_H

#include <stdbool.h>

#include "model/model.h"

/* For each thread of the model's stacks, in new memory: does LIST choose it (null: all are)?  Null:
   ERR says that it chooses none, or that memory is exhausted. */
bool *chosen_threads (const struct model *, const char *list, struct error *err);

#endif
