/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processors whose profiles are recovered: the decoder of code, and the relocations of slots. */
#ifndef BBPROF_DECODERS_H
#define BBPROF_DECODERS_H

#include <stdint.h>

#include "runtime/dump/decoder.h"

/* decoder.c */
extern const struct bbp_decoder decoder_x86_64, decoder_aarch64, decoder_riscv64;

struct processor {
  uint16_t elf; /* its number in ELF headers */
  const struct bbp_decoder *decoder;
  /* Types of relocations: of the object's base and an addend; of a symbol's address, both ways in
     which slots have them. */
  uint32_t relative, address[2];
};

/* Null: there is none of that number. */
const struct processor *processor_find (uint16_t elf);

#endif
