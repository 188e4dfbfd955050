/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/utf8.h"
#include "common/visible.h"

enum { KEPT = 16, ESCAPE = 6 /* characters of the longest escape */ };

/* Invisible characters above ASCII, and those that change how others are shown. */
static bool
is_control (uint32_t c)
{
  static const struct {
    uint32_t first, last;
  } ranges[] = { { 0x80, 0x9f },     { 0x61c, 0x61c },   { 0x200b, 0x200f },
                 { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfeff, 0xfeff } };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (ranges[i].first <= c && c <= ranges[i].last)
      return true;
  return false;
}

/* Decodes the character of N bytes at P. */
static uint32_t
decode (const unsigned char *p, int n)
{
  uint32_t value = p[0] & (0x7fu >> n);
  for (int i = 1; i < n; i++)
    value = value << 6 | (p[i] & 0x3f);
  return value;
}

/* Length of the character at P, which is terminated.  HARMLESS: it needs no escape; those of
   ALLOWED need none. */
static int
take (const unsigned char *p, const char *allowed, bool *harmless)
{
  if (*p < 0x80)
    {
      *harmless = (*p >= ' ' && *p != 0x7f) || strchr (allowed, *p)
                  || (p[0] == '\r' && p[1] == '\n' && strchr (allowed, '\n'));
      return 1;
    }
  int n = utf8_length (p);
  *harmless = n > 0 && !is_control (decode (p, n));
  return n > 0 ? n : 1;
}

static bool
is_harmless (const char *text, const char *allowed)
{
  bool harmless = true;
  const unsigned char *p = (const unsigned char *) text;
  while (*p >= ' ' && *p < 0x7f) /* most texts to their end */
    p++;
  while (*p && harmless)
    p += take (p, allowed, &harmless);
  return harmless;
}

/* Writes TEXT with escapes to TO, which has room for ESCAPE characters for each of TEXT's, and a
   terminator.  Returns the end. */
static char *
escape (char *to, const char *text, const char *allowed)
{
  for (const unsigned char *p = (const unsigned char *) text; *p;)
    {
      bool harmless;
      int n = take (p, allowed, &harmless);
      if (harmless)
        to = mempcpy (to, p, (size_t) n);
      else
        to += n > 1 ? sprintf (to, "\\u%04x", decode (p, n)) : sprintf (to, "\\x%02x", *p);
      p += n;
    }
  *to = '\0';
  return to;
}

/* TEXT itself, or a copy in a ring of KEPT buffers. */
static const char *
make_visible (const char *text, const char *allowed)
{
  static char *kept[KEPT];
  static size_t next;
  if (!text || is_harmless (text, allowed))
    return text ? text : "";
  char **copy = &kept[next++ % KEPT];
  free (*copy);
  *copy = malloc (ESCAPE * strlen (text) + 1);
  if (!*copy)
    return "(out of memory)";
  escape (*copy, text, allowed);
  return *copy;
}

const char *
visible (const char *text)
{
  return make_visible (text, "");
}

const char *
visible_line (const char *text)
{
  return make_visible (text, "\t\n");
}

/* Writes what one call prints on stderr.  A newline is kept only at its end. */
static ssize_t
write_visible (void *unused, const char *piece, size_t size)
{
  char *text = malloc (size + 1), *shown = malloc (ESCAPE * size + 1);
  (void) unused;
  if (text && shown)
    {
      bool ends = size > 0 && piece[size - 1] == '\n';
      for (size_t i = 0; i < size; i++)
        text[i] = piece[i] ? piece[i] : ' ';
      text[size - ends] = '\0';
      char *end = escape (shown, text, "");
      if (ends)
        *end++ = '\n';
      for (const char *p = shown; p < end;)
        {
          ssize_t n = write (STDERR_FILENO, p, (size_t) (end - p));
          if (n < 0 && errno != EINTR)
            break;
          p += n > 0 ? n : 0;
        }
    }
  free (text);
  free (shown);
  return (ssize_t) size;
}

void
visible_stderr (void)
{
  FILE *filter = fopencookie (NULL, "w", (cookie_io_functions_t) { .write = write_visible });
  if (!filter)
    return;
  setvbuf (filter, NULL, _IONBF, 0);
  stderr = filter;
}

void
visible_print (void (*print) (FILE *out))
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (!out)
    return;
  print (out);
  if (fclose (out) == 0)
    for (char *line = text, *end; (end = strchr (line, '\n')); line = end + 1)
      fprintf (stderr, "%.*s", (int) (end + 1 - line), line);
  free (text);
}
