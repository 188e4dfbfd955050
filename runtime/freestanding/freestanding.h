/* SPDX-License-Identifier: MIT */
/* What the files of the freestanding library share, besides what they take from the other one.
   Context: cold; nobody else runs meanwhile. */
#ifndef BBP_FREESTANDING_H
#define BBP_FREESTANDING_H

#include "runtime/dump/flow.h"

#pragma GCC visibility push(hidden)

/* unit.c: the program, as one module; false: none of its units with a map has run. */
bool bbp_program (struct bbp_module *);

/* memory.c: bbp_pages_map takes from MEMORY of SIZE bytes from now on. */
void bbp_memory_begin (void *memory, size_t size);
size_t bbp_memory_wanted (void); /* since then, whether it was there or not */

/* out.c: bbp_out_bytes gives to WRITER from now on. */
typedef long bbp_writer (void *context, const void *bytes, size_t n);
void bbp_out_begin (struct bbp_out *, bbp_writer *, void *context);
int bbp_out_end (struct bbp_out *); /* 0 or -errno */

#pragma GCC visibility pop

#endif
