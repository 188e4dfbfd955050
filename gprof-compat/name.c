/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/row.h"
#include "common/visible.h"
#include "gprof-compat/name.h"
#include "gprof-compat/report.h"
#include "model/elf/demangle.h"
#include "model/symbols/srcline.h"

const char *
name_shown (const struct report *r, const char *text)
{
  return r->options->gnu ? text : visible (text);
}

/* Prints TEXT; returns the number of bytes. */
static int
print_shown (FILE *out, const struct report *r, const char *text)
{
  const char *shown = name_shown (r, text);
  const size_t n = strlen (shown);
  fwrite_unlocked (shown, 1, n, out);
  return (int) n;
}

/* The same for NAME demangled. */
static int
print_demangled (FILE *out, const struct report *r, const char *name)
{
  char *plain = demangle_name (model_program (&r->model), name);
  const int n = print_shown (out, r, plain ? plain : name);
  free (plain);
  return n;
}

const char *
name_of_source (const struct report *r, const struct symbol *s)
{
  const char *file = r->model.symtab.sources[s->source];
  return r->options->full_paths ? file : srcline_base (file);
}

int
name_print_symbol (FILE *out, const struct report *r, const struct symbol *s)
{
  const struct options *o = r->options;
  int n = o->demangle ? print_demangled (out, r, s->name) : print_shown (out, r, s->name);
  if (s->source == NO_SOURCE)
    return n;
  if (o->lines)
    n += fprintf (out, " (%s:%u @ %" PRIx64 ")", name_shown (r, name_of_source (r, s)), s->line,
                  s->address);
  else if (o->inline_files)
    n += fprintf (out, " (%s:%u)", name_shown (r, name_of_source (r, s)), s->line);
  return n;
}

void
name_print_node (FILE *out, const struct report *r, const struct node *n)
{
  struct row row;
  row_begin (&row);
  name_print_symbol (out, r, n->symbol);
  if (n->cycle != 0)
    fprintf (out, " <cycle %" PRIu32 ">", n->cycle);
  if (!r->model.profile.has_calls) /* there is no call graph */
    return;
  row_text (&row, n->shown ? " [" : " (");
  row_number (&row, 0, n->index);
  row_text (&row, n->shown ? "]" : ")");
  row_print (&row, out);
}
