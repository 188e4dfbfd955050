/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/visible.h"
#include "tools/score/score.h"

/* Prints NAME with the plugin's special characters escaped. */
static void
print_pattern (FILE *out, const char *name)
{
  for (const char *p = name; *p; p++)
    {
      if (*p == '*' || *p == '?' || *p == '[' || *p == '\\'
          || (p == name && (*p == '@' || *p == '#')))
        fputc ('\\', out);
      fputc (*p, out);
    }
}

void
score_emit_list (FILE *out, const struct score *s)
{
  fprintf (out,
           "# Functions of %s whose instrumentation costs more than %g %% of their self time, by "
           "bbprof score:\n",
           visible (s->program), s->limit);
  for (size_t i = 0; i < s->count; i++)
    {
      const struct score_function *f = &s->functions[i];
      if (!f->excluded)
        continue;
      print_pattern (out, f->symbol);
      fprintf (out, "  # %.1f %% of its self time, %.2f %% of the whole",
               score_percent (f->cost, f->time), score_percent (f->cost, s->time));
      if (f->name)
        fprintf (out, ": %s", visible (f->name));
      fputc ('\n', out);
    }
}
