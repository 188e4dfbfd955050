/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/view/style.h"

enum { LEAST_COLUMNS = 40 };

/* See no-color.org. */
static bool
wants_colour (void)
{
  const char *no = getenv ("NO_COLOR"), *terminal = getenv ("TERM");
  return !(no && *no) && terminal && strcmp (terminal, "dumb") != 0;
}

static size_t
terminal_columns (void)
{
  struct winsize size;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col < LEAST_COLUMNS ? LEAST_COLUMNS : size.ws_col;
}

/* Reads the character set without changing the command's locale, which prints numbers as in "C". */
static bool
is_utf8 (void)
{
  locale_t locale = newlocale (LC_CTYPE_MASK, "", (locale_t) 0);
  bool utf8 = locale && strcmp (nl_langinfo_l (CODESET, locale), "UTF-8") == 0;
  if (locale)
    freelocale (locale);
  return utf8;
}

bool
style_choose (struct style *s, const char *when)
{
  bool terminal = isatty (STDOUT_FILENO), always = when && strcmp (when, "always") == 0;
  *s = (struct style) { .colour = always,
                        .bars = terminal,
                        .utf8 = is_utf8 (),
                        .columns = terminal ? terminal_columns () : 0 };
  if (!when || strcmp (when, "auto") == 0)
    s->colour = terminal && wants_colour ();
  else
    return always || strcmp (when, "never") == 0;
  return true;
}

enum emphasis
style_heat (double share)
{
  const double hot = 0.1, warm = 0.02;
  return share >= hot ? HOT : share >= warm ? WARM : PLAIN;
}

void
style_put (const struct style *s, FILE *out, enum emphasis emphasis)
{
  static const char *const codes[]
      = { [PLAIN] = "\033[0m",   [TITLE] = "\033[1m",  [FAINT] = "\033[2m", [ALARM] = "\033[31m",
          [RELIEF] = "\033[32m", [HOT] = "\033[1;31m", [WARM] = "\033[33m" };
  if (s->colour)
    fputs (codes[emphasis], out);
}
