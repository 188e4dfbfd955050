/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF image of generated code, with symbols and DWARF lines, so that whatever reads a library
   reads it.  It has no instructions: its section .text takes no room. */
#ifndef BBPROF_GENERATED_IMAGE_H
#define BBPROF_GENERATED_IMAGE_H

#include "tools/generated/kept_codes.h"

struct generated_image {
  unsigned char *bytes; /* null: there is no code */
  size_t size;
  uint64_t start, end; /* link-time addresses of the code */
};

/* Gives each piece of code its place.  Pieces of one name lie side by side, with one symbol: code
   that was made again is one function.  False: out of memory. */
bool generated_image_make (struct generated_image *, struct kept_codes *);

#endif
