/* SPDX-License-Identifier: MIT */
/* Messages on the standard error, in one piece each.  Context: any thread; none is suspended. */
#include "runtime/os/win32/win32.h"

enum { LINE = BBP_PATH_SIZE + 512 };

static void
write_line (struct bbp_text *line)
{
  DWORD written;
  HANDLE error = GetStdHandle (STD_ERROR_HANDLE);
  bbp_text_string (line, "\r\n");
  if (error && error != INVALID_HANDLE_VALUE)
    WriteFile (error, line->buffer, (DWORD) line->used, &written, NULL);
}

void
bbp_complain (const char *text)
{
  char buffer[LINE];
  struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&line, "bbprof: ");
  bbp_text_string (&line, text);
  write_line (&line);
}

void
bbp_complain_of (const char *subject, const char *text)
{
  char buffer[LINE];
  struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&line, "bbprof: ");
  bbp_text_string (&line, subject);
  bbp_text_string (&line, " ");
  bbp_text_string (&line, text);
  write_line (&line);
}

void
bbp_message (const char *subject, const char *text)
{
  char buffer[LINE];
  struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_string (&line, "bbprof: ");
  bbp_text_string (&line, subject);
  bbp_text_string (&line, ": ");
  bbp_text_string (&line, text);
  write_line (&line);
}

void
bbp_complain_error (const char *doing, const char *subject, DWORD error)
{
  char buffer[LINE], reason[256];
  struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
  DWORD n = FormatMessageA (FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error,
                            0, reason, sizeof reason, NULL);
  while (n && (reason[n - 1] == '\n' || reason[n - 1] == '\r' || reason[n - 1] == '.'))
    n--;
  bbp_text_string (&line, "bbprof: ");
  bbp_text_string (&line, doing);
  bbp_text_string (&line, " ");
  bbp_text_string (&line, subject);
  bbp_text_string (&line, ": ");
  bbp_text_bytes (&line, reason, n);
  bbp_text_string (&line, n ? " (error " : "error ");
  bbp_text_number (&line, error);
  bbp_text_string (&line, n ? ")" : "");
  write_line (&line);
}
