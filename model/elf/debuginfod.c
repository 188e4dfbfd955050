/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "model/elf/debuginfod.h"

#ifdef HAVE_ELFUTILS_DEBUGINFOD_H

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/progress.h"

enum { SILENT_MOST = 10, ALL_MOST = 120 }; /* seconds */

/* The functions of the client's library that are used.  It is loaded on demand, because its
   dependences would cost each start of the program more time than most reports need. */
static struct {
  void *library; /* null: not loaded */
  __typeof__ (debuginfod_begin) *begin;
  __typeof__ (debuginfod_find_debuginfo) *find_debuginfo;
  __typeof__ (debuginfod_set_progressfn) *set_progressfn;
  __typeof__ (debuginfod_set_user_data) *set_user_data;
  __typeof__ (debuginfod_get_user_data) *get_user_data;
  __typeof__ (debuginfod_end) *end;
} client;

/* A file that is being fetched. */
struct fetching {
  struct progress progress;
  double start, last_bytes; /* when it began, and when bytes arrived last */
  long bytes;               /* received so far */
};

static double used;      /* seconds, for all files so far */
static char trouble[80]; /* empty: none; else nothing more is fetched */
static volatile sig_atomic_t interrupted;

static bool
load (void)
{
  if (client.library)
    return true;
  client.library = dlopen (DEBUGINFOD_SONAME, RTLD_LAZY);
  if (!client.library)
    return false;
  *(void **) &client.begin = dlsym (client.library, "debuginfod_begin");
  *(void **) &client.find_debuginfo = dlsym (client.library, "debuginfod_find_debuginfo");
  *(void **) &client.set_progressfn = dlsym (client.library, "debuginfod_set_progressfn");
  *(void **) &client.set_user_data = dlsym (client.library, "debuginfod_set_user_data");
  *(void **) &client.get_user_data = dlsym (client.library, "debuginfod_get_user_data");
  *(void **) &client.end = dlsym (client.library, "debuginfod_end");
  return client.begin && client.find_debuginfo && client.set_progressfn && client.set_user_data
         && client.get_user_data && client.end;
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The seconds in the variable NAME, or BY_DEFAULT. */
static long
limit (const char *name, long by_default)
{
  const char *text = getenv (name);
  long n = text ? strtol (text, NULL, 10) : 0;
  return n > 0 ? n : by_default;
}

/* The client calls this about once a second, whatever arrives.  Before a server has sent the
   size, ALL, BYTES is the number of calls.  Returns not 0 to give up. */
static int
on_progress (debuginfod_client *c, long bytes, long all)
{
  struct fetching *f = client.get_user_data (c);
  const long silent_most = limit (DEBUGINFOD_TIMEOUT_ENV_VAR, SILENT_MOST),
             all_most = limit (DEBUGINFOD_MAXTIME_ENV_VAR, ALL_MOST);
  const double t = now ();
  if (all > 0 && bytes != f->bytes)
    {
      f->last_bytes = t;
      f->bytes = bytes;
    }
  f->progress.all = all > 0 ? (size_t) all / 1024 : 0;
  progress_tell (&f->progress, (size_t) f->bytes / 1024);
  if (interrupted)
    snprintf (trouble, sizeof trouble, "interrupted");
  else if (t - f->last_bytes > (double) silent_most)
    snprintf (trouble, sizeof trouble, "no answer within %ld s", silent_most);
  else if (used + t - f->start > (double) all_most)
    snprintf (trouble, sizeof trouble, "not done within %ld s", all_most);
  return *trouble != '\0';
}

static void
note_interrupt (int signal)
{
  (void) signal;
  interrupted = 1;
}

static char *
fetch (debuginfod_client *c, const struct image *im)
{
  char name[80], *path = NULL;
  const char *slash = strrchr (im->path, '/');
  const double start = now ();
  struct fetching f = { .start = start, .last_bytes = start };
  snprintf (name, sizeof name, "symbols of %.40s, KB (Ctrl-C: skip)", slash ? slash + 1 : im->path);
  progress_start (&f.progress, name, 0);
  client.set_user_data (c, &f);
  client.set_progressfn (c, on_progress);
  int got = client.find_debuginfo (c, im->build_id.bytes, (int) im->build_id.size, &path);
  used += now () - start;
  progress_clear (&f.progress);
  if (got >= 0)
    {
      close (got);
      return path;
    }
  if (!*trouble && got != -ENOENT)
    snprintf (trouble, sizeof trouble, "%s", strerror (-got));
  return NULL;
}

/* Catches SIGINT, unless it is ignored. */
static char *
fetch_with_signals (debuginfod_client *c, const struct image *im)
{
  const struct sigaction action = { .sa_handler = note_interrupt };
  struct sigaction before;
  sigaction (SIGINT, NULL, &before);
  if (before.sa_handler != SIG_IGN)
    sigaction (SIGINT, &action, NULL);
  char *path = fetch (c, im);
  sigaction (SIGINT, &before, NULL);
  return path;
}

static bool
has_servers (void)
{
  const char *urls = getenv (DEBUGINFOD_URLS_ENV_VAR);
  return urls && debuginfod_is_url (urls);
}

char *
debuginfod_fetch (const struct image *im)
{
  if (im->build_id.size == 0 || *trouble || !has_servers ())
    return NULL;
  debuginfod_client *c = load () ? client.begin () : NULL;
  if (!c)
    {
      snprintf (trouble, sizeof trouble, "elfutils' client " DEBUGINFOD_SONAME " cannot be used");
      return NULL;
    }
  char *path = fetch_with_signals (c, im);
  client.end (c);
  return path;
}

bool
debuginfod_can (void)
{
  return true;
}

const char *
debuginfod_trouble (void)
{
  return *trouble ? trouble : NULL;
}

#else /* built without elfutils' client */

#include <stddef.h>

char *
debuginfod_fetch (const struct image *im)
{
  (void) im;
  return NULL;
}

bool
debuginfod_can (void)
{
  return false;
}

const char *
debuginfod_trouble (void)
{
  return NULL;
}

#endif
