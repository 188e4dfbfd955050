/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>

#include "collect/outside/outside_process.h"
#include "collect/outside/switch_times.h"
#include "collect/watch/threads.h"
#include "common/array.h"
#include "common/clock.h"
#include "include/bbprof-file.h"

/* Mappings. */

/* A mapping of the same object, but at another address: it was loaded again, or moved. */
static bool
enter_object (struct process *p, struct object_file *file, uint64_t bias, uint32_t *object)
{
  for (size_t i = 0; i < p->nobjects; i++)
    if (p->objects[i].file == file)
      {
        p->objects[i].loads += p->objects[i].bias != bias;
        p->objects[i].bias = bias;
        *object = (uint32_t) i;
        return true;
      }
  if (!array_grow (&p->objects, p->nobjects, &p->room_objects, sizeof *p->objects))
    return false;
  const struct process_object *last = p->nobjects > 0 ? &p->objects[p->nobjects - 1] : NULL;
  const uint64_t base = last ? (last->base + last->file->end + BBX_BASE_UNIT - 1) & -BBX_BASE_UNIT
                             : 0;
  *object = (uint32_t) p->nobjects;
  p->objects[p->nobjects++]
      = (struct process_object) { .file = file, .base = base, .bias = bias, .loads = 1 };
  return true;
}

/* Takes the addresses away from the mappings that have them. */
static bool
clear_range (struct process *p, uint64_t low, uint64_t high)
{
  size_t kept = 0;
  for (size_t i = 0; i < p->nmaps; i++)
    {
      const struct process_map m = p->maps[i];
      if (m.low < low && m.high > high) /* the only one that overlaps is cut in two */
        {
          if (!array_grow (&p->maps, p->nmaps, &p->room_maps, sizeof *p->maps))
            return false;
          memmove (&p->maps[i + 2], &p->maps[i + 1], (p->nmaps - i - 1) * sizeof *p->maps);
          p->maps[i].high = low;
          p->maps[i + 1] = m;
          p->maps[i + 1].low = high;
          p->nmaps++;
          return true;
        }
      if (m.low < high && m.high > low && m.low >= low && m.high <= high)
        continue;
      p->maps[kept] = m;
      if (m.low < high && m.high > high)
        p->maps[kept].low = high;
      if (m.low < low && m.high > low)
        p->maps[kept].high = low;
      kept++;
    }
  p->nmaps = kept;
  return true;
}

bool
process_map (struct process *p, struct object_file **files, const struct object_mapping *m)
{
  static uint32_t numbers;
  struct process_map map = { .low = m->low, .high = m->high, .object = PROCESS_NO_OBJECT };
  struct object_file *file = object_file_of (files, p->pid, m);
  if (file && object_file_bias (file, m, &map.bias)
      && !enter_object (p, file, map.bias, &map.object))
    return false;
  map.number = ++numbers;
  if (m->low >= m->high || !clear_range (p, m->low, m->high)
      || !array_grow (&p->maps, p->nmaps, &p->room_maps, sizeof *p->maps))
    return m->low >= m->high;
  const size_t at = ARRAY_BEFORE (i, p->nmaps, p->maps[i].low < m->low);
  memmove (&p->maps[at + 1], &p->maps[at], (p->nmaps - at) * sizeof *p->maps);
  p->maps[at] = map;
  p->nmaps++;
  return true;
}

const struct process_map *
process_map_at (const struct process *p, uint64_t address)
{
  const size_t before = ARRAY_BEFORE (i, p->nmaps, p->maps[i].low <= address);
  return before > 0 && address < p->maps[before - 1].high ? &p->maps[before - 1] : NULL;
}

const struct process_object *
process_object_at (const struct process *p, uint64_t address)
{
  const size_t before = ARRAY_BEFORE (i, p->nobjects, p->objects[i].base <= address);
  const struct process_object *o = before > 0 ? &p->objects[before - 1] : NULL;
  return o && address - o->base < o->file->end ? o : NULL;
}

/* The executable has the first place, whatever the order of addresses. */
static bool
map_lines (struct process *p, struct object_file **files, FILE *in, const char *executable)
{
  char line[4400], path[4200], rights[8];
  unsigned major, minor;
  bool good = true;
  while (good && fgets (line, sizeof line, in))
    {
      struct object_mapping m = { .path = path };
      path[0] = '\0';
      if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %4199[^\n]",
                  &m.low, &m.high, rights, &m.offset, &major, &minor, &m.inode, path)
              < 7
          || rights[2] != 'x' || strcmp (path, "[vsyscall]") == 0
          || (executable && strcmp (path, executable) != 0))
        continue;
      m.device = makedev (major, minor);
      good = process_map (p, files, &m);
    }
  return good;
}

static bool
read_maps (struct process *p, struct object_file **files)
{
  char name[40], executable[4200];
  snprintf (name, sizeof name, "/proc/%d/exe", (int) p->pid);
  const ssize_t n = readlink (name, executable, sizeof executable - 1);
  executable[n > 0 ? n : 0] = '\0';
  snprintf (name, sizeof name, "/proc/%d/maps", (int) p->pid);
  FILE *in = fopen (name, "re");
  if (!in)
    return false;
  bool good = map_lines (p, files, in, executable);
  rewind (in);
  good = good && map_lines (p, files, in, NULL);
  fclose (in);
  return good || (errno = ENOMEM, false);
}

