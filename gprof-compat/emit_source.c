/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -A: the text of the source files, with executions before each line. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/output.h"
#include "common/visible.h"
#include "gprof-compat/emit.h"
#include "gprof-compat/name.h"
#include "gprof-compat/source_lines.h"
#include "gprof-compat/source_text.h"
#include "gprof-compat/symbol_blocks.h"
#include "model/symbols/srcline.h"

/* The margin of each line: the counts, right-aligned, and an arrow.  More counts than fit cut the
   arrow, then are cut themselves. */
enum { MARGIN = 16, COUNTS_WIDTH = 12 };
/* Counts of a line: of its function, of the block before, of its own blocks. */
enum { COUNTS_MOST = SYMBOL_BLOCKS_MOST + 1, COUNT_LENGTH = 21 };

struct page {
  struct report *r;
  struct source_lines lines;
  struct symbol_blocks blocks;
  uint64_t last;               /* the count printed last, in any file */
  bool second;                 /* a file was printed before this one */
  size_t executable, executed; /* lines of this file */
};

/* The counts of a line. */
struct counts {
  uint64_t sum; /* of all counts, printed or not */
  size_t length;
  char text[COUNTS_MOST * COUNT_LENGTH + 1];
};

static void
add_count (struct page *p, struct counts *c, uint64_t count)
{
  c->sum += count;
  if (p->r->options->all_lines && c->length > 0 && count == p->last)
    return;
  c->length
      += (size_t) sprintf (c->text + c->length, "%s%" PRIu64, c->length > 0 ? "," : "", count);
  p->last = count;
}

/* Collects the calls if a function begins here, then the blocks of the first symbol.  With -x the
   count of the previous block comes first, if that block may reach into the line, and of equal
   consecutive counts one is kept. */
static void
collect_counts (struct page *p, struct counts *c, const struct source_line *line)
{
  const struct symbol *s = &p->r->model.symtab.symbols[line->symbol];
  const struct execution *block = p->blocks.all + p->blocks.first[line->symbol];
  const struct execution *end = p->blocks.all + p->blocks.first[line->symbol + 1];
  if (s->is_function)
    add_count (p, c, line->calls);
  else if (p->r->options->all_lines
           && (line->several || block == end || block->address > s->address))
    add_count (p, c, p->last);
  for (; block < end; block++)
    add_count (p, c, block->count);
}

static void
print_margin (FILE *out, struct page *p, const struct source_line *line)
{
  char text[sizeof ((struct counts *) NULL)->text + MARGIN];
  struct counts c = { 0 };
  collect_counts (p, &c, line);
  p->executable++;
  if (c.length == 0)
    {
      fprintf (out, "%*s", MARGIN, "");
      return;
    }
  p->executed++;
  sprintf (text, "%*s -> ", COUNTS_WIDTH, c.sum < p->r->options->min_count ? "#####" : c.text);
  fprintf (out, "%.*s", MARGIN, text);
}

static void
print_text (FILE *out, struct page *p, FILE *text, const struct source_line *line,
            const struct source_line *end)
{
  char *buffer = NULL;
  size_t room = 0;
  ssize_t length;
  for (uint64_t number = 1; (length = getline (&buffer, &room, text)) >= 0; number++)
    {
      if (line < end && line->number == number)
        print_margin (out, p, line++);
      else
        fprintf (out, "%*s", MARGIN, "");
      if (p->r->options->gnu)
        fwrite (buffer, 1, (size_t) length, out);
      else
        fputs (visible_line (buffer), out);
    }
  free (buffer);
}

static int
compare_calls (const void *a, const void *b, void *context)
{
  const struct source_line *x = a, *y = b;
  (void) context;
  return x->calls > y->calls ? -1 : x->calls < y->calls;
}

