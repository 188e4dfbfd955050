/* SPDX-License-Identifier: MIT */
/* Where the files go: into the folder that the program was started in, wherever it goes itself.  Context: cold. */
#include <stdlib.h>

#include "internal.h"
#include "sys.h"

static char start_folder[4096]; /* empty if it could not be told */

void
bbp_path_start (void)
{
  long n = bbp_sys_getcwd (start_folder, sizeof start_folder);
  if (n <= 0 || start_folder[0] != '/') /* "(unreachable)/..." */
    start_folder[0] = '\0';
}

static bool
finish (struct bbp_text *path, const char *name, int pid)
{
  if (name[0] != '/' && start_folder[0])
    {
      bbp_text_string (path, start_folder);
      bbp_text_string (path, "/");
    }
  bbp_text_string (path, name);
  if (pid)
    {
      bbp_text_string (path, ".");
      bbp_text_number (path, pid);
    }
  return !path->cut;
}

/* As in glibc: GMON_OUT_PREFIX.<pid>, unless the program runs with more rights than its caller. */
bool
bbp_path_prefixed (char *path, size_t size)
{
  const char *prefix = secure_getenv ("GMON_OUT_PREFIX"); /* not getenv: the program may have its own */
  struct bbp_text text = { .buffer = path, .size = size };
  return prefix && finish (&text, prefix, bbp_sys_getpid ());
}

/* A process that was made behind fork's back (clone) has its parent's counts, but must not take its file. */
bool
bbp_path_plain (char *path, size_t size)
{
  struct bbp_text text = { .buffer = path, .size = size };
  int pid = bbp_sys_getpid ();
  return finish (&text, "gmon.out", bbp.forked || pid != bbp.pid ? pid : 0);
}
