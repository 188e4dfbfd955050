/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses only elements and attributes that all readers of JUnit XML know: testsuites, testsuite,
   testcase, failure, error.  Rules take no time, but readers expect one. */
#include <stdlib.h>

#include "tools/check/check_emit.h"
#include "tools/view/xml.h"

/* The cases with the rule's verdict, one per line. */
static void
print_cases (FILE *out, const struct check *check, const struct check_rule *c)
{
  for (size_t i = 0; i < c->ncases; i++)
    if (c->cases[i].verdict == c->verdict)
      {
        char *text = NULL;
        size_t size;
        FILE *line = open_memstream (&text, &size);
        if (!line)
          continue;
        check_case_text (line, check, c, &c->cases[i]);
        fclose (line);
        xml_text (out, text);
        fputc ('\n', out);
        free (text);
      }
}

static void
print_rule (FILE *out, const struct check *check, const struct check_rule *c)
{
  fputs ("    <testcase classname=\"bbprof.", out);
  xml_text (out, metric_names[c->rule->metric]);
  fputs ("\" name=\"", out);
  xml_text (out, c->rule->text);
  fputs ("\" time=\"0\"", out);
  switch (c->verdict)
    {
    case CHECK_WITHIN: fputs ("/>\n", out); return;
    case CHECK_UNSURE:
      fputs (">\n      <error type=\"unsure\" message=\"cannot be judged: ", out);
      xml_text (out, c->why);
      fputs ("\"/>\n", out);
      break;
    case CHECK_NOT_PROVEN:
      fprintf (out,
               ">\n      <%s message=\"not proven: %zu above the budget, but not significantly\">",
               check->strict ? "failure type=\"not proven\"" : "skipped", c->unproven);
      print_cases (out, check, c);
      fprintf (out, "</%s>\n", check->strict ? "failure" : "skipped");
      break;
    case CHECK_OVER:
      fprintf (out, ">\n      <failure type=\"over\" message=\"%zu over budget\">", c->over);
      print_cases (out, check, c);
      fputs ("</failure>\n", out);
      break;
    }
  fputs ("    </testcase>\n", out);
}

static const char begin[]
    = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"bbprof check";
static const char end[] = "  </testsuite>\n</testsuites>\n";

void
check_emit_junit_error (FILE *out, const struct error *why)
{
  fprintf (out,
           "%s\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
           "    <testcase classname=\"bbprof\" name=\"check\" time=\"0\">\n"
           "      <error type=\"unsure\" message=\"cannot be judged: ",
           begin);
  xml_text (out, why->file ? why->file : "");
  fputs (why->file ? ": " : "", out);
  xml_text (out, why->text);
  fprintf (out, "\"/>\n    </testcase>\n%s", end);
}

void
check_emit_junit (FILE *out, const struct check *check)
{
  fprintf (out, "%s ", begin);
  xml_text (out, check->diff->now->program);
  fprintf (out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
           check->count, check->over + (check->strict ? check->unproven : 0), check->unsure,
           check->strict ? 0 : check->unproven);
  for (size_t i = 0; i < check->count; i++)
    print_rule (out, check, &check->rules[i]);
  fputs (end, out);
}
