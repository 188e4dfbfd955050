/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of the page of `bbprof html': members of one JSON object, a file for each kind of data.
   page/data.js reads them: both have to agree.  Lists of numbers are strings (web_numbers.h). */
#ifndef BBPROF_PAGE_DATA_H
#define BBPROF_PAGE_DATA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/export/export_view.h"
#include "tools/html/html_page.h"
#include "tools/page/web_names.h"

struct page_data {
  FILE *out;
  const struct export_view *view;
  struct html_choice *choice;
  struct web_names texts; /* names of functions, files ..., each once */
  /* Of the nodes of the model's stacks, run after run: the number in the page's tree; UINT32_MAX:
     not in it. */
  uint32_t *nodes;
  bool ok; /* false: out of memory */
};

/* The number of TEXT in the list of texts. */
uint64_t page_text (struct page_data *, const char *text);

/* Each of these writes members, with a comma in front. */
void page_run (struct page_data *);       /* how it was sampled, losses, warnings, objects */
void page_stacks (struct page_data *);    /* threads, and the tree of their stacks */
void page_functions (struct page_data *); /* with exact counts */
void page_arcs (struct page_data *);      /* exact calls from function to function */
void page_timeline (struct page_data *);  /* behind page_stacks: which thread ran when */
void page_graph (struct page_data *);     /* gprof's call graph */
void page_code (struct page_data *);      /* source, machine code and blocks of functions */
void page_ranks (struct page_data *);     /* of a program of MPI; else null */
void page_diff (struct page_data *);      /* nothing, if nothing is compared */

#endif
