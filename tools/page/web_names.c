/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "tools/view/json.h"
#include "tools/page/web_names.h"

struct web_name {
  const char *text;
  size_t number;
  UT_hash_handle hh;
};

bool
web_names_number (struct web_names *names, const char *text, size_t *number)
{
  struct web_name *n;
  size_t length = strlen (text);
  HASH_FIND (hh, names->first, text, length, n);
  if (!n)
    {
      n = malloc (sizeof *n);
      if (!n)
        return false;
      n->text = text;
      n->number = names->count++;
      HASH_ADD_KEYPTR (hh, names->first, n->text, length, n);
    }
  *number = n->number;
  return true;
}

void
web_names_print (FILE *out, const struct web_names *names)
{
  fputc ('[', out);
  for (const struct web_name *n = names->first; n; n = n->hh.next)
    {
      fputs (n == names->first ? "" : ",\n", out);
      json_string_in_html (out, n->text);
    }
  fputc (']', out);
}

void
web_names_free (struct web_names *names)
{
  struct web_name *n, *next;
  HASH_ITER (hh, names->first, n, next)
  {
    HASH_DEL (names->first, n);
    free (n);
  }
}
