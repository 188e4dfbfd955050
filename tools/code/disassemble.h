/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembles machine code, one instruction at a time: by libopcodes, which only disassemble.c
   uses, or, where that does not know the machine, by its objdump. */
#ifndef BBPROF_DISASSEMBLE_H
#define BBPROF_DISASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "model/model.h"
#include "tools/code/instruction_kind.h"

struct instruction {
  uint64_t address; /* in the model */
  unsigned size;    /* bytes */
  enum instruction_kind kind;
  uint64_t target; /* target of a jump or call, in the model; 0: not in the instruction */
  /* In assembler syntax.  Addresses are those in the object's file, with the symbol's name. */
  char *text;
};

struct disassembler;

/* Opens the code of OBJECT, which has a file.  Null: no memory, or the machine is not known. */
struct disassembler *disassembler_open (const struct model *, const struct object *,
                                        struct error *);
void disassembler_close (struct disassembler *);

/* Reads the instruction at ADDRESS (in the model).  The caller frees its text.  Size 0 and no
   text: there is no code.  Bytes that are no instruction are returned one by one. */
bool disassembler_read (struct disassembler *, uint64_t address, struct instruction *,
                        struct error *);

#endif
