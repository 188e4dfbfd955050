/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's functions in trees of stacks: their names, by number. */
#ifndef BBPROF_BBX_KERNEL_H
#define BBPROF_BBX_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* A hash by number.  Empty: zeros. */
struct bbx_kernel {
  struct bbx_kernel_function *functions; /* private */
};

/* Adds a function; nothing, if it is there.  False: out of memory. */
bool bbx_kernel_add (struct bbx_kernel *, const char *name);
/* Adds all those of another one.  False: out of memory. */
bool bbx_kernel_unite (struct bbx_kernel *, const struct bbx_kernel *);
/* The number of the kernel's function NAME. */
uint64_t bbx_kernel_number (const char *name);
/* The name of the function; null: it is not there. */
const char *bbx_kernel_name (const struct bbx_kernel *, uint64_t number);
/* The name of the next function, in the order of addition or the one that was sorted; *AT is null
   at the beginning.  Null: there are no more. */
const char *bbx_kernel_next (const struct bbx_kernel *, struct bbx_kernel_function **at);
/* Sorts them by number. */
void bbx_kernel_sort (struct bbx_kernel *);
void bbx_kernel_free (struct bbx_kernel *);

#endif
