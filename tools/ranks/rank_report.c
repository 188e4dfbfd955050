/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "tools/ranks/rank_report.h"
#include "tools/ranks/rank_table.h"
#include "tools/view/pager.h"

static bool
print (const struct arguments *a, const struct rank_table *t, struct error *err)
{
  struct style style;
  bool ok = true;
  style_choose (&style, a->color);
  if (a->json)
    rank_emit_json (stdout, t);
  else
    {
      pager_begin (!a->no_pager);
      ok = rank_emit_text (stdout, t, &style) || error_no_memory (err);
    }
  return ok && pager_end (err);
}

bool
rank_report (const struct arguments *a, const char *argv0, struct error *err)
{
  struct model model = { 0 };
  const bool read = model_read (&model, a->program, a->profiles, a->nprofiles,
                                &(struct symtab_choice) { .parts = true, .any_build = a->force },
                                err);
  struct rank_table t = { .model = &model,
                          .program = a->program,
                          .what = (enum rank_what) a->ranks,
                          .by = a->by != SIZE_MAX ? (enum rank_by) a->by : rank_default_by (&model),
                          .limit = a->most };
  bool ok = read && rank_table_make (&t, err) && rank_choose (&t, a->filter, a->object, err);
  if (ok || !read) /* else they are about what is not shown */
    warnings_print_beside (argv0, &model.warnings, ok && !a->json);
  ok = ok && print (a, &t, err);
  rank_table_free (&t);
  model_free (&model);
  return ok;
}
