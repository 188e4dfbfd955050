/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof-gprof. */
#ifndef BBPROF_OPTIONS_H
#define BBPROF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "model/files/gmon_read.h"
#include "model/symbols/spec.h"

enum options_fate {
  OPTIONS_GO,   /* make the report */
  OPTIONS_HELP, /* the user asked for the usage text */
  OPTIONS_VERSION,
  OPTIONS_WRONG, /* an error was printed on stderr */
};

/* Bits of options.styles, in the order of the output (except with -T). */
enum style {
  STYLE_FLAT = 1,
  STYLE_GRAPH = 2,
  STYLE_COUNTS = 4,          /* -C */
  STYLE_SOURCE = 8,          /* -A */
  STYLE_FUNCTION_ORDER = 16, /* -r */
  STYLE_FILE_ORDER = 32,     /* -R */
};

struct options {
  const char *program; /* the profiled program */
  char **profiles;     /* gmon.out files; "-": standard input */
  int nprofiles;
  unsigned styles;     /* selected; 0: all that the profiles have data for */
  unsigned no_styles;  /* excluded from these (-P and so on without an argument) */
  bool brief;          /* -b */
  bool traditional;    /* -T */
  bool unused;         /* -z */
  bool lines;          /* -l; also -s */
  bool sum;            /* -s */
  bool no_static;      /* -a */
  bool only_functions; /* -D */
  bool scan_code;      /* -c */
  bool file_info;      /* -i */
  bool all_lines;      /* -x */
  bool separate_files; /* -y */
  bool full_paths;     /* -L */
  bool inline_files;   /* --inline-file-names */
  bool gnu;            /* --gnu: only the functions that GNU gprof knows */
  bool force;          /* --force: accept another build of the program than the one that ran */
  bool demangle;
  const char *demangle_style; /* null: auto */
  const char *symbols_file;   /* -S */
  const char *order_file;     /* -R */
  enum gmon_format format;    /* -O */
  unsigned long min_count;    /* -m, 1 */
  unsigned long table_length; /* -t, 10 */
  int width;                  /* -w, 80 */
  char **source_dirs;         /* -I, followed by those of GPROF_PATH */
  size_t nsource_dirs;
  struct spec_word *specs; /* in the order of the command line */
  size_t nspecs;
};

/* The options refer to ARGV and are valid until options_free. */
enum options_fate options_parse (struct options *, int argc, char **argv);
void options_free (struct options *);
void options_usage (FILE *);

#endif
