/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recover/bounds.h"
#include "recover/rebuild.h"
#include "recover/recover.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"

/* The length of PATH up to and with its last slash. */
static size_t
folder_bytes (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash ? (size_t) (slash - path) + 1 : 0;
}

/* The profile's name as the process chose it, but in the folder of its live file: another folder
   could contain files of other users.  If the live file is another user's, its name must begin
   with the profile's. */
static bool
name_profile (const struct live_file *file, char *profile, struct error *err)
{
  const char *wanted = file->head->profile + folder_bytes (file->head->profile);
  size_t folder = folder_bytes (file->name), n = strlen (wanted);
  bool belongs = strncmp (file->name + folder, wanted, n) == 0 && file->name[folder + n] == '.';
  if (n == 0 || strcmp (wanted, ".") == 0 || strcmp (wanted, "..") == 0
      || (!belongs && file->st.st_uid != geteuid ()))
    return error_set (err, file->name, ERROR_NO_OFFSET, "not the live file of %s (use -o FILE)",
                      wanted);
  if (folder + n >= RECOVER_PATH_SIZE)
    return error_set (err, file->name, ERROR_NO_OFFSET, "%s", strerror (ENAMETOOLONG));
  memcpy (profile, file->name, folder);
  memcpy (profile + folder, wanted, n + 1);
  return true;
}

/* The id of the run that wrote PROFILE; 0: unknown. */
static uint64_t
run_of (const char *profile)
{
  char header[GMON_RUN_OFFSET + sizeof (uint64_t)];
  uint64_t run = 0;
  FILE *in = fopen (profile, "re");
  if (in && fread (header, sizeof header, 1, in) == 1 && memcmp (header, "gmon", 4) == 0)
    memcpy (&run, header + GMON_RUN_OFFSET, sizeof run);
  if (in)
    fclose (in);
  return run;
}

/* Has PROFILE data that FILE does not have?  What the same process wrote while it ran is in FILE,
   too. */
static bool
is_newer (const char *profile, const struct live_file *file)
{
  struct stat st;
  if (stat (profile, &st) != 0 || run_of (profile) == live_next (file, NULL)->run)
    return false;
  const struct timespec *a = &st.st_mtim, *b = &file->st.st_mtim;
  return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

#define MOST_CALLS (UINT64_C (1) << 56)
#define MOST_BYTES (UINT64_C (1) << 34) /* of histograms */

/* A large count fills many small fields of gmon.out, so damaged counts could fill the disk. */
static bool
is_plausible (const struct bbp_profile *profile)
{
  uint64_t most = 0;
  for (size_t i = 0; i < profile->arcs.n; i++)
    if (profile->arcs.item[i].count > MOST_CALLS)
      return false;
  for (size_t i = 0; i < profile->samples.n; i++)
    most = profile->samples.item[i].count > most ? profile->samples.item[i].count : most;
  return most / UINT16_MAX < MOST_BYTES / (bbp.high - bbp.low + BBL_PAGE * profile->samples.n);
}

/* Calls the run-time library's own dump for the killed process. */
static enum recovery
dump (struct live_file *file, const char *path, struct error *err)
{
  struct bbp_profile profile;
  if (!rebuild (file, err))
    return RECOVERY_FAILED;
  if (!bbp.started)
    return RECOVERY_NOTHING;
  const struct bbp_open *open = NULL;
  int error = bbp.killed && !bounds_find (&open) ? -ENOMEM : bbp_merge (&profile);
  profile.open = open;
  if (error == 0 && !is_plausible (&profile))
    {
      error_set (err, file->name, ERROR_NO_OFFSET, "damaged: impossible counts");
      return RECOVERY_FAILED;
    }
  if (error == 0)
    error = bbp_write (path, &profile);
  if (error == 0)
    return RECOVERY_DONE;
  error_set (err, file->name, ERROR_NO_OFFSET, "%s not written: %s", path, strerror (-error));
  return RECOVERY_FAILED;
}

/* The answer of the child process below. */
struct answer {
  enum recovery result;
  struct error error;
};

/* The run-time library has one state in a process, so each file is recovered in a child process. */
static enum recovery
dump_in_child (struct live_file *file, const char *path, struct error *err)
{
  int ends[2];
  struct answer answer = { .result = RECOVERY_FAILED };
  fflush (NULL);
  if (pipe (ends) != 0)
    return error_set (err, NULL, ERROR_NO_OFFSET, "%s", strerror (errno)), RECOVERY_FAILED;
  pid_t child = fork ();
  if (child == 0)
    {
      bbp_message_start ();
      answer.result = dump (file, path, &answer.error);
      _exit (write (ends[1], &answer, sizeof answer) != sizeof answer);
    }
  close (ends[1]);
  bool answered = child > 0 && read (ends[0], &answer, sizeof answer) == sizeof answer;
  close (ends[0]);
  int status = 0;
  if (child > 0)
    waitpid (child, &status, 0);
  if (!answered)
    error_set (err, file->name, ERROR_NO_OFFSET, "cannot be recovered (signal %d while reading it)",
               WTERMSIG (status));
  else if (answer.result == RECOVERY_FAILED)
    *err = answer.error; /* its file name points to memory of before the fork */
  return answer.result;
}

/* Sets the profile's time to that of its counts, so that the profile of a process that ended
   later is newer. */
static void
set_time (const char *profile, const struct live_file *file)
{
  const struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, file->st.st_mtim };
  utimensat (AT_FDCWD, profile, times, 0);
}

enum recovery
recover_file (const char *name, const char *output, struct recovered *recovered, struct error *err)
{
  struct live_file file;
  enum recovery result = RECOVERY_FAILED;
  char *profile = recovered->profile;
  *recovered = (struct recovered) { 0 };
  if (!live_open (&file, name, err))
    return RECOVERY_FAILED;
  if (output)
    snprintf (profile, RECOVER_PATH_SIZE, "%s", output);
  if (live_is_running (&file))
    result = RECOVERY_RUNS;
  else if (!file.head)
    result = RECOVERY_NOTHING;
  else if (output || name_profile (&file, profile, err))
    result = !output && is_newer (profile, &file) ? RECOVERY_OLD
                                                  : dump_in_child (&file, profile, err);
  if (file.head)
    recovered->missing = file.head->missing;
  if (result == RECOVERY_DONE)
    set_time (profile, &file);
  if (result == RECOVERY_DONE || result == RECOVERY_NOTHING)
    unlink (name);
  live_close (&file);
  return result;
}

int
recover_compare (const void *a, const void *b)
{
  struct stat x = { 0 }, y = { 0 };
  stat (*(char *const *) a, &x);
  stat (*(char *const *) b, &y);
  if (x.st_mtim.tv_sec != y.st_mtim.tv_sec)
    return x.st_mtim.tv_sec > y.st_mtim.tv_sec ? -1 : 1;
  return x.st_mtim.tv_nsec > y.st_mtim.tv_nsec ? -1 : x.st_mtim.tv_nsec < y.st_mtim.tv_nsec;
}
