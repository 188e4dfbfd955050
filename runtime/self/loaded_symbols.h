/* SPDX-License-Identifier: MIT */
/* The symbols of a loaded object's functions, from its file. */
#ifndef BBP_LOADED_SYMBOLS_H
#define BBP_LOADED_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct bbp_object;

#pragma GCC visibility push(hidden)

struct bbp_symbol {
  uintptr_t start, end; /* link-time addresses; equal: the symbol has no size */
  char name[256];       /* cut if longer */
};

/* The function NAME of OBJECT, as the linker knows it.  Cold: reads the file.  0; -ENOENT: there
   is none; -ENOTUNIQ: there are several; -ENODATA: none, but the file is stripped, or not that
   of the loaded object, or there is no memory to read it. */
int bbp_symbol_find (const struct bbp_object *, const char *name, struct bbp_symbol *);
/* The function that contains the link-time address, likewise; of several names a global one. */
int bbp_symbol_at (const struct bbp_object *, uintptr_t address, struct bbp_symbol *);

#pragma GCC visibility pop

#endif
