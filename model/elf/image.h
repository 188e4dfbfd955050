/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a program or library, through libbfd: its machine, the addresses of its code, its
   raw symbols. libbfd is used only in image.c, debug_file.c, demangle.c, pe_debug.c and
   pe_functions.c, in object_symbols.c, image_symbols.c, symtab_load.c, line_symbols.c and srcline.c
   of model/symbols, and in tools/code/disassemble.c. */
#ifndef BBPROF_IMAGE_H
#define BBPROF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/build_id.h"
#include "common/error.h"

enum image_machine { IMAGE_OTHER, IMAGE_X86, IMAGE_AARCH64, IMAGE_RISCV };

struct image {
  const char *path; /* borrowed */
  struct bfd *bfd;
  struct bfd_section *text; /* the section .text */
  /* Its symbol table, in the order of the file; null until image_read_symbols. */
  struct bfd_symbol **raw;
  size_t nraw;
  /* Stubs of the linkage table, which are in no symbol table: printf@plt; null until
     image_read_stubs. */
  struct bfd_symbol *stubs;
  size_t nstubs;
  struct bfd_symbol **dynamic; /* private: libbfd refers to them */
  int pointer_bytes;           /* 4 or 8: of an address in gmon.out */
  bool big_endian;
  bool is_pe; /* a program or library of Windows */
  enum image_machine machine;
  const char *machine_name;     /* libbfd's */
  uint64_t code_low, code_high; /* contains all sections with machine code; high exclusive */
  uint64_t segment_high;        /* the end of the segment that has them, at least CODE_HIGH */
  struct build_id build_id;
};

/* Opens PATH.  False: not a program or library.  Call image_close in both cases. */
bool image_open (struct image *, const char *path, struct error *);

/* The same for the user's PROGRAM: the error says that it is that file which cannot be opened. */
bool image_open_program (struct image *, const char *path, struct error *);
void image_close (struct image *);

/* Reads its symbol table (.symtab).  A file without one has no raw symbols.  False: the table is
   damaged. */
bool image_read_symbols (struct image *, struct error *);

/* Reads the stubs, if the linkage table has a known form.  After image_read_symbols. */
void image_read_stubs (struct image *);

/* Has it machine code, and not only the names and lines of code?  False, too, if it is not open. */
bool image_has_instructions (const struct image *);

/* The value of the symbol NAME.  False: there is none. */
bool image_find (const struct image *, const char *name, uint64_t *address);

/* Reads a whole section into new memory.  Null, and *SIZE 0: no such section, or it cannot be
   read. */
unsigned char *image_section (const struct image *, const char *name, uint64_t *address,
                              size_t *size);

/* The same for the section of machine code that contains ADDRESS. */
unsigned char *image_code (const struct image *, uint64_t address, uint64_t *start, size_t *size);

#endif
