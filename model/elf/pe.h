/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs and libraries of Windows (PE): their headers, and their debug information in the form
   that libdw reads. */
#ifndef BBPROF_PE_H
#define BBPROF_PE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/elf/image.h"

enum { PE_DIRECTORIES = 16 };

struct pe_header {
  /* The identity of a file that has no build id: time stamp, size of the image, checksum, as the
     run-time library writes it. */
  unsigned char stamp[12];
  uint64_t base; /* the address for which it was linked */
  struct {
    uint32_t rva, bytes; /* relative to the base */
  } directory[PE_DIRECTORIES];
};

/* False: PATH is no such file of 64 bits. */
bool pe_read_header (const char *path, struct pe_header *);

/* A file in memory, in ELF, with the symbols of functions and the DWARF sections of the image.
   Returns a descriptor, which the caller closes; -1: it has no such sections, or out of memory. */
int pe_debug_file (const struct image *);

#endif
