/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A flame graph drawn with characters, for a terminal or a text file. */
#ifndef BBPROF_FLAME_TEXT_H
#define BBPROF_FLAME_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/flame/flame_tree.h"
#include "tools/view/style.h"

/* Draws TREE, which CHOICE made, and what belongs to it: the objects, the functions that are
   looked for, what is hidden.  PROGRAM is the name in the first row; RATE: samples a second;
   STYLE: its columns are not 0.  False: no memory. */
bool flame_text_print (FILE *, const struct flame_tree *tree, const struct flame_choice *choice,
                       const char *program, double rate, const struct style *style);

#endif
