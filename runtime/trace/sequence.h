/* SPDX-License-Identifier: MIT */
/* Writes bbtrace.gz from the program itself (sequence.c).  Cold, lock held, unless a line says
   otherwise. */
#ifndef BBP_SEQUENCE_H
#define BBP_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void bbp_sequence_choose (void);         /* the user's selection is known */
bool bbp_sequence_is_wanted (void);      /* any */
void bbp_sequence_put (uintptr_t block); /* hot: the calling thread executes the block */
void bbp_sequence_object_leaves (void);
void bbp_sequence_end_of_thread (void);
void bbp_sequence_seal (void);        /* recording ends */
int bbp_sequence_end (void);          /* the same, and writes the files; 0 or -errno */
const char *bbp_sequence_name (void); /* name of the first thread's file */
void bbp_sequence_resume (void);      /* after an end by exec, which has failed */
void bbp_sequence_forked (void);

#pragma GCC visibility pop

#endif
