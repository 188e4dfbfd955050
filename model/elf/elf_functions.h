/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbols of .text with their sizes: which function an address is of, where debug
   information does not say it.  The choice is libbfd's, which remembers its last answer and
   gives it again as long as the address is inside. */
#ifndef BBPROF_ELF_FUNCTIONS_H
#define BBPROF_ELF_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct elf_functions;

struct elf_function {
  uint64_t offset, size; /* from the start of .text */
  uint64_t address;
  const char *name;
  bool is_function; /* its type says so, and it has a size */
};

/* Those of the file PATH; null if it is no ELF file, or memory is short. */
struct elf_functions *elf_functions_open (const char *path);
void elf_functions_close (struct elf_functions *);

/* The function at ADDRESS, or the last one before it; null: there is none.  *END becomes the
   first address above where the answer is another, if that is below. */
const struct elf_function *elf_functions_find (struct elf_functions *, uint64_t address,
                                               uint64_t *end);

#endif
