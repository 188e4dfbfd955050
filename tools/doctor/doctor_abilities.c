/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the user what works here, what does not, and how to fix it.  Uses the facts, the trials,
   and the installed development tools. */
#include "config.h"

#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/elf/debug_file.h"
#include "model/elf/image.h"
#include "model/elf/package.h"
#include "tools/doctor/doctor.h"

/* Adds an ability; null: there is no room for more. */
static struct doctor_ability *
add (struct doctor *d, bool can, const char *key, const char *what)
{
  if (d->nabilities == DOCTOR_ABILITIES)
    return NULL;
  struct doctor_ability *a = &d->abilities[d->nabilities++];
  *a = (struct doctor_ability) { .can = can };
  snprintf (a->key, sizeof a->key, "%s", key);
  snprintf (a->what, sizeof a->what, "%s", what);
  return a;
}

static void __attribute__ ((format (printf, 3, 4)))
explain (struct doctor_ability *a, bool how, const char *format, ...)
{
  if (!a)
    return;
  va_list arguments;
  va_start (arguments, format);
  if (how)
    vsnprintf (a->how, sizeof a->how, format, arguments);
  else
    vsnprintf (a->mend, sizeof a->mend, format, arguments);
  va_end (arguments);
}

static const struct doctor_fact *
find (const struct doctor *d, const char *key)
{
  for (size_t i = 0; i < d->facts.count; i++)
    if (strcmp (d->facts.list[i].key, key) == 0)
      return &d->facts.list[i];
  return NULL;
}

static bool
is_good (const struct doctor *d, const char *key)
{
  const struct doctor_fact *f = find (d, key);
  return f && f->state == DOCTOR_GOOD;
}

static void
add_clock (struct doctor *d, const struct doctor_result *r)
{
  const bool wall = r->trial.wall, works = doctor_works (r);
  struct doctor_ability *a
      = add (d, works, wall ? "sample_wall" : "sample_cpu",
             wall ? "sample waiting as well (--clock wall)" : "sample any dynamic program");
  if (works)
    explain (a, true, "%s, %u a second", r->used, r->promised);
  else
    explain (a, false, "%s", r->why);
}

/* Requirements of perf events; perf_event_paranoid may be ENOUGH at most. */
static void
explain_events (const struct doctor *d, struct doctor_ability *a, int enough)
{
  const struct doctor_fact *level = find (d, "perf_event_paranoid");
  if (level && atoi (level->value) > enough)
    explain (a, false, "as root: sysctl kernel.perf_event_paranoid=%d (it is %s)", enough,
             level->value);
  else
    explain (a, false,
             "a sandbox or container forbids perf_event_open: start the container with "
             "--cap-add PERFMON, or with a seccomp profile that allows it");
}

static void
add_events (struct doctor *d)
{
  const struct doctor_fact *timeline = find (d, "timeline"), *tick = find (d, "hz");
  const bool fast = is_good (d, "perf_user"),
             each = timeline && strcmp (timeline->value, "events") == 0;
  struct doctor_ability *a
      = add (d, fast, "sample_fast", "sample CPU time faster than the kernel's tick (-F)");
  if (fast)
    explain (a, true, "perf, up to 10,000 a second; the tick is %s", tick ? tick->value : "slower");
  else
    explain_events (d, a, 2);
  a = add (d, each, "context_switches", "see every context switch (timeline, top)");
  if (each)
    explain (a, true, "by the kernel's events");
  else
    explain_events (d, a, 2);
}

/* Does the kernel show the addresses of its functions? */
static bool
shows_functions (void)
{
  unsigned long long address = 0;
  FILE *in = fopen ("/proc/kallsyms", "re");
  const bool read = in && fscanf (in, "%llx", &address) == 1;
  if (in)
    fclose (in);
  return read && address != 0;
}

static void
add_outside (struct doctor *d)
{
  const bool attaches = is_good (d, "perf_user"), kernel = is_good (d, "perf_kernel");
  struct doctor_ability *a
      = add (d, attaches, "sample_running", "sample processes that run already (-p)");
  if (attaches)
    explain (a, true, geteuid () == 0 ? "of all users" : "of your user");
  else
    explain_events (d, a, 2);
  a = add (d, kernel, "sample_kernel", "sample the kernel, too (-p, --outside)");
  if (kernel)
    explain (a, true,
             shows_functions () ? "with its functions"
                                : "its functions have no names (as root: sysctl "
                                  "kernel.kptr_restrict=0)");
  else
    explain_events (d, a, 1);
}

