/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/symbols/symbol_file.h"

/* The next word of *TEXT, terminated; empty at the end of the line. */
static char *
next_word (char **text)
{
  char *word = *text + strspn (*text, " \t\n\v\f\r");
  size_t n = strcspn (word, " \t\n\v\f\r");
  *text = word + n + (word[n] != '\0');
  word[n] = '\0';
  return word;
}

/* The letter of the type, which may touch the name behind it; 0: none. */
static char
next_letter (char **text)
{
  *text += strspn (*text, " \t\n\v\f\r");
  return **text == '\0' ? '\0' : *(*text)++;
}

/* Lines without a function are ignored; nm writes many of these.  Without an address, *ADDRESS is
   that of the previous function, as in GNU gprof: in nm's "U time@GLIBC_2.2.5" it takes U for the
   address and t for the type.  If the first function lacks an address, GNU gprof has none either,
   so that line is dropped. */
static bool
add_line (struct symtab *t, const struct objects *all, char *line, uint64_t *address)
{
  char *number = next_word (&line), *end;
  char type = next_letter (&line);
  const char *name = next_word (&line);
  if ((type != 't' && type != 'T') || *name == '\0')
    return true;
  uint64_t value = strtoull (number, &end, 16);
  if (end != number)
    *address = value;
  else if (t->count == 0)
    return true;
  struct symbol s = { .address = *address,
                      .source = NO_SOURCE,
                      .is_function = true,
                      .is_static = type == 't',
                      .is_helper = symtab_is_helper_name (name) };
  const struct object *o = objects_find (all, s.address);
  s.object = o ? o : &all->all[0];
  char *text = strdup (name);
  s.name = text;
  return symtab_keep (t, text) && symtab_add (t, &s);
}

bool
symbol_file_add (struct symtab *t, const struct objects *all, const char *path, struct error *err)
{
  FILE *in = fopen (path, "re");
  char *line = NULL;
  size_t room = 0;
  uint64_t address = 0;
  bool ok = true;
  if (!in)
    return error_set (err, path, ERROR_NO_OFFSET, "cannot open: %s", strerror (errno));
  while (ok && getline (&line, &room, in) >= 0)
    ok = add_line (t, all, line, &address);
  if (!ok)
    error_no_memory (err);
  else if (ferror (in))
    ok = error_set (err, path, ERROR_NO_OFFSET, "cannot read: %s", strerror (errno));
  else if (t->count == 0)
    ok = error_set (err, path, ERROR_NO_OFFSET, "has no symbols of functions");
  free (line);
  fclose (in);
  return ok;
}