/* Reorders LINES. */
static bool
print_top (FILE *out, struct source_line *lines, size_t count, unsigned long most)
{
  if (!array_sort (lines, count, sizeof *lines, compare_calls, NULL))
    return false;
  fprintf (out, "\n\nTop %lu Lines:\n\n     Line      Count\n\n", most);
  for (size_t i = 0; i < count && i < most && lines[i].calls != 0; i++)
    fprintf (out, "%9u %10" PRIu64 "\n", lines[i].number, lines[i].calls);
  return true;
}

static void
print_summary (FILE *out, const struct page *p, uint64_t calls)
{
  size_t n = p->executable;
  fprintf (out, "\nExecution Summary:\n\n");
  fprintf (out, "%9zu   Executable lines in this file\n", n);
  fprintf (out, "%9zu   Lines executed\n", p->executed);
  fprintf (out, "%9.2f   Percent of the file executed\n",
           n ? 100.0 * (double) p->executed / (double) n : 100.0);
  fprintf (out, "\n%9" PRIu64 "   Total number of line executions\n", calls);
  fprintf (out, "%9.2f   Average executions per line\n", n ? (double) calls / (double) n : 0.0);
}

static bool
print_source (FILE *out, struct page *p, FILE *text, uint32_t source, uint64_t calls,
              struct error *err)
{
  struct source_line *lines = p->lines.all + p->lines.first[source];
  size_t count = p->lines.first[source + 1] - p->lines.first[source];
  p->executable = p->executed = 0;
  print_text (out, p, text, lines, lines + count);
  unsigned long most = p->r->options->table_length;
  if (most > 0 && !print_top (out, lines, count, most))
    return error_no_memory (err);
  print_summary (out, p, calls);
  return true;
}

/* Keeps the error as a warning, so that the other files are still shown. */
static bool
warn (struct page *p, const struct error *why, struct error *err)
{
  return warnings_add (&p->r->warnings, why) || error_no_memory (err);
}

/* Writes the source into a file of its own in the current folder. */
static bool
write_source (struct page *p, FILE *text, uint32_t source, uint64_t calls, struct error *err)
{
  struct output o;
  struct error why;
  bool open = output_open (&o, srcline_base (p->r->model.symtab.sources[source]), "-ann", &why);
  bool ok = open ? print_source (o.file, p, text, source, calls, err) && output_finish (&o, err)
                       && output_publish (&o, err)
                 : warn (p, &why, err);
  output_close (&o);
  return ok;
}

static bool
annotate (FILE *out, struct page *p, uint32_t source, uint64_t calls, struct error *err)
{
  const struct options *options = p->r->options;
  const char *name = p->r->model.symtab.sources[source];
  struct error why;
  FILE *text = source_text_open (name, options->source_dirs, options->nsource_dirs);
  if (!text)
    {
      error_set (&why, name, ERROR_NO_OFFSET,
                 "cannot read this source: %s (-I FOLDER searches elsewhere)", strerror (errno));
      return warn (p, &why, err);
    }
  bool ok;
  if (options->separate_files)
    ok = write_source (p, text, source, calls, err);
  else
    {
      if (p->second)
        fputc ('\n', out);
      p->second = true;
      report_break (p->r, out);
      fprintf (out, "*** File %s:\n", name_shown (p->r, name));
      ok = print_source (out, p, text, source, calls, err);
    }
  fclose (text);
  return ok;
}

static bool
body (FILE *out, struct report *r, struct error *err)
{
  struct page p = { .r = r };
  bool ok = source_lines_make (&p.lines, r, err) && symbol_blocks_make (&p.blocks, r, err);
  for (size_t source = r->model.symtab.nsources; ok && source-- > 0;)
    {
      size_t first = p.lines.first[source], end = p.lines.first[source + 1];
      uint64_t calls = 0;
      for (size_t i = first; i < end; i++)
        calls += p.lines.all[i].calls;
      if (first < end && (calls != 0 || r->options->unused))
        ok = annotate (out, &p, (uint32_t) source, calls, err);
    }
  source_lines_free (&p.lines);
  symbol_blocks_free (&p.blocks);
  return ok;
}

const struct emitter emit_source = { .body = body, .unbroken = true };
