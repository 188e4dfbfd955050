/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/check/budget.h"

#define DEFAULT_P 0.01
#define DEFAULT_PART 1
#define PERCENT_MOST 1e9

/* Words of a line. */

/* A line while it is parsed into a rule. */
struct reader {
  const char *file;
  unsigned line;
  struct error *err;
  char **words;
  size_t nwords, room, next;
};

static bool refuse (const struct reader *r, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static bool
refuse (const struct reader *r, const char *format, ...)
{
  char text[160];
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  return error_set (r->err, r->file, ERROR_NO_OFFSET, "line %u: %s", r->line, text);
}

/* Returns the word at *P, which may be quoted, and moves *P behind it. */
static char *
take_word (const char **p, bool *closed)
{
  const char *start = *p, *end;
  bool quoted = *start == '"';
  *closed = true;
  if (quoted)
    {
      end = strchr (++start, '"');
      *closed = end != NULL;
      if (!end)
        return NULL;
      *p = end + 1;
    }
  else
    {
      end = start;
      while (*end && !isspace ((unsigned char) *end))
        end++;
      *p = end;
    }
  return strndup (start, (size_t) (end - start));
}

/* Splits the line up to its end, or to a word that begins with #. */
static bool
split (struct reader *r, const char *line)
{
  for (;;)
    {
      bool closed;
      while (isspace ((unsigned char) *line))
        line++;
      if (*line == '\0' || *line == '#')
        return true;
      if (!array_grow (&r->words, r->nwords, &r->room, sizeof *r->words))
        return error_no_memory (r->err);
      char *word = take_word (&line, &closed);
      if (!word)
        return closed ? error_no_memory (r->err) : refuse (r, "unterminated quotation mark");
      r->words[r->nwords++] = word;
    }
}

/* Returns the next word, or null. */
static const char *
next_word (struct reader *r)
{
  return r->next < r->nwords ? r->words[r->next++] : NULL;
}

/* Parts of a rule. */

static bool
read_scope (struct reader *r, struct budget_rule *rule)
{
  const char *word = next_word (r), *pattern;
  if (strcmp (word, "total") == 0)
    rule->scope = BUDGET_TOTAL;
  else if (strcmp (word, "hot") == 0)
    {
      rule->scope = BUDGET_HOT;
      rule->part = DEFAULT_PART;
      char *end;
      const char *part = r->next < r->nwords ? r->words[r->next] : "";
      double value = strtod (part, &end);
      if (end != part && strcmp (end, "%") == 0 && value >= 0 && value <= 100)
        {
          rule->part = value;
          r->next++;
        }
    }
  else if (strcmp (word, "function") == 0)
    {
      rule->scope = BUDGET_FUNCTION;
      if (!(pattern = next_word (r)))
        return refuse (r, "'function' needs a name or a pattern");
      if (!(rule->pattern = strdup (pattern)))
        return error_no_memory (r->err);
    }
  else
    return refuse (r, "a rule begins with total, hot or function, not with '%s'", word);
  return true;
}

static bool
read_metric (struct reader *r, struct budget_rule *rule)
{
  const char *word = next_word (r);
  if (!word)
    return refuse (r, "a metric is missing: executions, calls, work or time");
  for (int m = 0; m < METRICS; m++)
    if (strcmp (word, metric_names[m]) == 0)
      {
        rule->metric = (enum metric) m;
        return m != METRIC_WORK || rule->scope != BUDGET_TOTAL
               || refuse (r, "work is measured per function, not in total");
      }
  return refuse (r, "a metric is executions, calls, work or time, not '%s'", word);
}

/* Digits with at most one dot; *END: behind them. */
static bool
is_number (const char *text, const char **end)
{
  char *behind;
  *end = text + strspn (text, "0123456789.");
  strtod (text, &behind);
  return *end > text && behind >= *end;
}

/* The factor of a unit. */
static bool
find_unit (const char *unit, bool is_time, double *times)
{
  static const struct {
    const char *name;
    bool is_time;
    double times;
  } units[]
      = { { "", false, 1 }, { "k", false, 1e3 },  { "M", false, 1e6 },  { "G", false, 1e9 },
          { "s", true, 1 }, { "ms", true, 1e-3 }, { "us", true, 1e-6 }, { "ns", true, 1e-9 } };
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (units[i].is_time == is_time && strcmp (units[i].name, unit) == 0)
      {
        *times = units[i].times;
        return true;
      }
  return false;
}

/* Parses the percentage TEXT exactly: up to six digits behind the dot. */
static bool
read_percent (const char *text, uint64_t *growth)
{
  uint64_t value = 0;
  int digits = -1; /* behind the dot */
  for (; *text != '%'; text++)
    if (*text == '.' && digits < 0)
      digits = 0;
    else if (!isdigit ((unsigned char) *text) || value > UINT64_MAX / 100 || digits == 6)
      return false;
    else
      {
        value = 10 * value + (uint64_t) (*text - '0');
        digits += digits >= 0;
      }
  for (int i = digits < 0 ? 0 : digits; i < 6; i++)
    {
      if (value > UINT64_MAX / 100)
        return false;
      value *= 10;
    }
  *growth = value;
  return (double) value <= PERCENT_MOST * 1e6 && text[1] == '\0';
}

static bool
read_limit (struct reader *r, struct budget_rule *rule)
{
  const char *word = next_word (r), *number;
  const char *end;
  double times;
  if (!word)
    return refuse (r, "a limit is missing: +N%%, +N or N");
  number = word + (*word == '+');
  rule->kind = *word == '+' ? BUDGET_MORE : BUDGET_MOST;
  if (!is_number (number, &end))
    return refuse (r, "a limit is +N%%, +N or N, not '%s'", word);
  if (*end == '%')
    {
      rule->kind = BUDGET_PERCENT;
      return (*word == '+' && read_percent (number, &rule->growth))
             || refuse (r, "a percentage is +N%%, with up to six digits behind the dot, not '%s'",
                        word);
    }
  if (!find_unit (end, rule->metric == METRIC_TIME, &times))
    return refuse (r,
                   rule->metric == METRIC_TIME ? "a time has the unit s, ms, us or ns, not '%s'"
                                               : "a number may have k, M or G, not '%s'",
                   word);
  rule->limit = strtod (number, NULL) * times;
  return true;
}

static bool
read_probability (struct reader *r, struct budget_rule *rule)
{
  const char *word = next_word (r);
  char *end;
  rule->p = DEFAULT_P;
  if (!word)
    return true;
  if (rule->metric != METRIC_TIME || strncmp (word, "p<", 2) != 0)
    return refuse (r, "unexpected '%s'", word);
  rule->p = strtod (word + 2, &end);
  if (end == word + 2 || *end || !(rule->p > 0 && rule->p < 1))
    return refuse (r, "a probability is p<N, with N between 0 and 1, not '%s'", word);
  return (word = next_word (r)) == NULL || refuse (r, "unexpected '%s'", word);
}

/* The words of the line, separated by single blanks. */
static char *
join (const struct reader *r)
{
  size_t size = 1;
  for (size_t i = 0; i < r->nwords; i++)
    size += strlen (r->words[i]) + 3;
  char *text = malloc (size), *p = text;
  for (size_t i = 0; text && i < r->nwords; i++)
    {
      bool quote = r->words[i][strcspn (r->words[i], " \t#")] != '\0';
      p += sprintf (p, quote ? "%s\"%s\"" : "%s%s", i ? " " : "", r->words[i]);
    }
  return text;
}

/* Rules.  */

static void
free_rule (struct budget_rule *rule)
{
  free (rule->pattern);
  free (rule->text);
}

static bool
read_rule (struct reader *r, struct budget_rule *rule)
{
  rule->line = r->line;
  return read_scope (r, rule) && read_metric (r, rule) && read_limit (r, rule)
         && read_probability (r, rule) && ((rule->text = join (r)) || error_no_memory (r->err));
}

bool
budget_add (struct budget *b, const char *line, unsigned line_number, const char *file,
            struct error *err)
{
  struct reader r = { .file = file, .line = line_number, .err = err };
  struct budget_rule rule = { 0 };
  bool ok = split (&r, line);
  if (ok && r.nwords > 0)
    {
      ok = read_rule (&r, &rule)
           && (array_grow (&b->rules, b->count, &b->room, sizeof *b->rules)
               || error_no_memory (err));
      if (ok)
        b->rules[b->count++] = rule;
      else
        free_rule (&rule);
    }
  for (size_t i = 0; i < r.nwords; i++)
    free (r.words[i]);
  free (r.words);
  return ok;
}

bool
budget_read (struct budget *b, const char *name, struct error *err)
{
  char *line = NULL;
  size_t room = 0;
  unsigned number = 0;
  bool ok = true;
  FILE *file = fopen (name, "r");
  if (!file)
    return error_set (err, name, ERROR_NO_OFFSET, "cannot open the budget: %s", strerror (errno));
  while (ok && getline (&line, &room, file) >= 0)
    ok = budget_add (b, line, ++number, name, err);
  if (ok && ferror (file))
    ok = error_set (err, name, ERROR_NO_OFFSET, "cannot read: %s", strerror (errno));
  free (line);
  fclose (file);
  return ok && (b->count > 0 || error_set (err, name, ERROR_NO_OFFSET, "no rule in it"));
}

bool
budget_default (struct budget *b, bool has_executions, bool has_calls)
{
  struct error ignored;
  if (has_executions)
    return budget_add (b, "total executions +0.1%", 0, NULL, &ignored)
           && budget_add (b, "hot executions +0.1%", 0, NULL, &ignored);
  return (!has_calls || budget_add (b, "total calls +0.1%", 0, NULL, &ignored))
         && budget_add (b, "total time +5%", 0, NULL, &ignored)
         && budget_add (b, "hot 5% time +10%", 0, NULL, &ignored);
}

void
budget_free (struct budget *b)
{
  for (size_t i = 0; i < b->count; i++)
    free_rule (&b->rules[i]);
  free (b->rules);
  memset (b, 0, sizeof *b);
}
