/* SPDX-License-Identifier: MIT */
/* Hides from a recorded program what bbprof record added to its environment.  The additions are
   removed at the start and put back only for exec, when this process continues with another
   program.  With children=1 they stay, for all programs that this one starts.

   BBPROF_OPTIONS=OURS::THEIRS, or just OURS.  LD_PRELOAD=LIBRARY:THEIRS, or just LIBRARY, or
   THEIRS:LIBRARY with the address sanitizer's library, which must be the first.  Providers of
   languages (libbbprof-python.so) follow LIBRARY, and belong to it.  If users preload
   libbbprof-record.so themselves, it may stand anywhere in LD_PRELOAD and options may be missing;
   then both variables are theirs and stay.  Context: cold; what the exec family calls also runs in
   a vfork child, so it writes only to its stack. */
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"

/* The library's part of a variable's value: N bytes from START; 0: none. */
struct part {
  size_t start, n;
};
static struct part library_of_ours (const char *value);
static struct part options_of_ours (const char *value);

/* The variables, and the library's part of each at the start. */
static struct variable {
  const char *name, *separator;
  struct part (*of_ours) (const char *value);
  bool behind; /* the user's part came first */
  char ours[BBP_PATH_SIZE];
} variables[] = {
  { "LD_PRELOAD=", ":", library_of_ours, false, "" },
  { "BBPROF_OPTIONS=", "::", options_of_ours, false, "" },
};
enum { NVARIABLES = sizeof variables / sizeof *variables, PRELOAD = 0, OPTIONS = 1 };

/* From here on OURS applies to one process only: the number of its next image (path.c). */
static const char of_process[] = ":process=";
enum { MOST_OF_PROCESS = 64 }; /* bytes, with two numbers in it */

/* The length of VALUE up to the end of the library's name. */
static size_t
bytes_of_library (const char *value)
{
  return strcspn (value, ": ");
}

static bool
is_library (const char *value, const char *name)
{
  size_t n = bytes_of_library (value), length = strlen (name);
  return n >= length && strncmp (value + n - length, name, length) == 0
         && (n == length || value[n - length - 1] == '/');
}

/* The first N bytes of VALUE, and the providers that follow. */
static size_t
with_providers (const char *value, size_t n)
{
  static const char provider[] = "libbbprof-";
  while (value[n] == ':')
    {
      const char *path = value + n + 1, *end = path + bytes_of_library (path), *name = end;
      while (name > path && name[-1] != '/')
        name--;
      if (strncmp (name, provider, sizeof provider - 1) != 0)
        break;
      n = (size_t) (end - value);
    }
  return n;
}

static struct part
library_of_ours (const char *value)
{
  static const char sanitizer[] = "libasan.so.";
  size_t first = strncmp (value, sanitizer, sizeof sanitizer - 1) == 0 ? bytes_of_library (value)
                                                                       : 0,
         n;
  for (size_t start = 0; value[start]; start += n + (value[start + n] != '\0'))
    {
      n = bytes_of_library (value + start);
      if (is_library (value + start, "libbbprof-record.so"))
        return (struct part) { start, n };
    }
  first += first && value[first];
  return (struct part) { 0, is_library (value + first, "libbbprof.so")
                                ? with_providers (value, first + bytes_of_library (value + first))
                                : 0 };
}

static struct part
options_of_ours (const char *value)
{
  return (struct part) { 0, bbp_options_of_record (value) };
}

/* The value if ENTRY is that of VARIABLE, else null. */
static char *
value_in (char *entry, const struct variable *variable)
{
  size_t n = strlen (variable->name);
  return strncmp (entry, variable->name, n) == 0 ? entry + n : NULL;
}

/* Remove ENVIRON[I].  In the array that the kernel made, the entries in front of it move: the data
   behind the array is found by the array's end, so the end stays. */
static void
remove_entry (size_t i)
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
save_ours (struct variable *variable, const char *value, size_t n)
{
  struct bbp_text text = { .buffer = variable->ours, .size = sizeof variable->ours };
  bbp_text_bytes (&text, value, n);
  char *end = strstr (variable->ours, of_process);
  if (end)
    *end = '\0';
}

/* Remove PART and one SEPARATOR from ENTRY, with value VALUE.  The text before it moves; the end
   stays where it is. */
