/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A build of a program: its functions by name, and their code. */
#ifndef BBPROF_BUILD_H
#define BBPROF_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "model/model.h"
#include "tools/code/disassemble.h"

struct build_function {
  const struct symbol *symbol;
  size_t plain; /* length of its name without GCC's suffixes */
  bool is_part;
};

struct build {
  struct model model;             /* only its objects, the program alone, and its symbols */
  struct build_function *by_name; /* by plain name, name, address */
  size_t count;                   /* of functions */
  struct disassembler *code;      /* null: not needed yet */
};

/* Opens the program PATH.  False: no program, or one without functions.  Call build_close in both
   cases. */
bool build_open (struct build *, const char *path, struct error *);
void build_close (struct build *);

/* The function of OTHER with the name of S, which is one of the build's.  Of several static ones
   with that name it is the one from the same file, and of the same place among those.  If there is
   none with all of the name, one whose name is the same without GCC's suffixes.  Null: none. */
const struct symbol *build_find_in (const struct build *, const struct symbol *s,
                                    const struct build *other);

/* Do the functions X of A and Y of B have the same instructions, one by one, but for the numbers in
   them?  Then equal distances from their starts are equal places.  Jumps inside of them lead to
   equal places.  False: the code cannot be read. */
bool build_same_code (struct build *a, const struct symbol *x, struct build *b,
                      const struct symbol *y, bool *same, struct error *);

#endif
