/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof symbols: the map for GNU gprof's option -S, with which it shows the functions of shared
   objects. */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/visible.h"
#include "model/model.h"
#include "tools/arguments/arguments.h"
#include "tools/command.h"
#include "tools/view/pager.h"

/* gprof ends a name at a blank. */
static void
print_name (FILE *out, const char *name)
{
  for (name = visible (name); *name; name++)
    fputc (isspace ((unsigned char) *name) ? '_' : *name, out);
  fputc ('\n', out);
}

static void
print_map (FILE *out, const struct symtab *t)
{
  for (size_t i = 0; i < t->count; i++)
    {
      const struct symbol *s = &t->symbols[i];
      fprintf (out, "%016" PRIx64 " %c ", s->address, s->is_static ? 't' : 'T');
      print_name (out, s->name);
    }
}

/* Two runs may have loaded different objects at one address; no single map fits both. */
static bool
check_bases (const struct arguments *a, const struct objects *all, struct error *err)
{
  for (size_t i = 0; i < all->count; i++)
    if (all->all[i].has_data && all->all[i].moved)
      return error_set (err, a->profiles[a->nprofiles - 1], ERROR_NO_OFFSET,
                        "its shared objects have other addresses than in %s: make a map for each",
                        a->profiles[0]);
  return true;
}

static enum command_result
run (int argc, char **argv, struct error *err)
{
  struct arguments a;
  struct model m = { 0 };
  enum command_result parsed = arguments_parse (&a, &command_symbols, argc, argv, err);
  if (parsed != COMMAND_DONE)
    return parsed;
  struct symtab_choice choice
      = { .executed = a.gnu ? NULL : &m.profile, .needs_table = a.gnu, .any_build = a.force };
  bool ok = model_read (&m, a.program, a.profiles, a.nprofiles, &choice, err);
  warnings_print (argv[0], &m.warnings);
  ok = ok && check_bases (&a, &m.objects, err);
  if (ok)
    {
      pager_begin (!a.no_pager);
      print_map (stdout, &m.symtab);
      ok = pager_end (err);
    }
  model_free (&m);
  return ok ? COMMAND_DONE : COMMAND_FAILED;
}

static const struct command_option options[] = {
  { ARGUMENT_GNU, "gnu", NULL,
    "write only functions that GNU gprof knows without a map: no copies (.isra.0) or parts of "
    "functions",
    NULL },
  NO_PAGER_OPTION,
  OUTPUT_OPTION,
  FORCE_OPTION,
  END_OF_OPTIONS,
};

const struct command command_symbols = {
  .name = "symbols",
  .summary = "a map of functions in shared libraries, for gprof -S",
  .group = GROUP_OTHER,
  .synopsis = "[option...] [PROGRAM] [gmon.out...]",
  .description
  = "Writes the functions of PROGRAM and of the shared objects in the profile with their "
    "addresses in gmon.out, one a line in the format of nm.  GNU gprof reads it: gprof -S FILE "
    "PROGRAM gmon.out",
  .options = options,
  .prints_page = true,
  .run = run,
};
