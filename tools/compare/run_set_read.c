/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a run set from the names on the command line. */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "tools/compare/baseline.h"
#include "tools/compare/run_set.h"
#include "tools/compare/run_groups.h"

/* Reads one run at a time, so that each run's counts are known and memory holds only one. */
static bool
read_run (struct run_set *s, const char *name, bool any_build, const char *program, char **profiles,
          size_t n, struct error *err)
{
  struct model model = { 0 };
  bool ok = model_read (&model, program, profiles, (int) n,
                        &(struct symtab_choice) { .parts = true, .any_build = any_build }, err);
  warnings_print (name, &model.warnings);
  if (!ok && err->file && err->file != program && bbx_is_name (err->file))
    err->file = profiles[0]; /* a sidecar's name goes with the model */
  ok = ok && (run_set_add_run (s, &model) || error_no_memory (err));
  model_free (&model);
  return ok;
}

/* A file of this name would be a baseline, but there is none. */
static bool
is_missing_baseline (const char *name)
{
  const char *suffix = strrchr (name, '.');
  return suffix && strcmp (suffix, ".json") == 0 && access (name, F_OK) != 0;
}

bool
run_set_read (struct run_set *s, const char *name, bool any_build, char **words, int nwords,
              struct error *err)
{
  static char *default_profiles[] = { "gmon.out" };
  char **profiles = nwords > 1 ? words + 1 : default_profiles;
  struct run_groups runs = { 0 };
  if (nwords <= 2 && baseline_is (words[nwords - 1]))
    return baseline_read (s, words[nwords - 1], err);
  if (nwords <= 2 && is_missing_baseline (words[nwords - 1]))
    return error_set (err, words[nwords - 1], ERROR_NO_OFFSET,
                      "there is no such baseline; make it: bbprof check --save %.120s PROGRAM",
                      words[nwords - 1]);
  bool ok = run_groups_find (&runs, words[0], profiles, nwords > 1 ? (size_t) nwords - 1 : 1, err)
            && ((run_set_make (s, runs.count) && (s->program = strdup (words[0])))
                || error_no_memory (err));
  for (size_t i = 0; ok && i < runs.count; i++)
    ok = read_run (s, name, any_build, words[0], runs.profiles + runs.first[i],
                   runs.first[i + 1] - runs.first[i], err);
  run_groups_free (&runs);
  return ok;
}
