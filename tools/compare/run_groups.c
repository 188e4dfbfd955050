/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "model/elf/image.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "tools/compare/run_groups.h"

/* The process that wrote a profile. */
struct process {
  char *profile;
  bool known; /* as the sidecar says; a sum of several profiles has none */
  uint32_t pid, parent;
  uint64_t started, wall;
  struct process *origin; /* the process that forked it, or itself */
};

static void
read_process (struct process *p, const struct gmon_file *f)
{
  struct bbx x;
  bbx_read (&x, p->profile, f->run, f->moment);
  if ((x.state == BBX_WHOLE || x.state == BBX_TORN) && x.nprocesses == 1)
    {
      const struct bbx_run *is = &x.processes[0].fixed;
      p->known = true;
      p->pid = is->pid;
      p->parent = is->parent;
      p->started = is->started;
      p->wall = is->wall;
    }
  bbx_free (&x);
}

/* Process ids are reused, so the times have to match too. */
static bool
is_child (const struct process *p, const struct process *of)
{
  return p->known && of->known && p != of && p->parent == of->pid && p->started >= of->started
         && p->started - of->started <= of->wall;
}

static void
find_origins (struct process *all, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      all[i].origin = &all[i];
      for (size_t k = 0; k < n; k++)
        if (is_child (&all[i], &all[k]))
          all[i].origin = &all[k];
    }
}

/* A process starts after its parent, so this ends; N limits it for damaged files. */
static const struct process *
find_root (const struct process *p, size_t n)
{
  for (size_t i = 0; i < n && p->origin != p; i++)
    p = p->origin;
  return p;
}

/* Sorts runs in the order of their roots. */
static void
sort_runs (struct run_groups *r, struct process *all, size_t n)
{
  size_t filled = 0;
  for (size_t i = 0; i < n; i++)
    {
      size_t before = filled;
      for (size_t k = 0; k < n; k++)
        if (find_root (&all[k], n) == &all[i])
          r->profiles[filled++] = all[k].profile;
      if (filled > before)
        r->first[r->count++] = before;
    }
  r->first[r->count] = filled;
}

/* Profiles that cannot be read are skipped here; the code that reads them completely reports
   them. */
static bool
read_processes (struct process *all, size_t n, const char *program, struct error *err)
{
  struct image image;
  bool ok = image_open_program (&image, program, err);
  struct gmon_shape shape = ok ? gmon_shape_of (&image) : (struct gmon_shape) { 0 };
  for (size_t i = 0; ok && i < n; i++)
    if (strcmp (all[i].profile, "-") != 0)
      {
        struct gmon_file f;
        struct error ignored;
        if (gmon_open (&f, all[i].profile, &shape, &ignored) && f.run != 0)
          read_process (&all[i], &f);
        gmon_close (&f);
      }
  image_close (&image);
  return ok;
}

bool
run_groups_find (struct run_groups *r, const char *program, char **profiles, size_t n,
                 struct error *err)
{
  size_t used = 0;
  struct process *all = calloc (n + 1, sizeof *all);
  *r = (struct run_groups) { .profiles = calloc (n + 1, sizeof *r->profiles),
                             .first = calloc (n + 2, sizeof *r->first) };
  bool ok = (all && r->profiles && r->first) || error_no_memory (err);
  for (size_t i = 0; ok && i < n; i++)
    if (n == 1 || !bbx_is_name (profiles[i]))
      all[used++].profile = profiles[i];
  if (ok && used == 0)
    ok = error_set (err, profiles[0], ERROR_NO_OFFSET, "a sidecar; name its profile instead");
  if (ok && used > 1)
    ok = read_processes (all, used, program, err);
  if (ok)
    {
      find_origins (all, used);
      sort_runs (r, all, used);
    }
  free (all);
  return ok;
}

void
run_groups_free (struct run_groups *r)
{
  free (r->profiles);
  free (r->first);
}
