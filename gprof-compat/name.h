/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as bbprof-gprof prints them. */
#ifndef BBPROF_NAME_H
#define BBPROF_NAME_H

#include <stdio.h>

struct node;
struct report;
struct symbol;

/* As gprof prints them, with the options of the report: where a symbol comes from may stand
   behind its name.  How many bytes that were. */
int name_print_symbol (FILE *, const struct report *, const struct symbol *);

/* TEXT that is a name, or part of one, as the report prints it: made visible. */
const char *name_shown (const struct report *, const char *text);

/* The file of a symbol whose source is known, with or without folders. */
const char *name_of_source (const struct report *, const struct symbol *);

/* The name of a function with its cycle and the number of its entry in the call graph; in
   parentheses if there is no such entry. */
void name_print_node (FILE *, const struct report *, const struct node *);

#endif
