/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs and libraries of Windows (PE): their identity, and their debug information in the form
   that libdw reads. */
#ifndef BBPROF_PE_H
#define BBPROF_PE_H

#include "common/build_id.h"
#include "model/elf/image.h"

/* The identity of a file that has no build id: time stamp, size of the image, checksum, as the
   run-time library writes it.  Leaves ID as it is if PATH is no such file. */
void pe_stamp (const char *path, struct build_id *id);

/* A file in memory, in ELF, with the symbols of functions and the DWARF sections of the image.
   Returns a descriptor, which the caller closes; -1: it has no such sections, or out of memory. */
int pe_debug_file (const struct image *);

#endif
