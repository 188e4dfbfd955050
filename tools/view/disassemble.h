/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as text, through libopcodes (of which all use is in disassemble.c), an
   instruction at a time. */
#ifndef BBPROF_DISASSEMBLE_H
#define BBPROF_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "model/model.h"

enum instruction_kind {
  INSTRUCTION_PLAIN,   /* the next one follows */
  INSTRUCTION_PADDING, /* likewise; it does nothing */
  INSTRUCTION_BRANCH,  /* the next one, or the target */
  INSTRUCTION_JUMP,
  INSTRUCTION_CALL,
  INSTRUCTION_END, /* return, trap: nothing follows */
};

struct instruction {
  uint64_t address; /* in the model */
  unsigned size;    /* bytes */
  enum instruction_kind kind;
  uint64_t target; /* of a jump or call, in the model; 0: it is not in the instruction */
  /* In the assembler's syntax; addresses are those in the object's file, with the symbol's name. */
  char *text;
};

struct disassembler;

/* For the code of OBJECT, which has a file.  Null: no memory, or libopcodes does not know the
   machine. */
struct disassembler *disassembler_open (const struct model *, const struct object *,
                                        struct error *);
void disassembler_close (struct disassembler *);

/* The instruction at ADDRESS, of the model; its text is the caller's to free.  If no code is
   there, its size is 0 and it has no text; what is no instruction is one byte. */
bool disassembler_read (struct disassembler *, uint64_t address, struct instruction *,
                        struct error *);

#endif
