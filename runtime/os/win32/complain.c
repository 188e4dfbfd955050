/* SPDX-License-Identifier: MIT */
/* Messages on the standard error, in one piece each.  Context: any thread; none is suspended. */
#include "runtime/os/win32/win32.h"

enum { LINE = BBP_PATH_SIZE + 512, REASON = 256 };

static void
print (const char *subject, const char *separator, const char *text)
{
  char buffer[LINE];
  struct bbp_text line = { .buffer = buffer, .size = sizeof buffer };
  DWORD written;
  HANDLE error = GetStdHandle (STD_ERROR_HANDLE);
  bbp_text_string (&line, "bbprof: ");
  bbp_text_string (&line, subject);
  bbp_text_string (&line, separator);
  bbp_text_string (&line, text);
  bbp_text_string (&line, "\r\n");
  if (error && error != INVALID_HANDLE_VALUE)
    WriteFile (error, line.buffer, (DWORD) line.used, &written, NULL);
}

void
bbp_complain (const char *text)
{
  print ("", "", text);
}

void
bbp_message (const char *subject, const char *text)
{
  print (subject, ": ", text);
}

/* The system's words for ERROR, without the stop and the end of line, and its number. */
static void
describe_error (struct bbp_text *text, DWORD error)
{
  char words[REASON];
  DWORD n = FormatMessageA (FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, error,
                            0, words, sizeof words, NULL);
  while (n && (words[n - 1] == '\n' || words[n - 1] == '\r' || words[n - 1] == '.'))
    n--;
  bbp_text_bytes (text, words, n);
  bbp_text_string (text, n ? " (error " : "error ");
  bbp_text_number (text, error);
  bbp_text_string (text, n ? ")" : "");
}

void
bbp_complain_error (const char *doing, const char *subject, DWORD error)
{
  char what_buffer[BBP_PATH_SIZE + 64], reason_buffer[REASON + 32];
  struct bbp_text what = { .buffer = what_buffer, .size = sizeof what_buffer };
  struct bbp_text reason = { .buffer = reason_buffer, .size = sizeof reason_buffer };
  bbp_text_string (&what, doing);
  bbp_text_string (&what, " ");
  bbp_text_string (&what, subject);
  describe_error (&reason, error);
  bbp_message (what.buffer, reason.buffer);
}
