/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof-gprof: what the user wants, before anything is read. */
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
  OPTIONS_WRONG, /* stderr says why */
};

/* Bits of options.styles, in the order of the output (but for -T). */
enum style {
  STYLE_FLAT = 1,
  STYLE_GRAPH = 2,
  STYLE_COUNTS = 4,          /* -C */
  STYLE_SOURCE = 8,          /* -A */
  STYLE_FUNCTION_ORDER = 16, /* -r */
  STYLE_FILE_ORDER = 32,     /* -R */
};

struct options {
  const char *program; /* the profiled one */
  char **profiles;     /* gmon.out files; "-": standard input */
  int nprofiles;
  unsigned styles;     /* asked for; 0: what the files have */
  unsigned no_styles;  /* of those not this (-P and so on without an argument) */
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
  bool gnu;            /* --gnu: the functions that GNU gprof knows, and no others */
  bool force;          /* --force: the program may be another build than the one that ran */
  bool demangle;
  const char *demangle_style; /* null: auto */
  const char *symbols_file;   /* -S */
  const char *order_file;     /* -R */
  enum gmon_format format;    /* -O */
  unsigned long min_count;    /* -m, 1 */
  unsigned long table_length; /* -t, 10 */
  int width;                  /* -w, 80 */
  char **source_dirs;         /* -I, and GPROF_PATH behind them */
  size_t nsource_dirs;
  struct spec_word *specs; /* in the order of the command line */
  size_t nspecs;
};

/* Everything in the options lives as long as ARGV and options_free has not been called. */
enum options_fate options_parse (struct options *, int argc, char **argv);
void options_free (struct options *);
void options_usage (FILE *, const char *argv0);

#endif
