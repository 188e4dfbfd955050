/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols of an object that is not the executable.  Whatever part of its text has no name gets one in brackets, so
   that no time is lost, nor given to a function of another object. */
#ifndef BBPROF_OBJECT_SYMBOLS_H
#define BBPROF_OBJECT_SYMBOLS_H

#include <stdbool.h>

#include "objects.h"
#include "symtab.h"

/* False if memory is short. */
bool object_symbols_add (struct symtab *, const struct object *, const struct symtab_choice *);

#endif
