/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as bbprof-gprof prints them. */
#ifndef BBPROF_NAME_H
#define BBPROF_NAME_H

#include <stdio.h>

struct node;
struct report;
struct symbol;

/* Prints a symbol as gprof does, with the options of the report: its source may follow its name.
   Returns the number of bytes. */
int name_print_symbol (FILE *, const struct report *, const struct symbol *);

/* Makes TEXT, a name or part of one, visible as the report requires. */
const char *name_shown (const struct report *, const char *text);

/* The file of a symbol with a known source, with or without folders. */
const char *name_of_source (const struct report *, const struct symbol *);

/* Prints the name of a function with its cycle and the number of its entry in the call graph; the
   number is in parentheses if there is no such entry. */
void name_print_node (FILE *, const struct report *, const struct node *);

#endif
