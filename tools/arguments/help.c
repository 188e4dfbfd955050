/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of --help, from the table of a command, in one format for all commands. */
#include <stdbool.h>
#include <string.h>

#include "tools/arguments/help.h"

enum { MARGIN = 2, TEXT_COLUMN = 24 };

/* One paragraph, up to END. */
static void
fill_line (FILE *out, const char *text, const char *end, int indent)
{
  int column = indent;
  bool first = true;
  while (text < end)
    {
      int word = (int) strcspn (text, " \n");
      if (!first && column + 1 + word > HELP_COLUMNS)
        {
          fprintf (out, "\n%*s", indent, "");
          column = indent;
        }
      else if (!first)
        column += fprintf (out, " ");
      column += fprintf (out, "%.*s", word, text);
      first = false;
      text += word;
      while (text < end && *text == ' ')
        text++;
    }
  fputc ('\n', out);
}

void
help_fill (FILE *out, const char *text, int indent)
{
  for (const char *line = text, *end; *line; line = *end ? end + 1 : end)
    {
      end = line + strcspn (line, "\n");
      if (line != text && *line != '\n')
        fprintf (out, "%*s", indent, "");
      if (*line == ' ')
        fprintf (out, "%.*s\n", (int) (end - line), line);
      else
        fill_line (out, line, end, indent);
    }
}

/* "  -n, --number=N", and blanks up to the column of the text. */
static void
print_option (FILE *out, const struct command_option *option)
{
  int column = MARGIN;
  bool optional = option->value && *option->value == '[';
  if (option->key > ' ' && option->key < 127)
    column += fprintf (out, "%*s-%c, --%s", MARGIN, "", option->key, option->name) - MARGIN;
  else
    column += fprintf (out, "%*s    --%s", MARGIN, "", option->name) - MARGIN;
  if (optional)
    column += fprintf (out, "[=%s", option->value + 1);
  else if (option->value)
    column += fprintf (out, "=%s", option->value);
  if (column + MARGIN > TEXT_COLUMN)
    {
      fputc ('\n', out);
      column = 0;
    }
  fprintf (out, "%*s", TEXT_COLUMN - column, "");
  help_fill (out, option->help, TEXT_COLUMN);
}

static void
print_synopsis (FILE *out, const struct command *command)
{
  const char *before = "Usage:";
  for (const char *line = command->synopsis, *end; line; line = end)
    {
      end = strchr (line, '\n');
      fprintf (out, "%-6s bbprof %s%s%.*s\n", before, command->name, *line ? " " : "",
               (int) (end ? end - line : (long) strlen (line)), line);
      before = "";
      end = end ? end + 1 : NULL;
    }
}

void
help_print (FILE *out, const struct command *command)
{
  static const struct command_option help = { 'h', "help", NULL, "print this text", NULL };
  print_synopsis (out, command);
  help_fill (out, command->description, 0);
  fputc ('\n', out);
  for (const struct command_option *p = command->options; p && p->name; p++)
    if (p->help)
      print_option (out, p);
  print_option (out, &help);
  if (!command->notes)
    return;
  fputc ('\n', out);
  help_fill (out, command->notes, 0);
}
