/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions for fish. */
#include "config.h"

#include "tools/commands/commands.h"
#include "tools/commands/completion.h"

static void
print_option (FILE *out, const struct command *command, const struct command_option *option)
{
  fprintf (out, "complete -c bbprof -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
  if (completion_letter (option))
    fprintf (out, " -s %c", completion_letter (option));
  switch (completion_value (option))
    {
    case VALUE_NONE: break;
    case VALUE_WORDS:
      fprintf (out, " %s -a '%s'", *option->value == '[' ? "-f" : "-x", option->choices);
      break;
    case VALUE_FILE: fputs (*option->value == '[' ? "" : " -r -F", out); break;
    case VALUE_FOLDER: fputs (" -x -a '(__fish_complete_directories)'", out); break;
    case VALUE_OTHER: fputs (" -x", out); break;
    }
  fputs (" -d '", out);
  completion_quote (out, option->help, SHELL_FISH, "\\");
  fputs ("'\n", out);
}

static void
print_operands (FILE *out, const struct command *command)
{
  const char *name = command->name;
  switch (command->operands)
    {
    case OPERANDS_FILES: return;
    case OPERANDS_PROGRAM:
      fprintf (out,
               "complete -c bbprof -n '__fish_seen_subcommand_from %s' -a "
               "'(__fish_complete_subcommand --fcs-skip=2)'\n",
               name);
      return;
    default: break;
    }
  fprintf (out, "complete -c bbprof -n '__fish_seen_subcommand_from %s' -f", name);
  if (command->operands == OPERANDS_WORDS)
    fprintf (out, " -a '%s'", command->words);
  if (command->operands == OPERANDS_COMMANDS)
    {
      fputs (" -a '", out);
      for (const struct command *const *p = commands; *p; p++)
        fprintf (out, "%s%s", p == commands ? "" : " ", (*p)->name);
      fputc ('\'', out);
    }
  fputc ('\n', out);
}

void
completion_fish (FILE *out)
{
  fputs ("# fish completion for bbprof; made by: bbprof completion fish\n"
         "complete -c bbprof -n __fish_use_subcommand -f\n"
         "complete -c bbprof -n __fish_use_subcommand -l help -d 'print the list of commands'\n"
         "complete -c bbprof -n __fish_use_subcommand -l version -d 'print the version'\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    {
      fprintf (out, "complete -c bbprof -n __fish_use_subcommand -a %s -d '", (*p)->name);
      completion_quote (out, (*p)->summary, SHELL_FISH, "\\");
      fputs ("'\n", out);
    }
  for (const struct command *const *p = commands; *p; p++)
    {
      for (const struct command_option *o = (*p)->options; o && o->name; o++)
        if (o->help)
          print_option (out, *p, o);
      print_operands (out, *p);
    }
}
