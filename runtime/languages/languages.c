/* SPDX-License-Identifier: MIT */
/* The registered languages.  Context: cold, unless a function says otherwise. */
#include <errno.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/languages/languages.h"

BBP_PUBLIC int bbprof_language (const struct bbprof_language *);

struct bbp_language bbp_languages[BBX_LANGUAGES_MOST];
static unsigned number; /* of those; atomic; writer: lock */

/* Context: any. */
unsigned
bbp_languages_number (void)
{
  return __atomic_load_n (&number, __ATOMIC_ACQUIRE);
}

static bool
is_name (const char *name)
{
  size_t n = 0;
  while (name && n < sizeof bbp_languages->facts.name && name[n])
    n++;
  return n > 0 && n < sizeof bbp_languages->facts.name;
}

/* The place of the language NAME, or a new one; null: there is none. */
static struct bbp_language *
place_of (const char *name)
{
  unsigned i = 0;
  while (i < number && strcmp (bbp_languages[i].facts.name, name) != 0)
    i++;
  return i < BBX_LANGUAGES_MOST ? &bbp_languages[i] : NULL;
}

static int
enter (const struct bbprof_language *language)
{
  struct bbp_language *place = place_of (language->name);
  if (!place)
    return -ENOSPC;
  if (!bbp_functions_start (place))
    return -ENOMEM;
  bbp_copy_bytes (place->facts.name, language->name, bbp_string_bytes (language->name));
  __atomic_store_n (&place->provider, language, __ATOMIC_RELEASE);
  if (place == &bbp_languages[number])
    __atomic_store_n (&number, number + 1, __ATOMIC_RELEASE);
  return 0;
}

int
bbprof_language (const struct bbprof_language *language)
{
  if (!language || !is_name (language->name) || !language->frames || !language->describe)
    return -EINVAL;
  bbp_sigset old = bbp_lock ();
  int error = enter (language);
  bbp_unlock (old);
  return error;
}

/* Context: any. */
struct bbp_language *
bbp_language_of (const struct bbprof_language *provider)
{
  for (unsigned i = 0; i < bbp_languages_number (); i++)
    if (__atomic_load_n (&bbp_languages[i].provider, __ATOMIC_ACQUIRE) == provider)
      return &bbp_languages[i];
  return NULL;
}

void
bbp_languages_write (struct bbp_out *out)
{
  for (unsigned i = 0; i < number; i++)
    {
      bbp_languages[i].undescribed = bbp_functions_write (out, &bbp_languages[i]);
      struct bbx_language facts = bbp_languages[i].facts;
      facts.unknown += bbp_languages[i].undescribed;
      bbp_bbx_chunk (out, BBX_TYPE_LANGUAGE,
                     (const struct bbp_part[BBP_PARTS]) { { &facts, sizeof facts } });
    }
}

void
bbp_languages_reset (void)
{
  for (unsigned i = 0; i < number; i++)
    {
      struct bbx_language *facts = &bbp_languages[i].facts, zero = { 0 };
      bbp_copy_bytes (zero.name, facts->name, sizeof zero.name);
      *facts = zero;
      bbp_languages[i].alone = 0;
    }
}

/* "bbprof: language NAME: N WHAT" */
static void
report (const char *name, uint64_t n, const char *what)
{
  char subject[32], line[128];
  struct bbp_text first = { .buffer = subject, .size = sizeof subject },
                  second = { .buffer = line, .size = sizeof line };
  if (!n)
    return;
  bbp_text_string (&first, "language ");
  bbp_text_string (&first, name);
  bbp_text_number (&second, n);
  bbp_text_string (&second, what);
  bbp_message (subject, line);
}

void
bbp_languages_report (void)
{
  static bool reported[BBX_LANGUAGES_MOST];
  for (unsigned i = 0; i < number; i++)
    {
      const struct bbx_language *facts = &bbp_languages[i].facts;
      uint64_t unknown = facts->unknown + bbp_languages[i].undescribed,
               deep = facts->cut - bbp_languages[i].alone;
      if (reported[i])
        continue;
      reported[i] = deep || unknown || facts->unlisted;
      report (facts->name, deep,
              " samples have more than 1024 frames; the outermost ones are left out");
      report (
          facts->name, unknown,
          " frames or functions are unknown to the interpreter; shown as " BBX_FUNCTION_UNKNOWN);
      report (facts->name, facts->unlisted,
              " frames of further functions: the list is full; shown as " BBX_FUNCTION_UNKNOWN);
    }
}
