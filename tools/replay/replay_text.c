/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tools/replay/replay_session.h"

static const char prompt_text[] = "(replay) ";

void
replay_text (struct replay_session *s, FILE *in, bool prompt, FILE *out)
{
  char *line = NULL;
  size_t room = 0;
  enum replay_effect effect = REPLAY_MOVED;
  do
    {
      if (effect == REPLAY_MOVED)
        {
          replay_print_place (s, out);
          fputc ('\n', out);
          replay_print_source (s, out);
        }
      if (prompt)
        fputs (prompt_text, out);
      fflush (out);
  } while (getline (&line, &room, in) > 0
           && (effect = replay_command (s, line, out)) != REPLAY_QUIT);
  free (line);
}
