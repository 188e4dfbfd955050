/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which frames of a stack are shown, where an interpreter executes a language. */
#ifndef BBPROF_FRAMES_CHOICE_H
#define BBPROF_FRAMES_CHOICE_H

#include <stdbool.h>

#include "model/files/bbx_stacks.h"

enum frames_shown {
  FRAMES_BOTH,
  /* Of a stack that has frames of a language only these; other stacks are whole. */
  FRAMES_LANGUAGE,
  FRAMES_NATIVE
};

/* A kind of nodes beside BBX_FRAME_...: they are not shown, and their ticks are their parents'. */
#define FRAMES_HIDDEN ((uint32_t) BBX_FRAMES)

/* Hides the frames of X that are not wanted.  False: out of memory. */
bool frames_choose (struct bbx_stacks *x, enum frames_shown);

#endif
