/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "colour.h"

bool
colour_parse (const char *word, enum colour_when *when)
{
  static const char *const words[] = { [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never" };
  *when = COLOUR_ALWAYS;
  for (int i = 0; word && i < 3; i++)
    if (strcmp (word, words[i]) == 0)
      {
        *when = (enum colour_when) i;
        return true;
      }
  return word == NULL;
}

bool
colour_wanted (enum colour_when when, FILE *out)
{
  const char *no = getenv ("NO_COLOR"), *terminal = getenv ("TERM");
  if (when != COLOUR_AUTO)
    return when == COLOUR_ALWAYS;
  return !(no && *no) && terminal && strcmp (terminal, "dumb") != 0 && isatty (fileno (out));
}

void
colour_set (FILE *out, bool wanted, enum colour colour)
{
  static const char *const codes[] = { [COLOUR_PLAIN] = "0", [COLOUR_WORSE] = "31", [COLOUR_BETTER] = "32" };
  if (wanted)
    fprintf (out, "\033[%sm", codes[colour]);
}
