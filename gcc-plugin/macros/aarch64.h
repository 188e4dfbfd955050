/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the parts of aarch64's macro set. */
#ifndef BBPROF_AARCH64_H
#define BBPROF_AARCH64_H

#include "gcc-plugin/macros/macros.h"

/* The scratch registers of a variable SITE. */
#define A (site->scratch[0])
#define B (site->scratch[1])
#define C (site->scratch[2])

/* aarch64_text.c. */

/* Puts the address of LABEL + OFFSET into register TO; LARGE: it may be at any distance. */
void aarch64_address (FILE *file, const char *to, const char *label, long offset, bool large);

/* Puts the address of FUNCTION, from the global offset table, into register TO. */
void aarch64_from_table (FILE *file, const char *to, const char *function);

/* Keeps the return address in x9 over a call, where the link register holds it. */
void aarch64_save_link (FILE *file, const struct bbp_site *site);
void aarch64_restore_link (FILE *file, const struct bbp_site *site);

/* Calls FUNCTION at an entry; x17 is free. */
void aarch64_call (FILE *file, const char *function, const struct bbp_site *site);

/* Saves or restores the values of scratch registers that are not free: in a vector register, or in
   a word on the stack. */
void aarch64_keep (FILE *file, const struct bbp_site *site);
void aarch64_restore (FILE *file, const struct bbp_site *site);

/* aarch64_points.c: see struct bbp_macros, here and below. */
int aarch64_trace_registers (const struct bbp_site *site);
void aarch64_trace_point (FILE *file, const struct bbp_trace_point *point,
                          const struct bbp_site *site);
void aarch64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                         const struct bbp_site *site);
int aarch64_source_registers (const struct bbp_site *site);
void aarch64_trace_source (FILE *file, int block, const struct bbp_site *site);
void aarch64_trace_enter (FILE *file, int function, int block, const struct bbp_site *site);

/* aarch64_calls.c */
void aarch64_calls_init (FILE *file, int blockno, const struct bbp_site *site);
void aarch64_calls_block (FILE *file, int blockno, const struct bbp_site *site);
void aarch64_calls_exit (FILE *file, int unused, const struct bbp_site *site);

#endif
