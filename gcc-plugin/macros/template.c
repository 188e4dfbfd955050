/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A user's own macro set: the file, line by line, and the texts with their numbers in place.

     # a remark
     PROFILE_BEFORE_PROLOGUE
     BLOCK_PROFILER clobbers cc
     {
     	incq	.LPBX2+8*@blockno@(%rip)
     }

   Between the braces, each alone in its line, every byte is the user's but the numbers. */
#include "template.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What a line outside of the braces may begin with. */
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
bbp_template_name (enum bbp_template_macro macro)
{
  return macros[macro].name;
}

struct reader {
  struct bbp_template_set *set;
  struct bbp_template_error *error;
  FILE *file;
  char *line; /* the last one, without its end */
  size_t room;
  int number;
};

static bool __attribute__ ((format (printf, 3, 4)))
fail (struct reader *r, int line, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (r->error->text, sizeof r->error->text, format, arguments);
  va_end (arguments);
  r->error->line = line;
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

/* The length of the placeholder @NAME@ that TEXT begins with; 0: it begins with none. */
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
  for (const char *p = r->line; (p = strchr (p, '@')); )
    {
      size_t n = placeholder (p);
      if (n && !is_named (p, n, macros[macro].number))
        return fail (r, r->number, "%s has no %.*s; its number is @%s@", macros[macro].name, (int) n, p, macros[macro].number);
      p += n ? n : 1;
    }
  return true;
}

/* The lines up to the closing brace. */
static bool
read_text (struct reader *r, enum bbp_template_macro macro)
{
  size_t size;
  struct bbp_template *template = &r->set->macros[macro];
  if (!next_line (r) || strcmp (r->line, "{"))
    return fail (r, template->line, "%s is not followed by a line with {", macros[macro].name);
  FILE *text = open_memstream (&template->text, &size);
  if (!text)
    return fail (r, 0, "out of memory");
  bool ok = true, closed = false;
  while (ok && !closed && next_line (r))
    if (!(closed = !strcmp (r->line, "}")))
      {
        ok = check_placeholders (r, macro);
        fprintf (text, "%s\n", r->line);
      }
  if (fclose (text) != 0)
    return fail (r, 0, "out of memory");
  return ok && (closed || fail (r, template->line, "the text of %s does not end: there is no line with }", macros[macro].name));
}

/* WORDS: what stands behind the macro's name. */
static bool
read_clobbers (struct reader *r, enum bbp_template_macro macro, char *words)
{
  struct bbp_template *template = &r->set->macros[macro];
  char *word = strtok (words, " \t");
  if (word && (macro == BBP_MACHINE_STATE_SAVE || macro == BBP_MACHINE_STATE_RESTORE))
    return fail (r, r->number, "%s changes nothing that is in use: `%s' has no meaning here", macros[macro].name, word);
  if (word && strcmp (word, "clobbers"))
    return fail (r, r->number, "`%s' behind %s; what may stand there is `clobbers' and registers", word, macros[macro].name);
  for (int n = 0; word && (word = strtok (NULL, " \t")); n++)
    {
      if (n == BBP_TEMPLATE_CLOBBERS)
        return fail (r, r->number, "more than %d registers", BBP_TEMPLATE_CLOBBERS);
      if (!(template->clobbers[n] = strdup (word)))
        return fail (r, 0, "out of memory");
    }
  return true;
}

static bool
read_macro (struct reader *r, enum bbp_template_macro macro, char *words)
{
  struct bbp_template *template = &r->set->macros[macro];
  if (template->text)
    return fail (r, r->number, "%s again; it is defined in line %d", macros[macro].name, template->line);
  template->line = r->number;
  return read_clobbers (r, macro, words) && read_text (r, macro);
}

/* A line outside of the braces. */
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
    return fail (r, r->number, "unknown macro `%s'", line);
  if (*rest)
    return fail (r, r->number, "`%s' behind %s, which takes nothing", rest, line);
  return *flag = true;
}

/* Macros that mean nothing without others. */
static bool
check_whole (struct reader *r)
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
  const struct bbp_template *m = r->set->macros;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (m[needs[i].macro].text && !m[needs[i].other].text)
      return fail (r, m[needs[i].macro].line, "%s without %s", macros[needs[i].macro].name, macros[needs[i].other].name);
  return m[BBP_FUNCTION_PROFILER].text || m[BBP_BLOCK_PROFILER].text
         || fail (r, 0, "neither FUNCTION_PROFILER nor BLOCK_PROFILER");
}

bool
bbp_template_read (struct bbp_template_set *set, const char *file, struct bbp_template_error *error)
{
  struct reader r = { .set = set, .error = error, .file = fopen (file, "r") };
  memset (set, 0, sizeof *set);
  set->file = file;
  if (!r.file)
    return fail (&r, 0, "%s", strerror (errno));
  bool ok = true;
  while (ok && next_line (&r))
    ok = read_definition (&r);
  if (ok && ferror (r.file))
    ok = fail (&r, 0, "%s", strerror (errno));
  fclose (r.file);
  free (r.line);
  return ok && check_whole (&r);
}

void
bbp_template_write (FILE *file, const struct bbp_template_set *set, enum bbp_template_macro macro, int number)
{
  for (const char *p = set->macros[macro].text; *p; )
    {
      size_t n = placeholder (p);
      if (n)
        fprintf (file, "%d", number);
      else
        putc (*p, file);
      p += n ? n : 1;
    }
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
