/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols of .text with their sizes: the function of an address that debug information does not
   know. The choice is the same as in libbfd, which returns its last answer again while the address
   is inside of it. */
#ifndef BBPROF_ELF_FUNCTIONS_H
#define BBPROF_ELF_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct elf_functions;

struct elf_function {
  uint64_t offset, size; /* from the start of .text */
  uint64_t address;
  const char *name;
  bool is_function; /* by its type, and it has a size */
};

/* The functions of the file PATH; null: not an ELF file, or out of memory. */
struct elf_functions *elf_functions_open (const char *path);
void elf_functions_close (struct elf_functions *);

/* The function at ADDRESS, or the last one before it; null: none.  Lowers *END to the next
   address with another answer, if that is below. */
const struct elf_function *elf_functions_find (struct elf_functions *, uint64_t address,
                                               uint64_t *end);

#endif
