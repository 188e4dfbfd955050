/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page for a browser: page/ shows the JSON of timeline_data.c. */
#include "config.h"

#include "tools/timeline/timeline_data.h"
#include "tools/timeline/web_page.h"
#include "tools/view/xml.h"

/* The page may load nothing. */
static bool
put_page (FILE *out, const struct timeline_view *view)
{
  const char *program = view->timeline->program;
  fputs ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
         "'unsafe-inline'; "
         "style-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<link rel=\"icon\" "
         "href=\"data:,\">\n<title>",
         out);
  xml_text (out, program ? program : "timeline");
  fprintf (out, " - timeline</title>\n<style>\n%s</style>\n</head>\n<body>\n%s", web_page_css,
           web_page_html);
  fputs ("<script type=\"application/json\" id=\"data\">\n", out);
  bool ok = timeline_put_data (out, view, NULL);
  fprintf (out, "\n</script>\n<script>\n%s</script>\n</body>\n</html>\n", web_page_js);
  return ok;
}

bool
timeline_emit_html (FILE *out, const struct timeline_view *view, struct error *err)
{
  return put_page (out, view) ? error_if_unwritten (out, err) : error_no_memory (err);
}
