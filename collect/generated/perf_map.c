/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/generated/perf_map.h"

/* A longer line has its name cut. */
enum { BUFFER = 2 * GENERATED_NAME_MOST };

static size_t
read_at (int fd, char *to, size_t n, uint64_t offset)
{
  ssize_t got;
  do
    got = pread (fd, to, n, (off_t) offset);
  while (got < 0 && errno == EINTR);
  return got > 0 ? (size_t) got : 0;
}

/* The hexadecimal number at *P, which must end with a blank before END. */
static bool
take_number (const char **p, const char *end, uint64_t *value)
{
  const char *begin = *p;
  int digits = 0;
  if (end - begin > 2 && begin[0] == '0' && begin[1] == 'x')
    *p = begin += 2;
  for (*value = 0; *p < end && digits <= 16; ++*p, digits++)
    {
      const char c = **p;
      const unsigned digit = c >= '0' && c <= '9'   ? (unsigned) (c - '0')
                             : c >= 'a' && c <= 'f' ? (unsigned) (c - 'a' + 10)
                             : c >= 'A' && c <= 'F' ? (unsigned) (c - 'A' + 10)
                                                    : 16;
      if (digit == 16)
        break;
      *value = *value << 4 | digit;
    }
  if (digits == 0 || digits > 16 || *p == end || **p != ' ')
    return false;
  ++*p;
  return true;
}

/* Null: CODE has what the line says; else what was expected. */
static const char *
parse (const char *line, const char *end, struct generated_code *code)
{
  const char *p = line;
  if (!take_number (&p, end, &code->start) || !take_number (&p, end, &code->size))
    return "expected START SIZE NAME, both numbers in hexadecimal";
  if (code->size > 0 && !generated_is_possible (code->start, code->size))
    return "expected addresses of a process";
  if (p == end || memchr (p, '\0', (size_t) (end - p)))
    return "expected a name behind START and SIZE";
  code->name = p;
  code->name_bytes = (size_t) (end - p);
  if (code->name_bytes > GENERATED_NAME_MOST)
    code->name_bytes = GENERATED_NAME_MOST;
  return NULL;
}

/* The line before END, where a byte may be overwritten.  Pieces without size have no samples. */
static bool
take_line (struct code_text *t, char *line, char *end, uint64_t offset, uint64_t time,
           const struct code_sink *sink)
{
  struct generated_code code = { .time = time };
  const char *wrong = parse (line, end, &code);
  if (wrong)
    {
      code_text_blame (t, offset, wrong);
      return true;
    }
  if (code.size == 0)
    return true;
  line[code.name - line + (ptrdiff_t) code.name_bytes] = '\0';
  t->codes++;
  return sink->take (sink->to, &code);
}

/* The offset behind the end of the line that goes on at OFFSET; or of the end of the file. */
static uint64_t
skip_line (int fd, uint64_t offset)
{
  char buffer[4096];
  for (size_t n; (n = read_at (fd, buffer, sizeof buffer, offset)) > 0; offset += n)
    {
      const char *end = memchr (buffer, '\n', n);
      if (end)
        return offset + (uint64_t) (end - buffer) + 1;
    }
  return offset;
}

/* Reading ended behind the end of a line.  If there is none now, the file was written anew. */
static bool
is_the_same (const struct code_text *t)
{
  char before;
  return t->offset == 0 || (read_at (t->fd, &before, 1, t->offset - 1) == 1 && before == '\n');
}

bool
perf_map_read (struct code_text *t, uint64_t time, bool last, const struct code_sink *sink)
{
  static char buffer[BUFFER + 1];
  if (!is_the_same (t))
    t->offset = 0;
  for (;;)
    {
      const size_t n = read_at (t->fd, buffer, BUFFER, t->offset);
      char *line = buffer, *end;
      bool ok = true;
      for (; ok && (end = memchr (line, '\n', n - (size_t) (line - buffer))); line = end + 1)
        ok = take_line (t, line, end, t->offset + (uint64_t) (line - buffer), time, sink);
      t->offset += (uint64_t) (line - buffer);
      if (!ok)
        return false;
      if (line > buffer)
        continue;
      if (n == BUFFER)
        {
          ok = take_line (t, buffer, buffer + n, t->offset, time, sink);
          t->offset = skip_line (t->fd, t->offset + n);
          if (ok)
            continue;
        }
      else if (n > 0 && last)
        {
          const uint64_t bad = t->bad;
          ok = take_line (t, buffer, buffer + n, t->offset, time, sink);
          if (t->bad == bad)
            code_text_blame (t, t->offset, "expected the end of the last line, which may be cut");
          t->offset += n;
        }
      return ok;
    }
}
