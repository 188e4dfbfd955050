/* SPDX-License-Identifier: MIT */
/* Applies the user's selectors to functions.  Code compiled with trace points contains the names
   of its functions (section bbprof_names), and a byte for each (bbprof_choice), which each entry
   tests.  The bytes are set when a module's first such unit registers, so libraries may be
   loaded at any time.  Context: cold, lock held. */
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/select/select.h"

/* The selected functions, also of unloaded modules, by the virtual addresses of their first
   blocks: from the number of the selector (0 is the first).  And the hidden functions, from 0. */
static struct bbp_counts *chosen, *hidden;
/* the same for the unit that is being registered */
static struct bbp_counts chosen_now, hidden_now;

static bool
matches (const char *pattern, const char *name)
{
  return strcmp (pattern, name) == 0 || bbp_pattern_matches (pattern, name);
}

/* Number of bytes of a C++ function's name before its list of arguments.  All bytes if the name
   does not end with a list, which words like const and template parameters in brackets may
   follow. */
static size_t
bytes_before_arguments (const char *name)
{
  const char *with = strstr (name, " [with "), *end = with ? with : name + strlen (name);
  const char *p = end;
  while (p > name && p[-1] != ')'
         && (p[-1] == ' ' || p[-1] == '&' || (p[-1] >= 'a' && p[-1] <= 'z')))
    p--;
  if (p == name || p[-1] != ')' || (p < end && *p != ' '))
    return strlen (name);
  int depth = 0;
  do
    {
      p--;
      depth += *p == ')' ? 1 : *p == '(' ? -1 : 0;
  } while (p > name && depth);
  return depth ? strlen (name) : (size_t) (p - name);
}

static bool
matches_without_arguments (const char *pattern, const char *name)
{
  char buffer[BBP_OPTION_TEXT];
  struct bbp_text text = { .buffer = buffer, .size = sizeof buffer };
  bbp_text_bytes (&text, name, bytes_before_arguments (name));
  return !text.cut && matches (pattern, buffer);
}

/* PATTERN matches the whole name of a file, or its last parts. */
static bool
matches_file (const char *pattern, const char *file)
{
  const char *part = file, *slash;
  while (!matches (pattern, part))
    {
      slash = strchr (part, '/');
      if (!slash)
        return false;
      part = slash + 1;
    }
  return true;
}

static bool
selects (const struct bbp_selector *word, const char *assembler, const char *printed,
         const char *file, const char *unit)
{
  return (matches (word->name, assembler) || matches (word->name, printed)
          || matches_without_arguments (word->name, printed))
         && (!*word->file || matches_file (word->file, file) || matches_file (word->file, unit));
}

static void
note (struct bbp_counts *list, uintptr_t from, uintptr_t block)
{
  if (!bbp_counts_put (list, from, block, 1))
    bbp.inexact = true;
}

static void
keep (struct bbp_counts **kept, struct bbp_counts *now)
{
  bbp_counts_unite (now);
  if (bbp_counts_keep (kept, now))
    bbp.inexact = true;
  bbp_counts_free (now);
}

/* The selectors have been applied to all functions of a unit. */
void
bbp_choose_finish (void)
{
  keep (&chosen, &chosen_now);
  keep (&hidden, &hidden_now);
}

/* The BBP_CHOICE_...  of the function that has these names, in FILE, of the unit with that name
   ("": none), with its first block at BLOCK (run-time address). */
unsigned
bbp_choose (const char *assembler, const char *printed, const char *file, const char *unit,
            uintptr_t block)
{
  const struct bbp_object *object = bbp_object_at (block);
  unsigned choice = 0;
  for (size_t i = 0; i < bbp_selectors.n && object; i++)
    if (selects (&bbp_selectors.list[i], assembler, printed, file, unit))
      {
        choice |= bbp_selectors.list[i].hides ? BBP_CHOICE_HIDDEN : BBP_CHOICE_OPENS;
        note (&chosen_now, i, bbp_object_virtual (object, block));
      }
  if (choice & BBP_CHOICE_HIDDEN)
    note (&hidden_now, 0, bbp_object_virtual (object, block));
  return choice;
}

