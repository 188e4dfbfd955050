/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the parts of riscv64's macro set. */
#ifndef BBPROF_RISCV64_H
#define BBPROF_RISCV64_H

#include "gcc-plugin/macros/macros.h"

/* The scratch registers of a variable SITE. */
#define A (site->scratch[0])
#define B (site->scratch[1])

/* riscv64_text.c. */

/* Puts the address of LABEL + OFFSET into register TO. */
void riscv64_address (FILE *file, const char *to, const char *label, long offset);

/* Puts the address of FUNCTION, from the global offset table, into register TO. */
void riscv64_from_table (FILE *file, const char *to, const char *function);

/* Keeps the return address in t0 over a call, where ra holds it. */
void riscv64_save_link (FILE *file, const struct bbp_site *site);
void riscv64_restore_link (FILE *file, const struct bbp_site *site);

/* Calls FUNCTION at an entry; t3 is free. */
void riscv64_call (FILE *file, const char *function, const struct bbp_site *site);

/* Saves or restores the values of scratch registers that are not free: in a floating-point
   register, or in a word on the stack. */
void riscv64_keep (FILE *file, const struct bbp_site *site);
void riscv64_restore (FILE *file, const struct bbp_site *site);

/* riscv64_points.c: see struct bbp_macros, here and below. */
int riscv64_trace_registers (const struct bbp_site *site);
void riscv64_trace_point (FILE *file, const struct bbp_trace_point *point,
                          const struct bbp_site *site);
void riscv64_trace_test (FILE *file, const struct bbp_trace_point *point, int branch,
                         const struct bbp_site *site);
void riscv64_trace_source (FILE *file, int block, const struct bbp_site *site);
void riscv64_trace_enter (FILE *file, int function, int block, const struct bbp_site *site);

/* riscv64_calls.c */
void riscv64_calls_init (FILE *file, int blockno, const struct bbp_site *site);
void riscv64_calls_block (FILE *file, int blockno, const struct bbp_site *site);
void riscv64_calls_exit (FILE *file, int unused, const struct bbp_site *site);

#endif
