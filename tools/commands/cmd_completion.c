/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof completion: prints the completions for a shell. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/commands/completion.h"

static const struct {
  const char *name;
  void (*print) (FILE *);
} shells[]
    = { { "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish } };

enum completion_value
completion_value (const struct command_option *option)
{
  const char *name = option->value;
  if (!name)
    return VALUE_NONE;
  if (option->choices)
    return VALUE_WORDS;
  if (strcmp (name, "DIR") == 0)
    return VALUE_FOLDER;
  return strcmp (name, "FILE") == 0 || strcmp (name, "[FILE]") == 0 ? VALUE_FILE : VALUE_OTHER;
}

char
completion_letter (const struct command_option *option)
{
  return option->key > ' ' && option->key < 127 ? (char) option->key : '\0';
}

void
completion_quote (FILE *out, const char *text, enum completion_shell shell, const char *escaped)
{
  for (; *text; text++)
    if (*text == '\'')
      fputs (shell == SHELL_FISH ? "\\'" : "'\\''", out);
    else if (strchr (escaped, *text))
      fprintf (out, "\\%c", *text);
    else
      fputc (*text, out);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct options o;
  options_begin (&o, &command_completion, OPTIONS_ANYWHERE, argc, argv);
  if (options_next (&o) != OPTION_END)
    return COMMAND_USAGE;
  const char *shell = optind + 1 == argc ? argv[optind] : "";
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp (shell, shells[i].name) == 0)
      {
        shells[i].print (stdout);
        return error_if_unwritten (stdout, err) ? COMMAND_DONE : COMMAND_FAILED;
      }
  if (*shell)
    fprintf (stderr, "%s: '%s' is not bash, zsh or fish\n", argv[0], visible (shell));
  else
    fprintf (stderr, "%s: needs the name of one shell: bash, zsh or fish\n", argv[0]);
  return COMMAND_USAGE;
}

const struct command command_completion = {
  .name = "completion",
  .summary = "completions of commands and options for a shell",
  .group = GROUP_OTHER,
  .synopsis = "bash|zsh|fish",
  .description
  = "Prints completions for a shell.  make install puts them where the shells find them; without "
    "it:\n"
    "  bash   eval \"$(bbprof completion bash)\"\n"
    "  zsh    bbprof completion zsh >DIR/_bbprof, with DIR in fpath\n"
    "  fish   bbprof completion fish | source",
  .operands = OPERANDS_WORDS,
  .words = "bash zsh fish",
  .run = run,
};
