/* SPDX-License-Identifier: MIT */
/* The live file of the process (BBPROF_OPTIONS=live=1).  Counts are made in it, so they survive
   kill -9.  A shared mapping of a file is the kernel's page cache: the library never writes counts,
   and counting costs the same as elsewhere. bbprof recover makes the profile of it; a normal end of
   the process removes it.

   This file decides whether there is one, names it, and writes its descriptions of the process and
   its modules. slice.c fills it.  Context: cold, lock held, or a forked child. */
#include <errno.h>
#include <string.h>

#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/dump/dump.h"
#include "runtime/live/live.h"

static struct bbl_head *head; /* null: there never was a file; valid while slices are in one */
static char path[BBP_PATH_SIZE];

/* The process's start time from the kernel; together with the pid it identifies the process.  It is
   field 22 of /proc/self/stat.  Its second field, in parentheses, may contain anything. */
static uint64_t
read_start_time (void)
{
  char line[1024];
  long fd = bbp_sys_openat (AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
  long n = fd < 0 ? fd : bbp_sys_read ((int) fd, line, sizeof line - 1);
  if (fd >= 0)
    bbp_sys_close ((int) fd);
  line[n > 0 ? n : 0] = '\0';
  const char *p = strrchr (line, ')');
  for (int field = 2; p && field < 22; field++)
    p = strchr (p + 1, ' ');
  uint64_t born = 0;
  for (p = p ? p + 1 : ""; *p >= '0' && *p <= '9'; p++)
    born = born * 10 + (uint64_t) (*p - '0');
  return born;
}

/* True if NAME ends with .NUMBER. */
static bool
ends_with (const char *name, uint64_t number)
{
  char end[24];
  struct bbp_text text = { .buffer = end, .size = sizeof end };
  bbp_text_string (&text, ".");
  bbp_text_number (&text, number);
  size_t length = strlen (name);
  return length >= text.used && strcmp (name + length - text.used, end) == 0;
}

/* PROFILE.PID.live, with another number appended if another process with that pid left a file. */
static bool
make_name (const char *profile, int attempt)
{
  struct bbp_text text = { .buffer = path, .size = sizeof path };
  bbp_text_string (&text, profile);
  if (!ends_with (profile, bbp.pid))
    {
      bbp_text_string (&text, ".");
      bbp_text_number (&text, bbp.pid);
    }
  if (attempt > 1)
    {
      bbp_text_string (&text, ".");
      bbp_text_number (&text, attempt);
    }
  bbp_text_string (&text, ".live");
  return !text.cut;
}

#define MOST_ATTEMPTS 100

/* Create the file; returns a descriptor, or -errno. */
static long
try_names (const char *profile)
{
  for (int attempt = 1; attempt < MOST_ATTEMPTS; attempt++)
    {
      if (!make_name (profile, attempt))
        return -ENAMETOOLONG;
      long fd = bbp_sys_openat (AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                0666);
      if (fd != -EEXIST)
        return fd;
    }
  return -EEXIST;
}

/* Likewise, with the rights of the user who started the program. */
static long
open_file (const char *profile)
{
  long fd = bbp_rights_lower () ? try_names (profile) : -EPERM;
  bbp_rights_restore ();
  return fd;
}

static void
remove_file (void)
{
  if (bbp_rights_lower ())
    bbp_sys_unlink (path);
  bbp_rights_restore ();
}

void
bbp_live_name_profile (void)
{
  static char name[sizeof head->profile];
  if (bbp_slices_in_file () && bbp_path_next (name, sizeof name))
    bbp_copy_bytes (head->profile, name, bbp_string_bytes (name));
}

/* Returns 0 or -errno. */
static long
make_file (void)
{
  static char profile[sizeof head->profile];
  long error = bbp_path_next (profile, sizeof profile) ? 0 : -ENAMETOOLONG;
  long fd = error ? error : open_file (profile);
  if (fd < 0)
    return fd;
  error = bbp_slices_open ((int) fd, path, &head);
  bbp_sys_close ((int) fd);
  if (error)
    {
      remove_file ();
      return error;
    }
  head->version = BBL_VERSION;
  head->pid = (uint32_t) bbp.pid;
  head->born = read_start_time ();
  bbp_live_name_profile ();
  return 0;
}

/* If the file cannot be made, the program runs on without it. */
static void
start (void)
{
  long error = make_file ();
  if (error)
    bbp_message ("no live file", strerrordesc_np ((int) -error));
}

/* Describe a module: what recovery needs besides the threads' counts and the state. */
void
bbp_live_add_module (struct bbp_module *module)
{
  if (!bbp_slices_in_file ())
    return;
  size_t ncounts = bbp_module_ncounts (module),
         map_bytes = (size_t) (module->map_stop - module->map_start);
  size_t bytes = sizeof *module->live + ncounts * sizeof (int64_t) + map_bytes;
  module->live = bbp_slice_map (BBL_MODULE, module->number, 0, bytes);
  if (!module->live)
    return;
  *module->live = (struct bbl_module) { (uintptr_t) module->counts_start,
                                        (uintptr_t) module->map_start, ncounts, map_bytes };
  bbp_copy_bytes ((int64_t *) (module->live + 1) + ncounts, module->map_start, map_bytes);
  for (struct bb *unit = module->units; unit; unit = bbp_module_next_unit (module, unit))
    bbp_live_add_unit (module, unit);
  bbp_slice_ready (module->live);
}

void
bbp_live_add_unit (struct bbp_module *module, const struct bb *unit)
{
  if (module->live)
    bbp_copy_bytes ((int64_t *) (module->live + 1) + (unit->counts - module->counts_start),
                    unit->counts, (size_t) unit->ncounts * sizeof (int64_t));
}

/* Counts that other threads make at this moment, before the start, cannot be moved into the file
   and are missing there. */
void
bbp_live_start (void)
{
  if (!bbp_options.live)
    return;
  start ();
  if (!bbp_slices_in_file ())
    return;
  if (bbp_live_above.alone ())
    bbp_slices_move ();
  else
    head->missing++;
  bbp_live_above.leave_place ();
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    bbp_live_add_module (module);
  bbp_live_save ();
}

/* From the kernel's clocks. */
static void
read_clocks (struct bbl_tick *tick)
{
  uint64_t wall, cpu;
  bbp_run_clocks (&wall, &cpu);
  __atomic_store_n (&tick->wall, wall, __ATOMIC_RELAXED);
  __atomic_store_n (&tick->cpu, cpu, __ATOMIC_RELAXED);
  __atomic_store_n (&tick->ticks_due, bbp_live_above.due (), __ATOMIC_RELAXED);
}

/* If no system calls are allowed, CPU time is the time that was sampled. */
static void
add_ticks (struct bbl_tick *tick, unsigned ticks)
{
  __atomic_store_n (&tick->wall, bbp_run_time (), __ATOMIC_RELAXED);
  if (bbp_sampling.clock == BBP_CLOCK_WALL)
    return;
  __atomic_fetch_add (&tick->cpu, ticks * (1000000000UL / (unsigned) bbp_live_above.rate ()),
                      __ATOMIC_RELAXED);
  if (tick->ticks_due)
    __atomic_fetch_add (&tick->ticks_due, ticks, __ATOMIC_RELAXED);
}

void
bbp_live_tick (unsigned ticks)
{
  if (!bbp_slices_in_file ())
    return;
  struct bbl_tick *tick = &head->tick;
  if (bbp_avoid_syscalls)
    add_ticks (tick, ticks);
  else
    read_clocks (tick);
  __atomic_store_n (&tick->own_samples, bbp.own_samples, __ATOMIC_RELAXED);
  __atomic_store_n (&tick->lost_samples, bbp.lost_samples, __ATOMIC_RELAXED);
  __atomic_store_n (&tick->left_out, bbp_live_above.left_out (), __ATOMIC_RELAXED);
}

void
bbp_live_head_ready (void)
{
  bbp_slice_ready (head);
}

void
bbp_live_forked (void)
{
  if (!head)
    return;
  bbp_slices_close ();
  if (bbp_options.live)
    start ();
  bbp_slices_move ();
}

void
bbp_live_remove (void)
{
  if (bbp_slices_detach_file ())
    remove_file ();
}

void
bbp_live_return (void)
{
  if (head && !bbp_slices_in_file () && bbp_live_above.alone ())
    {
      bbp_slices_close ();
      start ();
      bbp_slices_move ();
      bbp_live_save ();
    }
}
