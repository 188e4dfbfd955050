/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's own macro set: a text file with a template for each macro, or an object with a
   function for each (doc/reference/macros.md); and its tables in the historic layout.  Plain C, for
   the reason in macros.h; valid C11 and C++11. */
#ifndef BBPROF_TEMPLATE_H
#define BBPROF_TEMPLATE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The macros that have texts. */
enum bbp_template_macro {
  BBP_FUNCTION_PROFILER,            /* counts a call of the function: of -pg */
  BBP_FUNCTION_BLOCK_PROFILER,      /* registers the unit */
  BBP_BLOCK_PROFILER,               /* counts a block */
  BBP_FUNCTION_BLOCK_PROFILER_EXIT, /* runs before the function is left */
  /* These two are put around another macro's text where it changes something that is in use. */
  BBP_MACHINE_STATE_SAVE,
  BBP_MACHINE_STATE_RESTORE,
  BBP_TEMPLATE_MACROS
};

#define BBP_TEMPLATE_CLOBBERS 32

/* The code for which texts are selected. */
struct bbp_code {
  int profile_block_flag; /* GCC 2.95's */
  int pic, pie, level;    /* GCC's flag_pic, flag_pie and optimize; those names are macros there */
  int pointer_bits;
};

/* Conditions of a definition: kinds of code that it applies to. */
enum { BBP_IF_PIC = 1, BBP_IF_PIE = 2, BBP_IF_AX = 4, BBP_IF_OPTIMIZE = 8 };

/* One definition of a macro. */
struct bbp_template {
  struct bbp_template *next; /* the next one of the same macro, in the order of the file */
  char *text;                /* lines, each with its end; null in an object */
  int line;                  /* of the file; 0 in an object */
  unsigned if_set, if_clear; /* BBP_IF_...: those that must hold, and those that must not */
  /* Names of registers that the text changes; ends with null. */
  const char *clobbers[BBP_TEMPLATE_CLOBBERS + 1];
};

struct bbp_template_set {
  const char *file;
  /* Of an object: has its function write MACRO for NUMBER.  Null: the definitions have texts. */
  void (*write) (FILE *file, const struct bbp_template_set *set, enum bbp_template_macro macro,
                 int number);
  struct bbp_template *definitions[BBP_TEMPLATE_MACROS]; /* all of them, or null */
  struct bbp_code code;                                  /* the code that was selected for last */
  /* The definitions for that code, or null. */
  const struct bbp_template *macros[BBP_TEMPLATE_MACROS];
  bool profile_before_prologue; /* FUNCTION_PROFILER goes before the function's prologue */
  bool no_profile_counters;     /* it needs no variable .LP<labelno> */
};

struct bbp_template_error {
  int line; /* 0: no particular line */
  char text[200];
};

/* Reads SET from FILE, which must stay valid.  False: see ERROR; memory used so far is not
   freed. */
bool bbp_template_read (struct bbp_template_set *set, const char *file,
                        struct bbp_template_error *error);

/* Sets ERROR.  Always false. */
bool bbp_template_fail (struct bbp_template_error *error, int line, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* Selects the definitions for CODE.  False: ERROR says why they do not suffice. */
bool bbp_template_choose (struct bbp_template_set *set, const struct bbp_code *code,
                          struct bbp_template_error *error);

/* The macro's name as the user writes it. */
const char *bbp_template_name (const struct bbp_template_set *set, enum bbp_template_macro macro);

/* The text of MACRO, which must be defined, for NUMBER, in lines, each with its end, in new
   memory. Null: out of memory. */
char *bbp_template_text (const struct bbp_template_set *set, enum bbp_template_macro macro,
                         int number);

/* Writes the variable of FUNCTION_PROFILER. */
void bbp_template_write_counter (FILE *file, int labelno, int word_bytes);

/* historic.c: the tables LPBX0 to LPBX6. */
struct bbp_historic_block {
  /* Null: everything may use the label .LPB<n>.  Else the block is in a COMDAT group: this is the
     global symbol in the same section; or "" if there is none, and then nothing outside of the
     group may refer to the block's address. */
  const char *section_symbol;
  const char *function, *file; /* for users; or null */
  int line;                    /* 0: unknown */
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

#ifdef __cplusplus
}
#endif

#endif
