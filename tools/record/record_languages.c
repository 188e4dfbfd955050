/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Providers: libraries that tell the frames of an interpreter's language, preloaded behind the
   run-time library. */
#include "config.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/record/record.h"

enum { MOST_INTERPRETERS = 5 };

/* In the order of --help; the interpreters' names begin like the languages'. */
static const char *const languages[] = { "python", "ruby" };
enum { LANGUAGES = sizeof languages / sizeof *languages };

static bool
is_among (const char *list, const char *word)
{
  size_t n = strlen (word);
  for (const char *p = list; *p; p += strcspn (p, ",") + (p[strcspn (p, ",")] == ','))
    if (strcspn (p, ",") == n && strncmp (p, word, n) == 0)
      return true;
  return false;
}

bool
record_is_language_list (const char *list)
{
  if (strcmp (list, "auto") == 0 || strcmp (list, "none") == 0)
    return true;
  for (const char *p = list;; p++)
    {
      size_t n = strcspn (p, ","), i = 0;
      while (i < LANGUAGES && (strlen (languages[i]) != n || strncmp (p, languages[i], n) != 0))
        i++;
      if (i == LANGUAGES)
        return false;
      p += n;
      if (!*p)
        return true;
    }
}

/* The next word of the line TEXT, which is cut behind it; null: there is none. */
static char *
next_word (char **text)
{
  char *word = *text + strspn (*text, " \t");
  *text = word + strcspn (word, " \t");
  if (**text)
    *(*text)++ = '\0';
  return *word ? word : NULL;
}

/* The interpreter in the first line of the script FILE; of `env' the program that it will start.
   False: it is no script. */
static bool
read_interpreter (const char *file, char *name, size_t size)
{
  char line[PATH_MAX] = "";
  int fd = open (file, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, line, sizeof line - 1) : 0;
  if (fd >= 0)
    close (fd);
  if (n < 2 || strncmp (line, "#!", 2) != 0)
    return false;
  line[strcspn (line, "\n")] = '\0';
  char *text = line + 2, *word = next_word (&text);
  if (word && strcmp (basename (word), "env") == 0)
    do
      word = next_word (&text);
    while (word && (*word == '-' || strchr (word, '=')));
  return word && snprintf (name, size, "%s", word) < (int) size;
}

/* Is NAME, without folders, that of an interpreter of LANGUAGE: python, python3, python3.11? */
static bool
is_interpreter (const char *name, const char *language)
{
  const char *file = basename (name);
  size_t n = strlen (language);
  return strncmp (file, language, n) == 0 && strspn (file + n, "0123456789.") == strlen (file + n);
}

static bool
executes (const char *program, const char *language)
{
  char name[PATH_MAX], real[PATH_MAX];
  snprintf (name, sizeof name, "%s", program);
  for (int i = 0; i < MOST_INTERPRETERS; i++)
    {
      if (is_interpreter (name, language)
          || (realpath (name, real) && is_interpreter (real, language)))
        return true;
      if (!read_interpreter (name, name, sizeof name))
        return false;
    }
  return false;
}

/* The file of LANGUAGE's provider, which is beside the run-time library. */
static bool
find_provider (const char *library, const char *language, char *path, size_t size)
{
  int n = (int) (basename (library) - library);
  snprintf (path, size, "%.*slibbbprof-%s.so", n, library, language);
  return access (path, R_OK) == 0;
}

const char *
record_add_providers (const char *file, const char *library, const char *chosen, struct error *err)
{
  char path[PATH_MAX], *all = strdup (library);
  const bool by_program = strcmp (chosen, "auto") == 0;
  for (size_t i = 0; all && i < LANGUAGES; i++)
    {
      char *before = all;
      if (!(by_program ? executes (file, languages[i]) : is_among (chosen, languages[i])))
        continue;
      if (!find_provider (library, languages[i], path, sizeof path))
        {
          error_set (err, path, ERROR_NO_OFFSET,
                     "the provider is not there (--languages=none does without)");
          return NULL;
        }
      if (asprintf (&all, "%s:%s", before, path) < 0)
        all = NULL;
      free (before);
    }
  if (!all)
    error_no_memory (err);
  return all;
}
