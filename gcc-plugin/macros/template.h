/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's own macro set: a text file with a template for each macro (doc/macros.md), and the tables that belong to it, in the
   historic layout.  Plain C, for the reason that macros.h gives; valid C11 and C++11. */
#ifndef BBPROF_TEMPLATE_H
#define BBPROF_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The macros that are texts. */
enum bbp_template_macro {
  BBP_FUNCTION_PROFILER,       /* counts a call of the function: of -pg */
  BBP_FUNCTION_BLOCK_PROFILER, /* makes the unit known */
  BBP_BLOCK_PROFILER,          /* counts a block */
  BBP_FUNCTION_BLOCK_PROFILER_EXIT, /* the function is about to be left */
  BBP_MACHINE_STATE_SAVE,      /* these two stand around one of the others where something that it changes is in use */
  BBP_MACHINE_STATE_RESTORE,
  BBP_TEMPLATE_MACROS
};

#define BBP_TEMPLATE_CLOBBERS 32

struct bbp_template {
  char *text; /* null: there is no such macro; else lines, each with its end */
  int line;   /* of the file, where it is defined */
  const char *clobbers[BBP_TEMPLATE_CLOBBERS + 1]; /* what the text changes: names of registers; null at the end */
};

struct bbp_template_set {
  const char *file;
  struct bbp_template macros[BBP_TEMPLATE_MACROS];
  bool profile_before_prologue; /* FUNCTION_PROFILER stands before the function's prologue */
  bool no_profile_counters;     /* it needs no variable .LP<labelno> */
};

struct bbp_template_error {
  int line; /* 0: of no line in particular */
  char text[160];
};

/* Read SET from FILE, which has to stay.  False: ERROR says why; what was read by then is not freed. */
bool bbp_template_read (struct bbp_template_set *set, const char *file, struct bbp_template_error *error);

const char *bbp_template_name (enum bbp_template_macro macro);

/* Write the text of MACRO, which there is, with NUMBER in the place of @labelno@, @blockno@ or @id@. */
void bbp_template_write (FILE *file, const struct bbp_template_set *set, enum bbp_template_macro macro, int number);

/* The variable of FUNCTION_PROFILER. */
void bbp_template_write_counter (FILE *file, int labelno, int word_bytes);

/* historic.c: the tables LPBX0 to LPBX6. */
struct bbp_historic_block {
  const char *section_symbol; /* null: label .LPB<n> is good for all; else it is in a COMDAT group: the global symbol in the
                                 same section, or "" if there is none, and nothing outside of the group may say where the block is */
  const char *function, *file; /* for people; or null */
  int line;                    /* 0: not known */
};

struct bbp_historic_unit {
  int word_bytes; /* of pointers and counters */
  bool pic;
  const char *filename;
  const struct bbp_historic_block *blocks;
  int nblocks; /* at least 1 */
  bool calls;  /* the code is that of ax=calls */
};

void bbp_write_historic_tables (FILE *file, const struct bbp_historic_unit *unit);

/* tables.c: TEXT as a string of the assembler. */
void bbp_write_string (FILE *file, const char *text);

#ifdef __cplusplus
}
#endif

#endif
