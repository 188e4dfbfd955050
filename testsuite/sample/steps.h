/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code that is executed step by step, and what it may request; steps.c. */
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
void subject (void);
void steps_begin (const void *context); /* in a handler, which is executed at full speed at first */
void steps_end (const void *context);
void steps_suspend (bool); /* nothing is compared, because control jumps */
#ifdef __cplusplus
}
#endif
