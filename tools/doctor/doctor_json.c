/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format is stable: members are added; none is changed or removed without a new version
   number. */
#include <inttypes.h>

#include "tools/doctor/doctor.h"
#include "tools/view/json.h"

enum { VERSION = 1 };

static void
print_fact (FILE *out, const struct doctor_fact *f)
{
  static const char *const states[]
      = { [DOCTOR_PLAIN] = "fact", [DOCTOR_GOOD] = "ability", [DOCTOR_POOR] = "limit" };
  fputs ("    ", out);
  json_string (out, f->key);
  fputs (": {\"value\": ", out);
  json_string (out, f->value);
  fprintf (out, ", \"state\": \"%s\", \"note\": ", states[f->state]);
  json_string (out, f->note[0] ? f->note : NULL);
  fputc ('}', out);
}

static void
print_abilities (FILE *out, const struct doctor *d)
{
  fputs (",\n  \"abilities\": {\n", out);
  for (size_t i = 0; i < d->nabilities; i++)
    {
      const struct doctor_ability *a = &d->abilities[i];
      fputs ("    ", out);
      json_string (out, a->key);
      fprintf (out, ": {\"can\": %s, \"what\": ", a->can ? "true" : "false");
      json_string (out, a->what);
      fprintf (out, ", \"%s\": ", a->can ? "how" : "mend");
      json_string (out, a->can ? a->how : a->mend);
      fputs (i + 1 < d->nabilities ? "},\n" : "}\n", out);
    }
  fputs ("  }", out);
}

static void
print_result (FILE *out, const struct doctor_result *r)
{
  fputs ("    {\"sampler\": ", out);
  json_string (out, r->trial.sampler);
  fprintf (out, ", \"clock\": \"%s\", \"asked\": %u, \"used\": ", r->trial.wall ? "wall" : "cpu",
           r->trial.rate);
  json_string (out, r->used[0] ? r->used : NULL);
  fputs (", \"said\": ", out);
  json_string (out, r->why[0] ? r->why : NULL);
  fprintf (
      out,
      ", \"works\": %s, \"right\": %s, \"promised\": %u, \"achieved\": %.3f, \"ticks\": %" PRIu64
      ", \"samples\": %" PRIu64 ", \"cut\": %" PRIu64
      ", \"p\": %.6f, \"worst\": %.6f, \"elsewhere\": %" PRIu64 ", \"counted\": [",
      doctor_works (r) ? "true" : "false", doctor_is_right (r) ? "true" : "false", r->promised,
      r->achieved, r->ticks, r->samples, r->cut, r->p, r->worst, r->elsewhere);
  for (int i = 0; i < DOCTOR_WORKS; i++)
    fprintf (out, "%s%" PRIu64, i ? ", " : "", r->counted[i]);
  fputs ("], \"expected\": [", out);
  for (int i = 0; i < DOCTOR_WORKS; i++)
    fprintf (out, "%s%.6f", i ? ", " : "", r->expected[i]);
  fputs ("]}", out);
}

static void
print_results (FILE *out, const char *name, const struct doctor_result *results, size_t n)
{
  fprintf (out, ",\n  \"%s\": [\n", name);
  for (size_t i = 0; i < n; i++)
    {
      print_result (out, &results[i]);
      fputs (i + 1 < n ? ",\n" : "\n", out);
    }
  fputs ("  ]", out);
}

void
doctor_emit_json (FILE *out, const struct doctor *d)
{
  fprintf (out, "{\n  \"format\": \"bbprof-doctor\",\n  \"version\": %d,\n  \"facts\": {\n",
           VERSION);
  for (size_t i = 0; i < d->facts.count; i++)
    {
      print_fact (out, &d->facts.list[i]);
      fputs (i + 1 < d->facts.count ? ",\n" : "\n", out);
    }
  fputs ("  }", out);
  print_abilities (out, d);
  print_results (out, "auto", d->chosen, sizeof d->chosen / sizeof *d->chosen);
  print_results (out, "samplers", d->results, d->nresults);
  fputs ("\n}\n", out);
}
