/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of an object that its symbol table names, static ones included. */
#ifndef BBPROF_ELF_VARIABLES_H
#define BBPROF_ELF_VARIABLES_H

#include <stdint.h>

struct elf_variables;

struct elf_variable {
  uint64_t address, size; /* link-time */
  const char *name;       /* as the linker has it */
};

/* Those of the file PATH: by .symtab, or else .dynsym.  A file that cannot be read has none.  Null:
   no memory. */
struct elf_variables *elf_variables_open (const char *path);
void elf_variables_close (struct elf_variables *); /* null: nothing to do */

/* The variable that ADDRESS lies in; null: none.  Good up to elf_variables_close. */
const struct elf_variable *elf_variables_find (const struct elf_variables *, uint64_t address);

#endif