static void
add_process (struct doctor *d, bool times)
{
  struct doctor_ability *a = add (d, is_good (d, "sleep_reasons"), "wait_reasons",
                                  "see what a sleeping thread waits for");
  explain (a, true, "by its system call");
  explain (a, false, "as root: sysctl kernel.yama.ptrace_scope=0, or run bbprof as root");
  a = add (d, times, "times", "see when samples were taken, and trace");
  explain (a, true, "bbprof-writer works");
  explain (a, false,
           "bbprof-writer cannot be started: make install, or set BBPROF_WRITER to its path");
}

static int
note_libc (struct dl_phdr_info *info, size_t size, void *path)
{
  (void) size;
  if (strstr (info->dlpi_name, "/libc.so"))
    *(const char **) path = info->dlpi_name;
  return 0;
}

/* The file with the symbols of library PATH, allocated; null: none. */
static char *
find_symbols (const char *path)
{
  struct image image;
  struct error err;
  char *found = NULL;
  if (image_open (&image, path, &err))
    found = image_read_symbols (&image, &err) && image.nraw > 0 ? strdup (path)
                                                                : debug_file_find (&image);
  image_close (&image);
  return found;
}

/* libc stands for all libraries of the distribution. */
static void
add_symbols (struct doctor *d)
{
  const char *path = NULL;
  dl_iterate_phdr (note_libc, &path);
  char *found = path ? find_symbols (path) : NULL;
  struct package_file file = { .path = path };
  if (!path)
    return;
  struct doctor_ability *a
      = add (d, found, "library_symbols", "name every function of the system's libraries");
  if (found)
    explain (a, true, "symbols of libc in %s", found);
  else if (packages_find (&file, 1) && file.package)
    explain (a, false,
             "install %s-%s from the distribution's debug archive, or set DEBUGINFOD_URLS to its "
             "debuginfod server",
             file.package, strcmp (file.package, "libc6") == 0 ? "dbg" : "dbgsym");
  else
    explain (a, false, "set DEBUGINFOD_URLS to the distribution's debuginfod server");
  free (file.package);
  free (found);
}

/* Development tools.  */

/* Runs COMMAND in a shell; LINE gets its first line of output.  Returns whether its exit status
   is 0. */
static bool
succeeds (const char *command, char *line, size_t room)
{
  FILE *in = popen (command, "re");
  if (!in)
    return false;
  if (!fgets (line, (int) room, in))
    *line = '\0';
  line[strcspn (line, "\n")] = '\0';
  while (fgetc (in) != EOF)
    ;
  return pclose (in) == 0;
}

/* Does the compiler find the plugin by name and load it?  Skips a compiler of version SKIP,
   which was tried under another name.  VERSION: set to the compiler's. */
static void
add_compiler (struct doctor *d, const char *compiler, const char *skip, char version[32])
{
  char command[160], line[160], key[32], what[64];
  snprintf (command, sizeof command, "%s -dumpfullversion 2>/dev/null", compiler);
  if (!succeeds (command, version, 32) || (skip && strcmp (version, skip) == 0))
    return;
  snprintf (command, sizeof command,
            "%s -fplugin=bbprof -x c -c /dev/null -o /dev/null 2>&1 </dev/null", compiler);
  const bool can = succeeds (command, line, sizeof line);
  snprintf (key, sizeof key, "count_%s", compiler);
  snprintf (what, sizeof what, "count exactly what %s compiles", compiler);
  struct doctor_ability *a = add (d, can, key, what);
  explain (a, true, "GCC %s finds the plugin bbprof", version);
  explain (a, false,
           "GCC %s does not find the plugin bbprof: make install, with configure "
           "--with-compilers=%s; if it is installed, eval \"$(bbprof env)\"",
           version, compiler);
}

static void
add_compilers (struct doctor *d)
{
  static const char *const others[] = { "gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15" };
  char version[32] = "", other[32];
  add_compiler (d, "gcc", NULL, version);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    add_compiler (d, others[i], version, other);
}

static void
add_pkg_config (struct doctor *d)
{
  char line[160];
  const bool can = succeeds ("pkg-config --modversion bbprof 2>&1", line, sizeof line);
  struct doctor_ability *a = add (d, can, "pkg_config", "build by pkg-config (CMake, Meson)");
  explain (a, true, "bbprof %s", line);
  explain (a, false,
           "pkg-config is missing, or does not find bbprof: install pkg-config; "
           "eval \"$(bbprof env)\"");
}

void
doctor_find_abilities (struct doctor *d)
{
  add_clock (d, &d->chosen[0]);
  add_clock (d, &d->chosen[1]);
  add_events (d);
  add_outside (d);
  add_process (d, d->chosen[0].times);
  add_compilers (d);
  add_pkg_config (d);
  add_symbols (d);
}
