/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables in an object's symbol table, also static ones. */
#ifndef BBPROF_ELF_VARIABLES_H
#define BBPROF_ELF_VARIABLES_H

#include <stdint.h>

struct elf_variables;

struct elf_variable {
  uint64_t address, size; /* link-time */
  const char *name;       /* as in the symbol table */
};

/* Opens the variables of the file PATH: from .symtab, or else .dynsym.  A file that cannot be read
   has none.  Null: out of memory. */
struct elf_variables *elf_variables_open (const char *path);
void elf_variables_close (struct elf_variables *); /* null: does nothing */

/* The variable around ADDRESS; null: none.  Valid until elf_variables_close. */
const struct elf_variable *elf_variables_find (const struct elf_variables *, uint64_t address);

#endif
