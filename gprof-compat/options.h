/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of bbprof-gprof. */
#ifndef BBPROF_OPTIONS_H
#define BBPROF_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum options_fate {
  OPTIONS_GO,    /* make the report */
  OPTIONS_HELP,  /* the user asked for the usage text */
  OPTIONS_VERSION,
  OPTIONS_WRONG, /* a line on stderr says why */
};

struct options {
  const char *program;  /* the profiled one */
  char **profiles;      /* gmon.out files */
  int nprofiles;
  bool brief;
  bool flat, graph;     /* asked for; neither: what the files have */
};

enum options_fate options_parse (struct options *, int argc, char **argv);
void options_usage (FILE *, const char *argv0);

#endif
