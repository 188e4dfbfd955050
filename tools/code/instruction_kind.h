/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where control goes behind an instruction, by its assembler text as binutils write it. */
#ifndef BBPROF_INSTRUCTION_KIND_H
#define BBPROF_INSTRUCTION_KIND_H

#include <stdbool.h>

#include "model/elf/image.h"

enum instruction_kind {
  INSTRUCTION_PLAIN,   /* continues with the next instruction */
  INSTRUCTION_PADDING, /* continues with the next instruction, and does nothing */
  INSTRUCTION_BRANCH,  /* continues with the next instruction or at the target */
  INSTRUCTION_JUMP,
  INSTRUCTION_CALL,
  INSTRUCTION_END, /* return, trap: does not continue */
};

/* The kind of the instruction TEXT of MACHINE; plain for machines that are not known.  *INDIRECT:
   an address in it is not where it leads to, but where that is stored. */
enum instruction_kind instruction_kind (enum image_machine machine, const char *text,
                                        bool *indirect);

#endif
