/* SPDX-License-Identifier: MIT */
/* Shared by the files of the freestanding library, besides what they take from the main library.
   Context: cold; no other thread runs meanwhile. */
#ifndef BBP_FREESTANDING_H
#define BBP_FREESTANDING_H

#include "runtime/dump/flow.h"

#pragma GCC visibility push(hidden)

/* unit.c: the program, as one module; false: none of its units with a map has run. */
bool bbp_program (struct bbp_module *);

/* memory.c: from now on bbp_pages_map takes from MEMORY of SIZE bytes. */
void bbp_memory_begin (void *memory, size_t size);
size_t bbp_memory_wanted (void); /* bytes requested since then, available or not */

/* out.c: from now on bbp_out_bytes gives to WRITER. */
typedef long bbp_writer (void *context, const void *bytes, size_t n);
void bbp_out_begin (struct bbp_out *, bbp_writer *, void *context);
int bbp_out_end (struct bbp_out *); /* 0 or -errno */

#pragma GCC visibility pop

#endif
