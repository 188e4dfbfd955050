/* SPDX-License-Identifier: MIT */
/* A program that is recorded sees the environment that it would have without: what bbprof record has put there for this
   library is taken out again at the start, and given to the next program only if this process itself goes on with it (exec).
   With children=1 it stays there, for all programs that this one starts.

   BBPROF_OPTIONS=OURS::THEIRS, or just OURS; LD_PRELOAD=LIBRARY:THEIRS, or just LIBRARY, or with the address sanitizer's, which must
   be the first, before that.  Context: cold; what the exec
   family calls also a vfork child, which writes nowhere but to its stack. */
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "internal.h"
#include "sys.h"

static size_t library_of_ours (const char *value);

/* The variables, and what was OURS in them at the start. */
static struct variable {
  const char *name, *separator;
  size_t (*of_ours) (const char *value); /* bytes at its beginning; 0: none */
  char ours[BBP_PATH_SIZE];
} variables[] = {
  { "LD_PRELOAD=", ":", library_of_ours, "" },
  { "BBPROF_OPTIONS=", "::", bbp_options_of_record, "" },
};
enum { NVARIABLES = sizeof variables / sizeof *variables, OPTIONS = 1 };

/* From here on OURS is about one process: which image (path.c) is to come. */
static const char of_process[] = ":process=";
enum { MOST_OF_PROCESS = 64 }; /* bytes, with two numbers */

static size_t
library_of_ours (const char *value)
{
  static const char name[] = "libbbprof.so", sanitizer[] = "libasan.so.";
  size_t first = strncmp (value, sanitizer, sizeof sanitizer - 1) == 0 ? strcspn (value, ": ") : 0, length = sizeof name - 1;
  first += first && value[first];
  value += first;
  size_t n = strcspn (value, ": ");
  bool ours = n >= length && strncmp (value + n - length, name, length) == 0 && (n == length || value[n - length - 1] == '/');
  return ours ? first + n : 0;
}

/* Of a VALUE that begins with N bytes of ours; null: there is nothing else. */
static const char *
theirs (const struct variable *variable, const char *value, size_t n)
{
  return n == 0 ? value : value[n] ? value + n + strlen (variable->separator) : NULL;
}

/* The value of VARIABLE if ENTRY is that, else null. */
static char *
value_in (char *entry, const struct variable *variable)
{
  size_t n = strlen (variable->name);
  return strncmp (entry, variable->name, n) == 0 ? entry + n : NULL;
}

/* ENVIRON[I] goes.  Behind the array that the kernel has made there are things that are found by its end, so that one loses its
   beginning. */
static void
take_out (size_t i)
{
  uintptr_t array = (uintptr_t) environ;
  char *entry = environ[i];
  if (array > (uintptr_t) __builtin_frame_address (0) && array < getauxval (AT_EXECFN))
    {
      for (; i > 0; i--)
        environ[i] = environ[i - 1];
      *environ++ = entry;
      return;
    }
  do
    environ[i] = environ[i + 1];
  while (environ[i++]);
}

static void
keep (struct variable *variable, const char *value, size_t n)
{
  struct bbp_text text = { .buffer = variable->ours, .size = sizeof variable->ours };
  bbp_text_bytes (&text, value, n);
  char *end = strstr (variable->ours, of_process);
  if (end)
    *end = '\0';
}

static void
leave (struct variable *variable)
{
  char *value = NULL;
  size_t i = 0;
  while (environ[i] && !(value = value_in (environ[i], variable)))
    i++;
  size_t n = value ? variable->of_ours (value) : 0;
  if (n == 0)
    return;
  keep (variable, value, n);
  const char *rest = theirs (variable, value, n);
  if (bbp_options.children)
    return;
  if (!rest)
    {
      take_out (i);
      return;
    }
  environ[i] = (char *) rest - strlen (variable->name);
  bbp_copy_bytes (environ[i], variable->name, strlen (variable->name));
}

void
bbp_environment_leave (void)
{
  if (environ && bbp_options.record)
    for (int i = 0; i < NVARIABLES; i++)
      leave (&variables[i]);
}

static bool
goes_on (void)
{
  return bbp_own_process () && !bbp.forked;
}

size_t
bbp_environment_room (char *const envp[])
{
  size_t pointers = NVARIABLES + 1, bytes = MOST_OF_PROCESS;
  if (!variables[OPTIONS].ours[0] || !(goes_on () || bbp_options.children))
    return 0;
  for (int i = 0; i < NVARIABLES; i++)
    bytes += strlen (variables[i].name) + strlen (variables[i].ours) + 1;
  for (; envp && *envp; envp++, pointers++)
    for (int i = 0; i < NVARIABLES; i++)
      if (value_in (*envp, &variables[i]))
        bytes += strlen (*envp);
  return pointers + bytes / sizeof (char *) + 1;
}

/* The entry of VARIABLE for the next program, where theirs is REST, or null. */
static char *
write_entry (struct bbp_text *text, const struct variable *variable, const char *rest)
{
  char *entry = text->buffer + text->used;
  bbp_text_string (text, variable->name);
  bbp_text_string (text, variable->ours);
  if (variable == &variables[OPTIONS] && goes_on ())
    {
      bbp_text_string (text, of_process);
      bbp_text_number (text, (uint64_t) bbp.pid);
      bbp_text_string (text, ":image=");
      bbp_text_number (text, bbp_image () + 1);
    }
  if (rest)
    {
      bbp_text_string (text, variable->separator);
      bbp_text_string (text, rest);
    }
  text->used++; /* the terminating zero */
  return entry;
}

char *const *
bbp_environment_put_back (char *room[], size_t size, char *const envp[])
{
  size_t n = 0, first = NVARIABLES;
  bool there[NVARIABLES] = { false };
  while (envp && envp[n])
    n++;
  size_t pointers = n + NVARIABLES + 1;
  struct bbp_text text = { .buffer = (char *) (room + pointers), .size = (size - pointers) * sizeof *room };
  for (size_t i = 0; i < n; i++)
    {
      room[first + i] = envp[i];
      for (int k = 0; k < NVARIABLES; k++)
        {
          const char *value = value_in (envp[i], &variables[k]);
          if (!value || there[k])
            continue;
          there[k] = true;
          room[first + i] = write_entry (&text, &variables[k], theirs (&variables[k], value, variables[k].of_ours (value)));
        }
    }
  room[first + n] = NULL;
  for (int k = 0; k < NVARIABLES; k++)
    if (!there[k])
      room[--first] = write_entry (&text, &variables[k], NULL);
  return room + first;
}
