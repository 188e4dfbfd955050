/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof replay: steps through a recorded trace, forward and back. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/visible.h"
#include "tools/arguments/command_options.h"
#include "tools/command.h"
#include "tools/program/profile_program.h"
#include "tools/replay/replay_session.h"

struct choice {
  const char *file;
  char *commands; /* --command, a line each; null: not given */
  size_t size;    /* of COMMANDS in bytes */
  bool plain, force;
};

/* False: no memory. */
static bool
add_command (struct choice *c, const char *command)
{
  size_t length = strlen (command);
  char *more = realloc (c->commands, c->size + length + 1);
  if (!more)
    return false;
  c->commands = more;
  memcpy (more + c->size, command, length);
  more[c->size + length] = '\n';
  c->size += length + 1;
  return true;
}

static bool
parse (struct choice *c, int argc, char **argv)
{
  struct options o;
  *c = (struct choice) { .file = "gmon.out.bbt" };
  options_begin (&o, &command_replay, OPTIONS_ANYWHERE, argc, argv);
  for (int key; (key = options_next (&o)) != OPTION_END;)
    switch (key)
      {
      case 'e':
        if (!add_command (c, o.value))
          {
            fprintf (stderr, "%s: out of memory\n", argv[0]);
            return false;
          }
        break;
      case 'p': c->plain = true; break;
      case OPTION_FORCE: c->force = true; break;
      default: return false;
      }
  if (optind + 1 < argc)
    {
      fprintf (stderr, "%s: only one trace can be replayed: remove '%s'\n", argv[0],
               visible (argv[optind + 1]));
      return false;
    }
  if (optind < argc)
    c->file = argv[optind];
  bool profile = profile_is_one (c->file);
  if (profile || profile_is_program (c->file))
    {
      fprintf (stderr, "%s: '%s' is a %s: name its trace (default: gmon.out.bbt)\n", argv[0],
               visible (c->file), profile ? "profile" : "program");
      return false;
    }
  return true;
}

static bool
play (struct replay_session *s, const struct choice *c, struct error *err)
{
  bool terminal = isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  s->complaints = c->commands || !terminal ? stderr : NULL;
  if (c->commands)
    {
      FILE *in = fmemopen (c->commands, c->size, "r");
      if (!in)
        return error_no_memory (err);
      replay_text (s, in, false, stdout);
      fclose (in);
    }
  else if (c->plain || !terminal || !replay_screen (s))
    replay_text (s, stdin, terminal, stdout);
  return error_if_unwritten (stdout, err);
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct choice choice;
  struct warnings warnings = { 0 };
  struct replay_session session = { 0 };
  if (!parse (&choice, argc, argv))
    {
      free (choice.commands);
      return COMMAND_USAGE;
    }
  struct trace *trace = trace_open (choice.file, choice.force, &warnings, err);
  warnings_print (argv[0], &warnings);
  bool ok = trace && replay_session_open (&session, choice.file, trace, err);
  session.warning = warnings.count > 0 ? warnings.list[0].text : NULL;
  ok = ok && play (&session, &choice, err);
  bool damaged = ok && trace_is_damaged (trace); /* a warning has said so */
  bool misused = session.complaints && session.misused,
       unanswered = session.complaints && session.unanswered;
  replay_session_close (&session);
  trace_close (trace);
  warnings_free (&warnings);
  free (choice.commands);
  if (!ok)
    return COMMAND_FAILED;
  return misused ? COMMAND_USAGE : damaged || unanswered ? COMMAND_NO : COMMAND_DONE;
}

static const struct command_option options[] = {
  { 'e', "command", "COMMAND", "execute COMMAND and end; may be repeated", NULL },
  { 'p', "plain", NULL, "read commands also on a terminal", NULL },
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_replay = {
  .name = "replay",
  .summary = "step through a recorded trace, forward and back",
  .group = GROUP_TRACE,
  .synopsis = "[option...] [FILE.bbt]",
  .description
  = "Steps through a recorded trace, forward and back, by blocks, lines, functions, time and "
    "visits (default: gmon.out.bbt).  On a terminal it draws a screen, and ? shows its keys.  "
    "Otherwise it reads commands from standard input; the command help lists them.",
  .options = options,
  .run = run,
};
