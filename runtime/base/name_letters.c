/* SPDX-License-Identifier: MIT */
/* Expansion of %-letters in file names.  Context: any. */
#include "runtime/base/base.h"

/* Append the value of %LETTER; false: there is no such letter. */
static bool
put_letter (struct bbp_text *text, char letter, const struct bbp_name_facts *facts)
{
  switch (letter)
    {
    case '%': bbp_text_string (text, "%"); return true;
    case 'b': bbp_text_string (text, facts->build ? facts->build : ""); return facts->build;
    case 'e': bbp_text_string (text, facts->program); return true;
    case 'h': bbp_text_string (text, facts->host); return true;
    case 'n': bbp_text_number (text, facts->dump); return true;
    case 'p': bbp_text_number (text, facts->pid); return true;
    case 'r': bbp_text_string (text, facts->rank); return true;
    case 't': bbp_text_time (text, facts->start); return true;
    default: return false;
    }
}

/* Append PATTERN with its %-letters expanded.  An unknown one is copied as it is; returns the first
   such one, or null. */
const char *
bbp_name_expand (struct bbp_text *text, const char *pattern, const struct bbp_name_facts *facts)
{
  const char *unknown = NULL;
  for (; *pattern; pattern++)
    if (*pattern == '%' && put_letter (text, pattern[1], facts))
      pattern++;
    else
      {
        if (*pattern == '%' && !unknown)
          unknown = pattern;
        bbp_text_bytes (text, pattern, 1);
      }
  return unknown;
}

/* True if PATTERN has %LETTER. */
bool
bbp_name_has (const char *pattern, char letter)
{
  for (; *pattern; pattern++)
    if (*pattern == '%')
      {
        if (pattern[1] == letter)
          return true;
        if (pattern[1] == '%')
          pattern++;
      }
  return false;
}