/* Threads. */

struct process_thread *
process_find_thread (const struct process *p, uint32_t tid)
{
  struct process_thread *t;
  HASH_FIND (hh, p->living, &tid, sizeof tid, t);
  return t;
}

struct process_thread *
process_thread (struct process *p, uint32_t tid, uint64_t now, const char *name)
{
  struct process_thread *t = process_find_thread (p, tid);
  char found[20] = "";
  if (t)
    return t;
  t = calloc (1, sizeof *t);
  if (!t || !array_grow (&p->all, p->nthreads, &p->room_threads, sizeof *p->all))
    return free (t), NULL;
  if (!name)
    threads_name (p->pid, tid, found);
  *t = (struct process_thread) {
    .tid = tid, .number = (uint32_t) p->nthreads + 1, .begun = now, .since = now
  };
  snprintf (t->name, sizeof t->name, "%s", name ? name : found);
  t->node = contexts_enter (&p->tree, 0, BBX_FRAME_THREAD, t->number);
  p->all[p->nthreads++] = t;
  HASH_ADD (hh, p->living, tid, sizeof t->tid, t);
  const size_t living = HASH_COUNT (p->living);
  p->most_threads = living > p->most_threads ? living : p->most_threads;
  return t;
}

uint64_t
process_thread_cpu (const struct process_thread *t, uint64_t now)
{
  return t->cpu + (t->state == THREAD_ON && now > t->since ? now - t->since : 0);
}

void
process_thread_ends (struct process *p, struct process_thread *t, uint64_t now)
{
  t->cpu = process_thread_cpu (t, now);
  t->state = THREAD_OFF;
  t->ended = now;
  HASH_DEL (p->living, t);
}

/* Processes. */

struct process *
process_new (pid_t pid, pid_t parent)
{
  struct process *p = calloc (1, sizeof *p);
  struct timespec now;
  if (!p)
    return NULL;
  clock_gettime (CLOCK_REALTIME, &now);
  *p = (struct process) { .pid = pid, .parent = parent, .began = clock_now () };
  p->began_at = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
  if (getrandom (&p->run, sizeof p->run, 0) != sizeof p->run)
    p->run = p->began_at ^ (uint64_t) pid << 40;
  p->run |= 1;
  cpu_set_t cpus;
  if (sched_getaffinity (pid, sizeof cpus, &cpus) == 0)
    p->processors = (uint32_t) CPU_COUNT (&cpus);
  return p;
}

static pid_t
parent_of (pid_t pid)
{
  char name[40], text[512];
  int parent = 0;
  snprintf (name, sizeof name, "/proc/%d/stat", (int) pid);
  FILE *in = fopen (name, "re");
  const char *behind = in && fgets (text, sizeof text, in) ? strrchr (text, ')') : NULL;
  if (behind)
    sscanf (behind, ") %*c %d", &parent);
  if (in)
    fclose (in);
  return parent;
}

/* May its memory not be read?  It is tried at its first code. */
static bool
is_closed (const struct process *p)
{
  unsigned char byte;
  const struct iovec here = { &byte, 1 };
  const struct iovec there = { p->nmaps > 0 ? (void *) (uintptr_t) p->maps[0].low : NULL, 1 };
  return p->nmaps > 0 && process_vm_readv (p->pid, &here, 1, &there, 1, 0) < 0 && errno == EPERM;
}

struct process *
process_attach (pid_t pid, struct object_file **files)
{
  struct process *p = process_new (pid, parent_of (pid));
  if (!p)
    return errno = ENOMEM, NULL;
  if (read_maps (p, files))
    return p->closed = is_closed (p), p;
  const int error = errno;
  process_free (p);
  return errno = error, NULL;
}

struct process *
process_fork (const struct process *p, pid_t pid)
{
  struct process *child = process_new (pid, p->pid);
  bool good = child != NULL;
  if (child)
    child->closed = p->closed;
  for (size_t i = 0; good && i < p->nobjects; i++)
    if ((good = array_grow (&child->objects, i, &child->room_objects, sizeof *p->objects)))
      child->objects[child->nobjects++] = p->objects[i];
  for (size_t i = 0; good && i < p->nmaps; i++)
    if ((good = array_grow (&child->maps, i, &child->room_maps, sizeof *p->maps)))
      child->maps[child->nmaps++] = p->maps[i];
  if (good)
    return child;
  process_free (child);
  return NULL;
}

void
process_free (struct process *p)
{
  if (!p)
    return;
  switch_times_end (p);
  HASH_CLEAR (hh, p->living);
  for (size_t i = 0; i < p->nthreads; i++)
    {
      free (p->all[i]->times);
      free (p->all[i]);
    }
  free (p->all);
  free (p->objects);
  free (p->maps);
  contexts_free (&p->tree);
  bbx_kernel_free (&p->kernel);
  free (p);
}
