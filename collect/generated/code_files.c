/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only a plain file that belongs to the process's user, or to root, and that was written since the
   process began, is believed.  /tmp is everybody's, and numbers of processes come again. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect/generated/code_files.h"
#include "collect/generated/perf_map.h"

/* A process maps its jitdump early, so its mappings are read less and less often. */
#define LOOK_NS 100000000UL
#define SCAN_FIRST_NS 100000000UL
#define SCAN_LAST_NS 3200000000UL

void
code_files_begin (struct code_files *f, pid_t pid, uint64_t started)
{
  *f = (struct code_files) { .pid = pid, .started = started, .pause = SCAN_FIRST_NS };
  snprintf (f->files[CODE_PERF_MAP].path, sizeof f->files[0].path, "/tmp/perf-%ld.map", (long) pid);
}

/* The time of the last change, as the clock of the samples tells it. */
static uint64_t
changed (const struct stat *st)
{
  struct timespec wall, mono;
  clock_gettime (CLOCK_REALTIME, &wall);
  clock_gettime (CLOCK_MONOTONIC, &mono);
  const int64_t ago
      = (wall.tv_sec - st->st_mtim.tv_sec) * 1000000000L + (wall.tv_nsec - st->st_mtim.tv_nsec),
      now = mono.tv_sec * 1000000000L + mono.tv_nsec;
  return ago < now ? (uint64_t) (now - ago) : 0;
}

/* The time of a file system may be older than the clock, by one of the kernel's ticks. */
static bool
is_older (const struct code_files *f, const struct stat *st)
{
  enum { TICK_NS = 20000000 };
  return changed (st) + TICK_NS < f->started;
}

/* False: there is nothing to read, perhaps not yet. */
static bool
open_file (struct code_files *f, struct code_file *file)
{
  struct stat st;
  const int fd = open (file->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    {
      file->refused = errno == ENOENT  ? NULL
                      : errno == ELOOP ? "is a link, not a file of the process; it is not read"
                                       : "cannot be read by the user of the process";
      return false;
    }
  file->refused = NULL;
  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    file->refused = "is not a regular file; it is not read";
  else if (is_older (f, &st))
    ; /* of another process that had this number; this one may still write its own */
  else if (st.st_uid != getuid () && st.st_uid != 0)
    file->refused = "belongs to another user than the process; it is not read";
  else
    {
      file->jitdump.text.fd = fd;
      return file->open = true;
    }
  close (fd);
  return false;
}

/* The path of a jitdump in a line of /proc/PID/maps: null: none. */
static const char *
jitdump_path (char *line, const char *name)
{
  char *path = strchr (line, '/');
  if (!path)
    return NULL;
  path[strcspn (path, "\n")] = '\0';
  const char *slash = strrchr (path, '/');
  return strcmp (slash + 1, name) == 0 ? path : NULL;
}

static void
find_jitdump (struct code_files *f)
{
  struct code_file *file = &f->files[CODE_JITDUMP];
  char name[64], line[4200];
  snprintf (name, sizeof name, "/proc/%ld/maps", (long) f->pid);
  FILE *maps = fopen (name, "re");
  snprintf (name, sizeof name, "jit-%ld.dump", (long) f->pid);
  while (maps && fgets (line, sizeof line, maps))
    {
      const char *path = jitdump_path (line, name);
      if (path && strlen (path) < sizeof file->path)
        {
          strcpy (file->path, path);
          break;
        }
    }
  if (maps)
    fclose (maps);
}

static bool
is_there (struct code_files *f, enum code_form form, uint64_t now, bool last)
{
  struct code_file *file = &f->files[form];
  if (file->open)
    return true;
  if (!file->path[0] && (last || now >= f->scan))
    {
      find_jitdump (f);
      f->scan = now + f->pause;
      f->pause = f->pause < SCAN_LAST_NS ? 2 * f->pause : f->pause;
    }
  return file->path[0] && open_file (f, file);
}

bool
code_files_read (struct code_files *f, uint64_t now, bool last, const struct code_sink *sink)
{
  /* A line of the map was written since the last look: code runs only after that. */
  const uint64_t since = f->looked;
  bool ok = true;
  if (!last && now - f->looked < LOOK_NS)
    return true;
  f->looked = now;
  if (is_there (f, CODE_PERF_MAP, now, last))
    ok = perf_map_read (&f->files[CODE_PERF_MAP].jitdump.text, since, last, sink);
  if (is_there (f, CODE_JITDUMP, now, last))
    ok = jitdump_read (&f->files[CODE_JITDUMP].jitdump, since, last, sink) && ok;
  return ok;
}

void
code_files_end (struct code_files *f)
{
  for (int i = 0; i < CODE_FORMS; i++)
    {
      if (f->files[i].open)
        close (f->files[i].jitdump.text.fd);
      jitdump_free (&f->files[i].jitdump);
    }
}
