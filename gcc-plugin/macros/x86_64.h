/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the parts of x86-64's macro set. */
#ifndef BBPROF_X86_64_H
#define BBPROF_X86_64_H

#include "gcc-plugin/macros/macros.h"

/* x86_64_text.c. */

/* A new number for internal labels. */
int x86_64_label (void);

/* The assembler's name of the register that GCC calls NAME. */
const char *x86_64_register (const char *name);

/* The scratch registers of a variable SITE. */
#define A x86_64_register (site->scratch[0])
#define B x86_64_register (site->scratch[1])

/* Saves the values of scratch registers that are not free, and restores them. */
void x86_64_keep (FILE *, const struct bbp_site *);
void x86_64_restore (FILE *, const struct bbp_site *);

/* Calls FUNCTION, but not through a lazily bound PLT, which may change the static chain register
   and %r11. Changes the flags, in the large model %r11, and what FUNCTION changes. */
void x86_64_call (FILE *, const char *function, const struct bbp_site *);

/* Adds 1 to the counter at OPERAND, which does not use %rax if the flags are live. */
void x86_64_increment (FILE *, const char *operand, const struct bbp_site *);

/* Members of struct bbp_macros: the trace points, x86_64_points.c. */
int x86_64_trace_registers (const struct bbp_site *);
int x86_64_outside_registers (const struct bbp_site *);
void x86_64_trace_point (FILE *, const struct bbp_trace_point *, const struct bbp_site *);
void x86_64_trace_test (FILE *, const struct bbp_trace_point *, int branch,
                        const struct bbp_site *);
int x86_64_source_registers (const struct bbp_site *);
void x86_64_trace_source (FILE *, int block, const struct bbp_site *);
void x86_64_trace_enter (FILE *, int function, int block, const struct bbp_site *);

/* The historic calls of mode 2, x86_64_calls.c. */
void x86_64_calls_init (FILE *, int blockno, const struct bbp_site *);
void x86_64_calls_block (FILE *, int blockno, const struct bbp_site *);
void x86_64_calls_exit (FILE *, int, const struct bbp_site *);

#endif
