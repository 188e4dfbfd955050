/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a user's own macro set line by line, and makes the texts with their numbers.

     # a comment
     PROFILE_BEFORE_PROLOGUE
     BLOCK_PROFILER if pic not ax clobbers cc
     {
     	incq	.LPBX2+8*@blockno@(%rip)
     }

   Each brace is alone on its line.  The text between them is used byte by byte, except for the
   numbers. Of several definitions of a macro the first one with true conditions is used. */
#include "gcc-plugin/macros/template.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The first words of lines outside of the braces. */
static const struct {
  const char *name, *number; /* the number that its text may have */
} macros[BBP_TEMPLATE_MACROS] = {
  [BBP_FUNCTION_PROFILER] = { "FUNCTION_PROFILER", "labelno" },
  [BBP_FUNCTION_BLOCK_PROFILER] = { "FUNCTION_BLOCK_PROFILER", "labelno" },
  [BBP_BLOCK_PROFILER] = { "BLOCK_PROFILER", "blockno" },
  [BBP_FUNCTION_BLOCK_PROFILER_EXIT] = { "FUNCTION_BLOCK_PROFILER_EXIT", "exitno" },
  [BBP_MACHINE_STATE_SAVE] = { "MACHINE_STATE_SAVE", "id" },
  [BBP_MACHINE_STATE_RESTORE] = { "MACHINE_STATE_RESTORE", "id" },
};

const char *
bbp_template_name (const struct bbp_template_set *set, enum bbp_template_macro macro)
{
  if (set->write && macro == BBP_MACHINE_STATE_SAVE)
    return "BBPROF_STATE_SAVE";
  if (set->write && macro == BBP_MACHINE_STATE_RESTORE)
    return "BBPROF_STATE_RESTORE";
  return macros[macro].name;
}

/* BBP_IF_..., from the lowest bit. */
static const char *const conditions[] = { "pic", "pie", "ax", "optimize" };
#define CONDITIONS "`pic', `pie', `ax' and `optimize'"

static unsigned
conditions_of (const struct bbp_code *code)
{
  return (code->pic ? BBP_IF_PIC : 0) | (code->pie ? BBP_IF_PIE : 0)
         | (code->profile_block_flag == 2 ? BBP_IF_AX : 0) | (code->level ? BBP_IF_OPTIMIZE : 0);
}

struct reader {
  struct bbp_template_set *set;
  struct bbp_template_error *error;
  FILE *file;
  char *line; /* the last one, without its end */
  size_t room;
  int number;
};

bool
bbp_template_fail (struct bbp_template_error *error, int line, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (error->text, sizeof error->text, format, arguments);
  va_end (arguments);
  error->line = line;
  return false;
}

static bool
next_line (struct reader *r)
{
  ssize_t n = getline (&r->line, &r->room, r->file);
  if (n < 0)
    return false;
  r->number++;
  if (n > 0 && r->line[n - 1] == '\n')
    r->line[n - 1] = '\0';
  return true;
}

