/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "common/utf8.h"
#include "common/visible.h"
#include "tools/timeline/timeline_page.h"
#include "tools/view/short_name.h"

const char *
timeline_page_name (char text[TIMELINE_NAME], const char *name, bool ascii)
{
  size_t length = 0;
  for (const unsigned char *p = (const unsigned char *) visible (name);
       *p && length + 5 < TIMELINE_NAME;)
    {
      int n = *p < 0x80 ? 1 : utf8_length (p);
      bool good = n == 1 || !ascii;
      memcpy (text + length, good ? (const char *) p : "?", good ? (size_t) n : 1);
      length += good ? (size_t) n : 1;
      p += n;
    }
  text[length] = '\0';
  return text;
}

int
timeline_page_cut (const char *text, size_t columns)
{
  int size = 0;
  for (; text[size] && (columns > 0 || ((unsigned char) text[size] & 0xc0) == 0x80); size++)
    columns -= ((unsigned char) text[size] & 0xc0) != 0x80;
  return size;
}

void
timeline_page_label (FILE *out, const struct timeline_page *p, const char *text)
{
  size_t columns = short_name_columns (text), shown = columns < p->label ? columns : p->label;
  fprintf (out, "%.*s%*s%s", timeline_page_cut (text, p->label), text, (int) (p->label - shown), "",
           p->view->ascii ? "|" : "│");
}

void
timeline_page_end (FILE *out, const struct timeline_page *p)
{
  fputs (p->view->ascii ? "|\n" : "│\n", out);
}
