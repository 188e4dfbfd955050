/* SPDX-License-Identifier: MIT */
/* bbtrace.gz from the program itself (sequence.c).  Cold, lock held, unless said otherwise. */
#ifndef BBP_SEQUENCE_H
#define BBP_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

void bbp_sequence_choose (void);         /* the user's choice is known */
bool bbp_sequence_is_wanted (void);      /* any */
void bbp_sequence_put (uintptr_t block); /* hot: executed by the calling thread */
void bbp_sequence_object_leaves (void);
void bbp_sequence_end_of_thread (void);
void bbp_sequence_seal (void);        /* nothing is recorded any more */
int bbp_sequence_end (void);          /* the same, and the files are there; 0 or -errno */
const char *bbp_sequence_name (void); /* of the first thread's */
void bbp_sequence_resume (void);      /* after an end by exec, which has failed */
void bbp_sequence_forked (void);

#pragma GCC visibility pop

#endif
