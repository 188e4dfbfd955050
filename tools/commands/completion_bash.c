/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions for bash.  They work with bash alone, without the package bash-completion. */
#include "config.h"

#include "tools/commands/commands.h"
#include "tools/commands/completion.h"

/* The parts that do not depend on the tables.  bash splits words at =, so that --sort=x is three
   words. */
static const char head[] = "# bash completion for bbprof; made by: bbprof completion bash\n"
                           "\n";
static const char tail[]
    = "# _bbprof_words WORDS: those that begin as the current word does.\n"
      "_bbprof_words ()\n"
      "{\n"
      "  COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
      "  [[ ${COMPREPLY-} != *= ]] || compopt -o nospace 2>/dev/null\n"
      "}\n"
      "\n"
      "# _bbprof_files WHAT: names of files (-f), folders (-d) or commands (-c).\n"
      "_bbprof_files ()\n"
      "{\n"
      "  local IFS=$'\\n'\n"
      "  COMPREPLY=($(compgen \"$1\" -- \"$cur\"))\n"
      "  compopt -o filenames 2>/dev/null\n"
      "}\n"
      "\n"
      "# The number of operands before the current word.\n"
      "_bbprof_operands ()\n"
      "{\n"
      "  local i n=0 word options=\" $(_bbprof_options \"$1\") \"\n"
      "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
      "    word=${COMP_WORDS[i]}\n"
      "    if [[ $word == -- ]]; then\n"
      "      echo $((n + COMP_CWORD - i - 1))\n"
      "      return\n"
      "    elif [[ ${COMP_WORDS[i + 1]} == '=' ]]; then\n"
      "      ((i += 2))\n"
      "    elif [[ $word == -* ]]; then\n"
      "      [[ $options != *\" $word=\"* ]] || ((i++))\n"
      "    else\n"
      "      ((n++))\n"
      "    fi\n"
      "  done\n"
      "  echo $n\n"
      "}\n"
      "\n"
      "_bbprof ()\n"
      "{\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} option= command=${COMP_WORDS[1]} values\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    _bbprof_words \"$_bbprof_commands --help --version\"\n"
      "    return\n"
      "  fi\n"
      "  if [[ $cur == '=' ]]; then\n"
      "    cur= option=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then\n"
      "    option=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  elif [[ \" $(_bbprof_options \"$command\") \" == *\" ${COMP_WORDS[COMP_CWORD - 1]}= \"* "
      "]]; "
      "then\n"
      "    option=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  fi\n"
      "  local operands=$(_bbprof_operands \"$command\") kind=$(_bbprof_kind \"$command\")\n"
      "  if [[ $kind == program ]] && ((operands > 0)); then\n"
      "    _bbprof_files -f\n"
      "  elif [[ $option == -* ]]; then\n"
      "    values=$(_bbprof_values \"$command:$option\")\n"
      "    case $values in\n"
      "    -?) _bbprof_files \"$values\" ;;\n"
      "    *) _bbprof_words \"$values\" ;;\n"
      "    esac\n"
      "  elif [[ $cur == -* ]]; then\n"
      "    _bbprof_words \"$(_bbprof_options \"$command\")\"\n"
      "  else\n"
      "    case $kind in\n"
      "    files) _bbprof_files -f ;;\n"
      "    program) _bbprof_files -c; [[ $cur != */* && ${COMPREPLY-} ]] || _bbprof_files -f ;;\n"
      "    commands) _bbprof_words \"$_bbprof_commands\" ;;\n"
      "    none) ;;\n"
      "    *) _bbprof_words \"$kind\" ;;\n"
      "    esac\n"
      "  fi\n"
      "}\n"
      "complete -F _bbprof bbprof\n";

static void
print_options (FILE *out, const struct command *command)
{
  fprintf (out, "  %s) echo '", command->name);
  for (const struct command_option *p = command->options; p && p->name; p++)
    if (p->help)
      {
        const char *equals = p->value && *p->value != '[' ? "=" : "";
        fprintf (out, "--%s%s ", p->name, equals);
        if (completion_letter (p))
          fprintf (out, "-%c%s ", completion_letter (p), equals);
      }
  fputs ("--help' ;;\n", out);
}

static void
print_value (FILE *out, const struct command *command, const struct command_option *option)
{
  const char *words = NULL;
  switch (completion_value (option))
    {
    case VALUE_WORDS: words = option->choices; break;
    case VALUE_FILE: words = "-f"; break;
    case VALUE_FOLDER: words = "-d"; break;
    default: return;
    }
  fprintf (out, "  %s:--%s", command->name, option->name);
  if (completion_letter (option))
    fprintf (out, " | %s:-%c", command->name, completion_letter (option));
  fprintf (out, ") echo '%s' ;;\n", words);
}

static const char *
kind_of (const struct command *command)
{
  switch (command->operands)
    {
    case OPERANDS_PROGRAM: return "program";
    case OPERANDS_WORDS: return command->words;
    case OPERANDS_COMMANDS: return "commands";
    case OPERANDS_NONE: return "none";
    default: return "files";
    }
}

void
completion_bash (FILE *out)
{
  fputs (head, out);
  fputs ("_bbprof_commands='", out);
  for (const struct command *const *p = commands; *p; p++)
    fprintf (out, "%s%s", p == commands ? "" : " ", (*p)->name);
  fputs ("'\n\n"
         "# The options of a command; = follows those that need a value.\n"
         "_bbprof_options ()\n"
         "{\n"
         "  case $1 in\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    print_options (out, *p);
  fputs ("  esac\n"
         "}\n"
         "\n"
         "# What an option takes: words, files (-f) or folders (-d).\n"
         "_bbprof_values ()\n"
         "{\n"
         "  case $1 in\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    for (const struct command_option *o = (*p)->options; o && o->name; o++)
      if (o->help)
        print_value (out, *p, o);
  fputs ("  esac\n"
         "}\n"
         "\n"
         "# What a command takes.\n"
         "_bbprof_kind ()\n"
         "{\n"
         "  case $1 in\n",
         out);
  for (const struct command *const *p = commands; *p; p++)
    fprintf (out, "  %s) echo '%s' ;;\n", (*p)->name, kind_of (*p));
  fputs ("  *) echo files ;;\n"
         "  esac\n"
         "}\n"
         "\n",
         out);
  fputs (tail, out);
}