static char *
remove_part (char *entry, char *value, struct part part, const char *separator)
{
  size_t gap = strlen (separator), before = part.start ? (size_t) (value - entry) + part.start - gap
                                                       : (size_t) (value - entry);
  size_t cut = part.n + gap;
  while (before-- > 0)
    entry[before + cut] = entry[before];
  return entry + cut;
}

static void
hide (struct variable *variable)
{
  static const char recorded[] = "record=1";
  char *value = NULL;
  size_t i = 0;
  while (environ[i] && !(value = value_in (environ[i], variable)))
    i++;
  struct part part = value ? variable->of_ours (value) : (struct part) { 0, 0 };
  if (part.n == 0 && variable == &variables[OPTIONS] && bbp_record_is_preloaded ())
    save_ours (variable, recorded, sizeof recorded - 1);
  if (part.n == 0)
    return;
  save_ours (variable, value + part.start, part.n);
  variable->behind = part.start > 0;
  if (bbp_options.children)
    return;
  if (part.start == 0 && !value[part.n])
    remove_entry (i);
  else
    environ[i] = remove_part (environ[i], value, part, variable->separator);
}

void
bbp_environment_hide (void)
{
  if (environ && bbp_options.record)
    for (int i = 0; i < NVARIABLES; i++)
      hide (&variables[i]);
}

static bool
continues_by_exec (void)
{
  return bbp_own_process () && !bbp.forked;
}

size_t
bbp_environment_room (char *const envp[])
{
  size_t pointers = NVARIABLES + 1, bytes = MOST_OF_PROCESS;
  if (!variables[OPTIONS].ours[0] || !(continues_by_exec () || bbp_options.children))
    return 0;
  for (int i = 0; i < NVARIABLES; i++)
    bytes += strlen (variables[i].name) + strlen (variables[i].ours) + 1;
  for (; envp && *envp; envp++, pointers++)
    for (int i = 0; i < NVARIABLES; i++)
      if (value_in (*envp, &variables[i]))
        bytes += strlen (*envp);
  return pointers + bytes / sizeof (char *) + 1;
}

/* Writes the entry of VARIABLE for the next program.  REST: the user's part of it, or null. */
static char *
write_entry (struct bbp_text *text, const struct variable *variable, const char *rest)
{
  char *entry = text->buffer + text->used;
  bbp_text_string (text, variable->name);
  if (rest && variable->behind)
    {
      bbp_text_string (text, rest);
      bbp_text_string (text, variable->separator);
    }
  bbp_text_string (text, variable->ours);
  if (variable == &variables[OPTIONS] && continues_by_exec ())
    {
      bbp_text_string (text, of_process);
      bbp_text_number (text, (uint64_t) bbp.pid);
      bbp_text_string (text, ":image=");
      bbp_text_number (text, bbp_image () + 1);
    }
  if (rest && !variable->behind)
    {
      bbp_text_string (text, variable->separator);
      bbp_text_string (text, rest);
    }
  text->used++; /* the terminating zero */
  return entry;
}

/* Put the library's part back into ENTRY, with value VALUE; returns the entry for exec.  VALUE may
   already name the library, with children=1 or by another path. */
static char *
put_back (struct bbp_text *text, const struct variable *variable, char *entry, const char *value)
{
  size_t n = variable->of_ours (value).n;
  if (variable == &variables[PRELOAD] && (n > 0 || !variable->ours[0]))
    return entry;
  return write_entry (text, variable,
                      n == 0     ? value
                      : value[n] ? value + n + strlen (variable->separator)
                                 : NULL);
}

char *const *
bbp_environment_restore (char *room[], size_t size, char *const envp[])
{
  size_t n = 0, first = NVARIABLES;
  bool there[NVARIABLES] = { false };
  while (envp && envp[n])
    n++;
  size_t pointers = n + NVARIABLES + 1;
  struct bbp_text text
      = { .buffer = (char *) (room + pointers), .size = (size - pointers) * sizeof *room };
  for (size_t i = 0; i < n; i++)
    {
      room[first + i] = envp[i];
      for (int k = 0; k < NVARIABLES; k++)
        {
          const char *value = value_in (envp[i], &variables[k]);
          if (!value || there[k])
            continue;
          there[k] = true;
          room[first + i] = put_back (&text, &variables[k], envp[i], value);
        }
    }
  room[first + n] = NULL;
  for (int k = 0; k < NVARIABLES; k++)
    if (!there[k])
      room[--first] = write_entry (&text, &variables[k], NULL);
  return room + first;
}
