/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a program or library, through libbfd: what kind of machine it is for, where its
   code is, its raw symbols.  All use of libbfd is in image.c, debug_file.c and demangle.c, in
   object_symbols.c, image_symbols.c, symtab_load.c, line_symbols.c and srcline.c of
   model/symbols, and in tools/view/disassemble.c. */
#ifndef BBPROF_IMAGE_H
#define BBPROF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/build_id.h"
#include "common/error.h"

enum image_machine { IMAGE_OTHER, IMAGE_X86, IMAGE_AARCH64 };

struct image {
  const char *path; /* borrowed */
  struct bfd *bfd;
  struct bfd_section *text; /* the section .text */
  /* Its symbol table, in the order of the file; null until image_read_symbols. */
  struct bfd_symbol **raw;
  size_t nraw;
  /* The code of the linkage table, which no table names: printf@plt; null until
     image_read_stubs. */
  struct bfd_symbol *stubs;
  size_t nstubs;
  struct bfd_symbol **dynamic; /* private: libbfd refers to them */
  int pointer_bytes;           /* 4 or 8: of an address in gmon.out */
  bool big_endian;
  enum image_machine machine;
  const char *machine_name;     /* libbfd's */
  uint64_t code_low, code_high; /* all sections with machine code lie in here; high exclusive */
  struct build_id build_id;
};

/* Opens PATH; false if it is no program or library.  image_close is right in both cases. */
bool image_open (struct image *, const char *path, struct error *);
void image_close (struct image *);

/* Reads its symbol table (.symtab).  A file without one has no raw symbols then; false if the
   table is damaged. */
bool image_read_symbols (struct image *, struct error *);

/* Reads the stubs, if the linkage table can be understood.  After image_read_symbols. */
void image_read_stubs (struct image *);

/* The value of the symbol NAME; false if there is none. */
bool image_find (const struct image *, const char *name, uint64_t *address);

/* Reads a whole section into fresh memory; null with *SIZE 0 if there is no such section or it
   cannot be read. */
unsigned char *image_section (const struct image *, const char *name, uint64_t *address,
                              size_t *size);

#endif
