/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions for zsh, by its _arguments. */
#include "config.h"

#include <string.h>

#include "tools/commands/commands.h"
#include "tools/commands/completion.h"

/* "[...]:N:(...)" behind the names of an option. */
static void
print_rest (FILE *out, const struct command_option *option)
{
  const char *name = option->value ? option->value : "";
  fputc ('[', out);
  completion_quote (out, option->help, SHELL_POSIX, "[]\\:");
  fputc (']', out);
  if (!option->value)
    return;
  name += *name == '[';
  fprintf (out, "%s:", *option->value == '[' ? ":" : "");
  completion_quote (out, name, SHELL_POSIX, ":[]");
  switch (completion_value (option))
    {
    case VALUE_WORDS: fprintf (out, ":(%s)", option->choices); break;
    case VALUE_FILE: fputs (":_files", out); break;
    case VALUE_FOLDER: fputs (":_files -/", out); break;
    default: fputs (": ", out);
    }
}

static void
print_option (FILE *out, const struct command_option *option)
{
  const char letter = completion_letter (option);
  const char *equals = !option->value ? "" : *option->value == '[' ? "=-" : "=";
  fprintf (out, " \\\n      '*--%s%s", option->name, equals);
  print_rest (out, option);
  fputc ('\'', out);
  if (!letter)
    return;
  fprintf (out, " \\\n      '*-%c%s", letter, option->value ? "+" : "");
  print_rest (out, option);
  fputc ('\'', out);
}

static void
print_operands (FILE *out, const struct command *command)
{
  switch (command->operands)
    {
    case OPERANDS_FILES: fputs (" \\\n      '*:file:_files'", out); break;
    case OPERANDS_PROGRAM:
      fputs (" \\\n      '(-)1:program:_command_names -e' '*::argument:_normal'", out);
      break;
    case OPERANDS_WORDS: fprintf (out, " \\\n      '*:word:(%s)'", command->words); break;
    case OPERANDS_COMMANDS: fputs (" \\\n      '1:command:_bbprof_commands'", out); break;
    case OPERANDS_NONE: break;
    }
}

void
completion_zsh (FILE *out)
{
  fputs ("#compdef bbprof\n"
         "# zsh completion for bbprof; made by: bbprof completion zsh\n"
         "\n"
         "_bbprof_commands ()\n"
         "{\n"
         "  local -a commands\n"
         "  commands=(\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    {
      fprintf (out, "    '%s:", (*p)->name);
      completion_quote (out, (*p)->summary, SHELL_POSIX, "\\");
      fputs ("'\n", out);
    }
  fputs ("  )\n"
         "  _describe -t commands command commands\n"
         "}\n"
         "\n"
         "_bbprof ()\n"
         "{\n"
         "  if ((CURRENT == 2)); then\n"
         "    _arguments '(- *)--help[print the list of commands]' \\\n"
         "      '(- *)--version[print the version]' '1:command:_bbprof_commands'\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  ((CURRENT--))\n"
         "  case $command in\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    {
      fprintf (out, "  %s)\n    _arguments '(- *)--help[print the help]'", (*p)->name);
      for (const struct command_option *o = (*p)->options; o && o->name; o++)
        if (o->help)
          print_option (out, o);
      print_operands (out, *p);
      fputs ("\n    ;;\n", out);
    }
  fputs ("  esac\n"
         "}\n"
         "\n"
         "[[ $funcstack[1] != _bbprof ]] || _bbprof \"$@\"\n",
         out);
}
