/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of a line program, DWARF 2 to 5: how to read the program, and the files that it
   names. */
#ifndef BBPROF_LINE_FILES_H
#define BBPROF_LINE_FILES_H

#include "common/dwarf_bytes.h"

struct line_sections {
  struct dwarf_section line, line_str, str; /* the last two: strings */
  bool big_endian;
};

struct line_file {
  const char *name;
  uint64_t folder;
  char *path; /* null until it is needed */
};

struct line_files {
  unsigned version;
  const char *unit_folder; /* of the compilation; null: unknown */
  const char **folders;
  struct line_file *files;
  size_t nfolders, room_folders, nfiles, room_files;
  /* How to run the program. */
  unsigned instruction_bytes, operations, line_range, opcode_base;
  int line_base;
  unsigned char arguments[256]; /* of each standard opcode */
};

/* Reads the header at OFFSET; *PROGRAM becomes the rest.  False: damaged, or out of memory.  Call
   line_files_free in both cases. */
bool line_files_read (struct line_files *, const struct line_sections *, uint64_t offset,
                      const char *unit_folder, struct dwarf_bytes *program);
void line_files_free (struct line_files *);

/* Adds a file in the form of DWARF 2 to 4. */
bool line_files_add (struct line_files *, struct dwarf_bytes *);

/* The path of file NUMBER, joined as libbfd does.  Null: out of memory. */
const char *line_files_path (struct line_files *, uint64_t number);

#endif