/* The length of the placeholder @NAME@ at the beginning of TEXT; 0: none. */
static size_t
placeholder (const char *text)
{
  size_t n = *text == '@' ? strspn (text + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
  return n && text[1 + n] == '@' ? n + 2 : 0;
}

static bool
is_named (const char *text, size_t n, const char *name)
{
  return n == strlen (name) + 2 && !strncmp (text + 1, name, n - 2);
}

static bool
check_placeholders (struct reader *r, enum bbp_template_macro macro)
{
  for (const char *p = r->line; (p = strchr (p, '@'));)
    {
      size_t n = placeholder (p);
      if (n && !is_named (p, n, macros[macro].number))
        return bbp_template_fail (r->error, r->number, "%s has no %.*s; its number is @%s@",
                                  macros[macro].name, (int) n, p, macros[macro].number);
      p += n ? n : 1;
    }
  return true;
}

/* Reads the lines up to the closing brace. */
static bool
read_text (struct reader *r, enum bbp_template_macro macro, struct bbp_template *template)
{
  size_t size;
  if (!next_line (r) || strcmp (r->line, "{"))
    return bbp_template_fail (r->error, template->line, "%s is not followed by a line with {",
                              macros[macro].name);
  FILE *text = open_memstream (&template->text, &size);
  if (!text)
    return bbp_template_fail (r->error, 0, "out of memory");
  bool ok = true, closed = false;
  while (ok && !closed && next_line (r))
    if (!(closed = !strcmp (r->line, "}")))
      {
        ok = check_placeholders (r, macro);
        fprintf (text, "%s\n", r->line);
      }
  if (fclose (text) != 0)
    return bbp_template_fail (r->error, 0, "out of memory");
  return ok
         && (closed
             || bbp_template_fail (r->error, template->line,
                                   "the text of %s does not end: there is no line with }",
                                   macros[macro].name));
}

static unsigned
condition (const char *word)
{
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (!strcmp (word, conditions[i]))
      return 1U << i;
  return 0;
}

/* Reads the words behind `if'.  *WORD: the first word behind the conditions, or null. */
static bool
read_conditions (struct reader *r, struct bbp_template *template, char **word)
{
  bool negated = false;
  while ((*word = strtok (NULL, " \t")) && strcmp (*word, "clobbers"))
    if (!negated && !strcmp (*word, "not"))
      negated = true;
    else if (!condition (*word))
      return bbp_template_fail (r->error, r->number,
                                "unknown condition `%s'; there are " CONDITIONS
                                ", each with or without `not' before it",
                                *word);
    else
      {
        *(negated ? &template->if_clear : &template->if_set) |= condition (*word);
        negated = false;
      }
  if (negated || !(template->if_set | template->if_clear))
    return bbp_template_fail (r->error, r->number, "no condition behind `%s'",
                              negated ? "not" : "if");
  return !(template->if_set & template->if_clear)
         || bbp_template_fail (r->error, r->number, "conditions that can never hold together");
}

/* WORDS: all behind the macro's name. */
static bool
read_words (struct reader *r, enum bbp_template_macro macro, struct bbp_template *template,
            char *words)
{
  char *word = strtok (words, " \t");
  if (word && !strcmp (word, "if") && !read_conditions (r, template, &word))
    return false;
  if (word && (macro == BBP_MACHINE_STATE_SAVE || macro == BBP_MACHINE_STATE_RESTORE))
    return bbp_template_fail (r->error, r->number,
                              "%s changes nothing that is in use: `%s' has no meaning here",
                              macros[macro].name, word);
  if (word && strcmp (word, "clobbers"))
    return bbp_template_fail (r->error, r->number,
                              "unexpected `%s' behind %s; allowed are `if' and conditions, then "
                              "`clobbers' and registers",
                              word, macros[macro].name);
  for (int n = 0; word && (word = strtok (NULL, " \t")); n++)
    {
      if (n == BBP_TEMPLATE_CLOBBERS)
        return bbp_template_fail (r->error, r->number, "too many registers; at most %d",
                                  BBP_TEMPLATE_CLOBBERS);
      if (!(template->clobbers[n] = strdup (word)))
        return bbp_template_fail (r->error, 0, "out of memory");
    }
  return true;
}

/* Appends a definition of MACRO. */
static bool
read_macro (struct reader *r, enum bbp_template_macro macro, char *words)
{
  struct bbp_template **end = &r->set->definitions[macro];
  for (; *end; end = &(*end)->next)
    if (!((*end)->if_set | (*end)->if_clear))
      return bbp_template_fail (r->error, r->number, "%s is already defined in line %d",
                                macros[macro].name, (*end)->line);
  struct bbp_template *template = *end = calloc (1, sizeof *template);
  if (!template)
    return bbp_template_fail (r->error, 0, "out of memory");
  template->line = r->number;
  return read_words (r, macro, template, words) && read_text (r, macro, template);
}

/* Reads a line outside of the braces. */
static bool
read_definition (struct reader *r)
{
  char *line = r->line + strspn (r->line, " \t");
  size_t n = strcspn (line, " \t");
  char *rest = line + n + strspn (line + n, " \t");
  if (!n || *line == '#')
    return true;
  line[n] = '\0';
  for (int macro = 0; macro < BBP_TEMPLATE_MACROS; macro++)
    if (!strcmp (line, macros[macro].name))
      return read_macro (r, macro, rest);
  bool *flag = !strcmp (line, "PROFILE_BEFORE_PROLOGUE") ? &r->set->profile_before_prologue
               : !strcmp (line, "NO_PROFILE_COUNTERS")   ? &r->set->no_profile_counters
                                                         : NULL;
  if (!flag)
    return bbp_template_fail (r->error, r->number, "unknown macro `%s'", line);
  if (*rest)
    return bbp_template_fail (r->error, r->number,
                              "unexpected `%s' behind %s, which takes no arguments", rest, line);
  return *flag = true;
}

bool
bbp_template_read (struct bbp_template_set *set, const char *file, struct bbp_template_error *error)
{
  struct reader r = { .set = set, .error = error, .file = fopen (file, "r") };
  memset (set, 0, sizeof *set);
  set->file = file;
  if (!r.file)
    return bbp_template_fail (error, 0, "%s", strerror (errno));
  bool ok = true;
  while (ok && next_line (&r))
    if (r.number == 1 && !strncmp (r.line, "\177ELF", 4))
      ok = bbp_template_fail (error, 0, "an object file, but its name does not end in .so");
    else
      ok = read_definition (&r);
  if (ok && ferror (r.file))
    ok = bbp_template_fail (error, 0, "%s", strerror (errno));
  fclose (r.file);
  free (r.line);
  return ok;
}

/* The conditions that hold, and those that do not, for users; "" if nothing depends on them. */
static const char *
describe (const struct bbp_template_set *set, unsigned holding)
{
  static char words[80];
  unsigned asked = 0;
  for (int macro = 0; macro < BBP_TEMPLATE_MACROS; macro++)
    for (const struct bbp_template *template = set->definitions[macro]; template;
         template = template->next)
      asked |= template->if_set | template->if_clear;
  int n = 0;
  *words = '\0';
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (asked & 1U << i)
      n += snprintf (words + n, sizeof words - n, "%s %s%s", n ? "" : " where it is",
                     holding & 1U << i ? "" : "not ", conditions[i]);
  return words;
}

/* Checks macros that need others. */
static bool
check_whole (const struct bbp_template_set *set, unsigned holding, struct bbp_template_error *error)
{
  static const struct {
    enum bbp_template_macro macro, other;
  } needs[] = {
    { BBP_BLOCK_PROFILER, BBP_FUNCTION_BLOCK_PROFILER },
    { BBP_FUNCTION_BLOCK_PROFILER, BBP_BLOCK_PROFILER },
    { BBP_FUNCTION_BLOCK_PROFILER_EXIT, BBP_BLOCK_PROFILER },
    { BBP_MACHINE_STATE_SAVE, BBP_MACHINE_STATE_RESTORE },
    { BBP_MACHINE_STATE_RESTORE, BBP_MACHINE_STATE_SAVE },
  };
  const struct bbp_template *const *m = set->macros;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (m[needs[i].macro] && !m[needs[i].other])
      return bbp_template_fail (error, m[needs[i].macro]->line, "%s without %s%s",
                                macros[needs[i].macro].name, macros[needs[i].other].name,
                                describe (set, holding));
  if ((holding & BBP_IF_AX) && m[BBP_BLOCK_PROFILER] && !m[BBP_FUNCTION_BLOCK_PROFILER_EXIT])
    return bbp_template_fail (error, m[BBP_BLOCK_PROFILER]->line,
                              "no FUNCTION_BLOCK_PROFILER_EXIT, which `ax=calls' needs%s",
                              describe (set, holding));
  return m[BBP_FUNCTION_PROFILER] || m[BBP_BLOCK_PROFILER]
         || bbp_template_fail (error, 0, "neither FUNCTION_PROFILER nor BLOCK_PROFILER%s",
                               describe (set, holding));
}

bool
bbp_template_choose (struct bbp_template_set *set, const struct bbp_code *code,
                     struct bbp_template_error *error)
{
  unsigned holding = conditions_of (code);
  set->code = *code;
  for (int macro = 0; macro < BBP_TEMPLATE_MACROS; macro++)
    {
      const struct bbp_template *template = set->definitions[macro];
      while (template && ((template->if_set & ~holding) || (template->if_clear & holding)))
        template = template->next;
      set->macros[macro] = template;
    }
  return check_whole (set, holding, error);
}

static void
write_numbered (FILE *file, const char *text, int number)
{
  for (const char *p = text; *p;)
    {
      size_t n = placeholder (p);
      if (n)
        fprintf (file, "%d", number);
      else
        putc (*p, file);
      p += n ? n : 1;
    }
}

char *
bbp_template_text (const struct bbp_template_set *set, enum bbp_template_macro macro, int number)
{
  char *text;
  size_t size;
  FILE *file = open_memstream (&text, &size);
  if (!file)
    return NULL;
  if (set->write)
    set->write (file, set, macro, number);
  else
    write_numbered (file, set->macros[macro]->text, number);
  fflush (file);
  if (size && text[size - 1] != '\n')
    putc ('\n', file);
  bool failed = ferror (file);
  return fclose (file) || failed ? NULL : text;
}

void
bbp_template_write_counter (FILE *file, int labelno, int word_bytes)
{
  fprintf (file,
           "\t.pushsection\t.data\n"
           "\t.balign\t%d\n"
           ".LP%d:\n"
           "\t.zero\t%d\n"
           "\t.popsection\n",
           word_bytes, labelno, word_bytes);
}
