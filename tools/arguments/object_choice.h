/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --object: chooses objects by a word of the user's. */
#ifndef BBPROF_OBJECT_CHOICE_H
#define BBPROF_OBJECT_CHOICE_H

#include <stdbool.h>

#include "common/error.h"

/* Does PATTERN, of the shell's, match the object by its NAME or by its PATH?  PATTERN null: all
   objects are chosen. */
bool object_choice_is (const char *pattern, const char *name, const char *path);

/* Always false: no function that ran is in an object that matches PATTERN. */
bool object_choice_refuse (const char *pattern, struct error *);

#endif
