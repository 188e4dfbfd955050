/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page for a browser: page/ shows the data (page_data.h). */
#include "config.h"

#include <stdlib.h>

#include "tools/html/html_page.h"
#include "tools/html/page_data.h"
#include "tools/view/json.h"
#include "tools/page/web_names.h"
#include "tools/view/xml.h"

static void
put_member (FILE *out, const char *name, const char *text)
{
  fprintf (out, ",\n\"%s\":", name);
  json_string_in_html (out, text);
}

uint64_t
page_text (struct page_data *p, const char *text)
{
  size_t number = 0;
  p->ok = p->ok && web_names_number (&p->texts, text, &number);
  return number;
}

static void
put_data (struct page_data *p)
{
  fputs ("{\"program\":", p->out);
  json_string_in_html (p->out, p->view->program);
  put_member (p->out, "made", PACKAGE_STRING);
  page_run (p);
  page_stacks (p);
  page_functions (p);
  page_arcs (p);
  page_timeline (p);
  page_graph (p);
  page_code (p);
  page_ranks (p);
  page_diff (p);
  fputs (",\n\"texts\":", p->out);
  web_names_print (p->out, &p->texts);
  fputs ("}\n", p->out);
}

/* The page may load nothing. */
static void
put_page (struct page_data *p)
{
  fputs ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" "
         "href=\"data:,\">\n<title>",
         p->out);
  xml_text (p->out, object_name (&p->view->model->objects.all[0]));
  fprintf (p->out, " - profile</title>\n<style>\n%s</style>\n</head>\n<body>\n%s", html_page_css,
           html_page_html);
  fputs ("<script type=\"application/json\" id=\"data\">\n", p->out);
  put_data (p);
  fprintf (p->out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", html_page_js);
}

bool
html_page (FILE *out, const struct export_view *v, struct html_choice *choice, struct error *err)
{
  struct page_data p = { .out = out, .view = v, .choice = choice, .ok = true };
  put_page (&p);
  web_names_free (&p.texts);
  free (p.nodes);
  return p.ok ? error_if_unwritten (out, err) : error_no_memory (err);
}
