/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON members that several commands print from the model. */
#ifndef BBPROF_JSON_MODEL_H
#define BBPROF_JSON_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/files/edges.h"
#include "model/model.h"
#include "tools/view/block_row.h"

/* Prints the opening brace and the first members: format, version, program, profiles. */
void json_head (FILE *, const char *format, int version, const char *program, const struct model *);

/* Prints an address as a string; 0 as null. */
void json_address (FILE *, uint64_t);

/* Prints one more member, NAME: the N EDGES with their counts.  FROM: lists the blocks that they
   come from, else those that they lead to. */
void json_edges (FILE *, const struct model *, const char *name, const struct edge *edges, size_t n,
                 bool from);

/* Prints the member "languages": what is known of the languages' samples.  It may also stand inside
   a script element of HTML. */
void json_languages (FILE *, const struct model *);

/* Prints the row's function, object, file and line as members. */
void json_block (FILE *, const struct block_row *);

#endif
