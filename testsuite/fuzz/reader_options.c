/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the command line of bbprof-gprof, written like an options file (@FILE).  It contains no
   @: libiberty ends the process if files name each other. */
#include <getopt.h>
#include <libiberty/libiberty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gprof-compat/gprof_options.h"
#include "testsuite/fuzz/reader.h"

/* The words of the text, behind the program's name. */
static char **
split (const uint8_t *data, size_t size)
{
  char *text = NULL;
  if (asprintf (&text, "bbprof-gprof %.*s", (int) size, (const char *) data) < 0)
    abort ();
  for (char *at = text; (at = strchr (at, '@'));)
    *at = ' ';
  char **words = buildargv (text);
  free (text);
  return words;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct options options;
  char **words = split (data, size);
  optind = 0; /* from the start, for getopt */
  if (options_parse (&options, countargv (words), words) == OPTIONS_GO
      && (!options.program || !options.profiles || options.width < 1))
    abort ();
  options_free (&options);
  freeargv (words);
  return 0;
}
