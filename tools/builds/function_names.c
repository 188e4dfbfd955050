/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "model/symbols/srcline.h"
#include "tools/builds/function_names.h"

/* Suffixes that GCC adds to parts and copies of a function. */
static const char *const parts[] = { ".part", ".cold" };
static const char *const copies[] = { ".constprop", ".isra", ".lto_priv", ".clone", ".localalias" };

static bool
begins (const char *name, const char *const *words, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      size_t length = strlen (words[i]);
      if (strncmp (name, words[i], length) == 0 && (name[length] == '.' || name[length] == '\0'))
        return true;
    }
  return false;
}

size_t
function_plain_length (const char *name, bool *part)
{
  size_t plain = strlen (name);
  *part = false;
  for (const char *dot = strchr (name, '.'); dot; dot = strchr (dot + 1, '.'))
    {
      bool is_part = begins (dot, parts, sizeof parts / sizeof *parts);
      if (dot > name && (is_part || begins (dot, copies, sizeof copies / sizeof *copies))
          && plain > (size_t) (dot - name))
        plain = (size_t) (dot - name);
      *part |= is_part;
    }
  return plain;
}

const char *
function_file (const struct symbol *s)
{
  struct srcline line;
  return s->is_static && srcline_find (s->object, s->address, &line) ? srcline_base (line.file)
                                                                     : "";
}
