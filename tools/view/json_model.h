/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the JSON of several commands says of the model in the same words. */
#ifndef BBPROF_JSON_MODEL_H
#define BBPROF_JSON_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/files/edges.h"
#include "model/model.h"
#include "tools/view/block_row.h"

/* The opening brace and the first members: format, version, program, profiles. */
void json_head (FILE *, const char *format, int version, const char *program, const struct model *);

/* An address as a string; 0 as null. */
void json_address (FILE *, uint64_t);

/* One more member, NAME: a list of the N EDGES with their counts; FROM: what they come from, else
   what they lead to. */
void json_edges (FILE *, const struct model *, const char *name, const struct edge *edges, size_t n,
                 bool from);

/* Members: the row's function, object and place in the source. */
void json_block (FILE *, const struct block_row *);

#endif
