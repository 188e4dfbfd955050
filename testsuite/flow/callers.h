// SPDX-License-Identifier: GPL-3.0-or-later
/* Shared by the files of the program: callers.c, many.c made by the test, and two libraries, of
   which plain-library.c is not instrumented. */
#ifdef __cplusplus
#define LINKAGE extern "C"
#else
#define LINKAGE
#endif
int even_sum (int n);
void many_targets (int rounds);
LINKAGE int plain_call (int (*f) (int), int n, int times);
LINKAGE int plain_pass (int (*f) (int), int n);
LINKAGE int other_tail (int n);
LINKAGE int other_add (int n);
LINKAGE int other_sub (int n);
LINKAGE int other_call (int (*f) (int), int n);
