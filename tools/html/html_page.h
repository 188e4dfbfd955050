/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of `bbprof html'. */
#ifndef BBPROF_HTML_PAGE_H
#define BBPROF_HTML_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "tools/compare/diff.h"
#include "tools/export/export_view.h"
#include "tools/view/source.h"

/* The constant parts: page/, put together when bbprof is built. */
extern const char html_page_html[]; /* inside the body */
extern const char html_page_css[];
extern const char html_page_js[];

/* The comparison of the profile that is shown with an old one. */
struct html_comparison {
  const struct diff *diff;
  const struct export_view *old; /* null: the old run set is a baseline, without stacks */
};

/* Of which functions the page has the code: of the hot ones, or of all that ran. */
enum html_source {
  SOURCE_HOT,
  SOURCE_ALL,
  SOURCE_NONE, /* of the hot ones, without their source */
};

struct html_choice {
  enum html_source source;
  struct source_places places;              /* where the sources are; its lists are borrowed */
  const struct html_comparison *comparison; /* or null */
  size_t sources;                           /* result: functions whose source is in the page */
};

/* Writes the page.  False: ERR says why. */
bool html_page (FILE *out, const struct export_view *, struct html_choice *, struct error *err);

#endif
