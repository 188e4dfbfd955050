/* SPDX-License-Identifier: MIT */
/* The user's settings: BBPROF_OPTIONS="key=value:key=value", as on other systems.  Only the keys
   that apply here are known. */
#include <string.h>

#include "runtime/os/win32/win32.h"

enum { DEFAULT_RATE = 100, MOST_RATE = 10000, VALUE = 64 };

struct bbp_settings bbp_settings
    = { .rate = DEFAULT_RATE, .timer = &bbp_timer_waitable, .start = true };

static const struct bbp_timer *const timers[]
    = { &bbp_timer_waitable, &bbp_timer_queue, &bbp_timer_sleep };

static const char *
set_output (const char *value)
{
  struct bbp_text text = { .buffer = bbp_settings.output, .size = sizeof bbp_settings.output };
  bbp_text_string (&text, value);
  return text.cut || !*value ? "needs the name of a file" : NULL;
}

static const char *
set_rate (const char *value)
{
  unsigned rate = 0;
  for (; *value >= '0' && *value <= '9' && rate <= MOST_RATE; value++)
    rate = 10 * rate + (unsigned) (*value - '0');
  if (*value || rate == 0 || rate > MOST_RATE)
    return "needs a number of samples a second, from 1 to 10000";
  bbp_settings.rate = rate;
  return NULL;
}

static const char *
set_timer (const char *value)
{
  for (size_t i = 0; i < sizeof timers / sizeof *timers; i++)
    if (strcmp (timers[i]->name, value) == 0)
      {
        bbp_settings.timer = timers[i];
        return NULL;
      }
  return "needs waitable, queue or sleep";
}

static const char *
set_switch (bool *to, const char *value)
{
  if ((value[0] != '0' && value[0] != '1') || value[1])
    return "needs 0 or 1";
  *to = *value == '1';
  return NULL;
}

static const char *
set_periodic (const char *value)
{
  return set_switch (&bbp_settings.periodic, value);
}

static const char *
set_start (const char *value)
{
  return set_switch (&bbp_settings.start, value);
}

static const struct {
  const char *key;
  const char *(*set) (const char *value);
} table[] = { { "output", set_output },
              { "rate", set_rate },
              { "sampler", set_timer },
              { "periodic", set_periodic },
              { "start", set_start } };

const char *
bbp_settings_set (const char *key, size_t n, const char *value, size_t length)
{
  static char text[BBP_PATH_SIZE];
  if (length >= sizeof text)
    return "too long";
  bbp_copy_bytes (text, value, length);
  text[length] = '\0';
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strlen (table[i].key) == n && memcmp (table[i].key, key, n) == 0)
      return table[i].set (text);
  return "not an option here (output, rate, sampler, periodic, start)";
}

static void
read_item (const char *item, size_t n)
{
  const char *equals = memchr (item, '=', n);
  size_t key = equals ? (size_t) (equals - item) : n;
  const char *wrong = equals ? bbp_settings_set (item, key, equals + 1, n - key - 1)
                             : "not of the form key=value";
  char name[VALUE];
  struct bbp_text text = { .buffer = name, .size = sizeof name };
  bbp_text_string (&text, "BBPROF_OPTIONS: ");
  bbp_text_bytes (&text, item, key);
  if (wrong)
    bbp_message (name, wrong);
}

/* A colon behind a single letter belongs to the name of a drive: output=C:\x. */
static size_t
length_of_item (const char *item)
{
  size_t n = strcspn (item, ":");
  if (n > 1 && item[n - 2] == '=' && item[n] && (item[n + 1] == '\\' || item[n + 1] == '/'))
    n += 1 + strcspn (item + n + 1, ":");
  return n;
}

void
bbp_settings_read (void)
{
  static char value[BBP_PATH_SIZE];
  DWORD n = GetEnvironmentVariableA ("BBPROF_OPTIONS", value, sizeof value);
  if (n >= sizeof value)
    {
      bbp_message ("BBPROF_OPTIONS", "too long, so it is ignored");
      return;
    }
  value[n] = '\0';
  for (const char *item = value; *item;)
    {
      size_t length = length_of_item (item);
      if (length)
        read_item (item, length);
      item += length;
      item += *item == ':';
    }
}

void
bbp_settings_fix_output (void)
{
  static wchar_t wide[BBP_PATH_SIZE], whole[BBP_PATH_SIZE];
  const char *name = *bbp_settings.output ? bbp_settings.output : "gmon.out";
  MultiByteToWideChar (CP_UTF8, 0, name, -1, wide, BBP_PATH_SIZE);
  if (GetFullPathNameW (wide, BBP_PATH_SIZE, whole, NULL))
    bbp_narrow (bbp_settings.output, sizeof bbp_settings.output, whole);
}
