/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a user's own macro set, an object that bbprof-macros.h made, and uses its functions as
   definitions of the macros. */
#include "gcc-plugin/macros/object.h"
#include "include/bbprof-macros.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A set of version 1 has at least all fields up to here. */
#define LEAST_SIZE (offsetof (struct bbprof_macros, state_restore) + sizeof (struct bbprof_macro))

/* The object's; fields that an older header did not have are 0. */
static struct bbprof_macros object;

static const struct bbprof_macro *const functions[BBP_TEMPLATE_MACROS] = {
  [BBP_FUNCTION_PROFILER] = &object.function_profiler,
  [BBP_FUNCTION_BLOCK_PROFILER] = &object.function_block_profiler,
  [BBP_BLOCK_PROFILER] = &object.block_profiler,
  [BBP_FUNCTION_BLOCK_PROFILER_EXIT] = &object.function_block_profiler_exit,
  [BBP_MACHINE_STATE_SAVE] = &object.state_save,
  [BBP_MACHINE_STATE_RESTORE] = &object.state_restore,
};

bool
bbp_object_is_named (const char *file)
{
  const char *end = strrchr (file, '.');
  return end && !strcmp (end, ".so");
}

/* Adds a slash, because the loader searches elsewhere for a name without one.  Null: see ERROR. */
static void *
load (const char *file, struct bbp_template_error *error)
{
  char path[4096];
  snprintf (path, sizeof path, "%s%s", strchr (file, '/') ? "" : "./", file);
  if (access (path, R_OK))
    {
      bbp_template_fail (error, 0, "%s", strerror (errno));
      return NULL;
    }
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    {
      const char *why = dlerror (); /* mostly begins with the path */
      size_t n = strlen (path);
      bbp_template_fail (error, 0, "%s",
                         strncmp (why, path, n) || strncmp (why + n, ": ", 2) ? why : why + n + 2);
    }
  return handle;
}

static bool
check_versions (const struct bbprof_macros *found, struct bbp_template_error *error)
{
  if (found->version != BBPROF_MACROS_VERSION)
    return bbp_template_fail (error, 0,
                              "version %u of bbprof-macros.h, but this plugin has version %d: "
                              "recompile it with that header",
                              found->version, BBPROF_MACROS_VERSION);
  if (found->size < LEAST_SIZE || !found->set)
    return bbp_template_fail (error, 0, "its bbprof_macros was not made by bbprof-macros.h");
  return (found->size <= sizeof object
          && found->compilation_size <= sizeof (struct bbprof_compilation))
         || bbp_template_fail (
             error, 0,
             "made by a newer bbprof-macros.h than this plugin's: recompile it with that header");
}

static bool
add_clobbers (struct bbp_template *template, const char *clobbers, struct bbp_template_error *error)
{
  int n = 0;
  char *words = strdup (clobbers ? clobbers : ""), *rest = words;
  for (char *word; words && (word = strtok_r (rest, " \t,", &rest)); n++)
    if (n < BBP_TEMPLATE_CLOBBERS)
      template->clobbers[n] = word;
  return (words && n <= BBP_TEMPLATE_CLOBBERS)
         || bbp_template_fail (error, 0, words ? "too many registers; at most %d" : "out of memory",
                               BBP_TEMPLATE_CLOBBERS);
}

static bool
add_definitions (struct bbp_template_set *set, struct bbp_template_error *error)
{
  static struct bbp_template definitions[BBP_TEMPLATE_MACROS];
  /* Otherwise GCC 2.95 did not use it. */
  definitions[BBP_FUNCTION_BLOCK_PROFILER_EXIT].if_set = BBP_IF_AX;
  for (int macro = 0; macro < BBP_TEMPLATE_MACROS; macro++)
    if (functions[macro]->write)
      {
        if (!add_clobbers (&definitions[macro], functions[macro]->clobbers, error))
          return false;
        set->definitions[macro] = &definitions[macro];
      }
  return true;
}

static void
write_macro (FILE *file, const struct bbp_template_set *set, enum bbp_template_macro macro,
             int number)
{
  const struct bbp_code *code = &set->code;
  struct bbprof_compilation compilation
      = { code->profile_block_flag, code->pic, code->pie, code->level, code->pointer_bits };
  object.set (&compilation);
  functions[macro]->write (file, number);
}

bool
bbp_object_read (struct bbp_template_set *set, const char *file, struct bbp_template_error *error)
{
  memset (set, 0, sizeof *set);
  set->file = file;
  void *handle = load (file, error);
  if (!handle)
    return false;
  const struct bbprof_macros *found = dlsym (handle, "bbprof_macros");
  if (!found)
    return bbp_template_fail (error, 0,
                              "no macros in it: include bbprof-macros.h behind their definitions");
  if (!check_versions (found, error))
    return false;
  memcpy (&object, found, found->size);
  set->write = write_macro;
  set->profile_before_prologue = object.profile_before_prologue;
  set->no_profile_counters = object.no_profile_counters;
  return add_definitions (set, error);
}