/* The address that FIELD contains as a distance from itself. */
static uintptr_t
address_at (const int32_t *field)
{
  return (uintptr_t) field + (uintptr_t) (intptr_t) *field;
}

static void
choose_function (const struct bbp_name *record)
{
  const char *assembler = (const char *) (record + 1);
  const char *printed = assembler + bbp_string_bytes (assembler),
             *file = printed + bbp_string_bytes (printed);
  unsigned choice = bbp_choose (assembler, printed, file, "", address_at (&record->first));
  __atomic_store_n ((unsigned char *) address_at (&record->choice), (unsigned char) choice,
                    __ATOMIC_RELAXED);
}

static bool started; /* there is code with trace points; lock */

/* Once, as soon as a function could be selected. */
bool
bbp_choose_start (void)
{
  if (started)
    return false;
  started = true;
  bbp_selectors_read ();
  return true;
}

/* UNIT is registered.  If it is the module's first one with names, the selectors are applied to
   all names of the module. */
void
bbp_choose_unit (const struct bb *unit)
{
  const char *next = bbp_selectors.n ? unit->names_start : unit->names_stop;
  while (next < unit->names_stop)
    {
      const struct bbp_name *record = (const struct bbp_name *) next;
      choose_function (record);
      next += sizeof *record + record->bytes;
    }
  bbp_choose_finish ();
}

/* BLOCK: virtual address of a function's first block. */
bool
bbp_choose_hides (uintptr_t block)
{
  return hidden && bbp_counts_of (hidden, 0, block);
}

/* The functions that selector number I matches, in FUNCTIONS unless that is null; returns their
   number. */
size_t
bbp_choose_functions (size_t i, uint64_t *functions)
{
  size_t n = 0;
  for (size_t k = 0; chosen && k < chosen->n; k++)
    if (chosen->item[k].from == i)
      {
        if (functions)
          functions[n] = chosen->item[k].self;
        n++;
      }
  return n;
}

/* The first option that applies to code with trace points only; null: there is none. */
static const char *
option_for_points (void)
{
  return bbp_options.trace == BBP_YES      ? "trace=1"
         : bbp_options.window              ? "window="
         : bbp_options.select[0]           ? "select="
         : bbp_options.jumps == BBP_YES    ? "jumps=1"
         : bbp_options.hidecall == BBP_YES ? "hidecall=1"
         : bbp_options.showret == BBP_YES  ? "showret=1"
                                           : NULL;
}

static void
complain_of_options (void)
{
  char buffer[128];
  struct bbp_text text = { .buffer = buffer, .size = sizeof buffer };
  const char *option = option_for_points ();
  if (!option)
    return;
  bbp_text_string (&text, option);
  bbp_text_string (&text, ": nothing in this program was compiled with -fplugin-arg-bbprof-ax");
  bbp_message ("BBPROF_OPTIONS", buffer);
}

/* At the end of the process that has read the selectors: reports selectors that matched nothing,
   and options that have no effect without trace points. */
void
bbp_choose_complain (void)
{
  if (!started && bbp.started && !bbp.forked)
    complain_of_options ();
  for (size_t i = 0; i < bbp_selectors.n && !bbp.forked; i++)
    if (!bbp_choose_functions (i, NULL))
      {
        const struct bbp_selector *word = &bbp_selectors.list[i];
        char buffer[BBP_OPTION_TEXT + 64];
        struct bbp_text text = { .buffer = buffer, .size = sizeof buffer };
        bbp_text_string (&text, "no function '");
        bbp_text_string (&text, word->name);
        bbp_text_string (&text, *word->file ? "' of file '" : "");
        bbp_text_string (&text, word->file);
        bbp_text_string (&text, "'");
        bbp_message (bbp_selectors.source, buffer);
      }
}
