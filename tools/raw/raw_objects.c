/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/visible.h"
#include "tools/raw/raw_objects.h"

enum { PAGE = 4096 };

/* A mapped file, at run-time addresses. */
struct mapped {
  uint64_t low, high;           /* of all its mappings */
  uint64_t text_low, text_high; /* of the mappings with code */
  uint64_t bias;                /* run-time - link-time address */
  bool has_bias;
  char path[PATH_MAX];
};

struct map {
  struct mapped *all;
  size_t n, room;
};

/* Link-time address of the code at OFFSET of the file; false: the file cannot be read, or has no
   code there. */
static bool
linked_at (const char *path, uint64_t offset, uint64_t *address)
{
  bool found = false;
  size_t n;
  GElf_Phdr segment;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  Elf *elf = fd >= 0 && elf_version (EV_CURRENT) != EV_NONE ? elf_begin (fd, ELF_C_READ_MMAP, NULL)
                                                            : NULL;
  if (elf && elf_getphdrnum (elf, &n) == 0)
    for (int i = 0; !found && i < (int) n && gelf_getphdr (elf, i, &segment); i++)
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X)
          && segment.p_offset / PAGE == offset / PAGE)
        {
          *address = segment.p_vaddr - segment.p_offset % PAGE;
          found = true;
        }
  elf_end (elf);
  if (fd >= 0)
    close (fd);
  return found;
}

/* Finds the last mapped file with that path, or adds one; null: no memory. */
static struct mapped *
find_mapped (struct map *map, const char *path)
{
  for (size_t i = map->n; i-- > 0;)
    if (strcmp (map->all[i].path, path) == 0)
      return &map->all[i];
  if (!array_grow (&map->all, map->n, &map->room, sizeof *map->all))
    return NULL;
  struct mapped *new = &map->all[map->n++];
  *new = (struct mapped) { .low = UINT64_MAX };
  strcpy (new->path, path);
  return new;
}

/* LINE of a map: "START-END ACCESS OFFSET DEVICE INODE   PATH".  False: no memory. */
static bool
add_line (struct map *map, char *line)
{
  static const char deleted[] = " (deleted)";
  uint64_t start, end, offset, address;
  char access[8];
  int path = 0;
  line[strcspn (line, "\n")] = '\0';
  if (sscanf (line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &start, &end, access,
              &offset, &path)
          < 4
      || !path || (line[path] != '/' && strcmp (line + path, "[vdso]") != 0)
      || strlen (line + path) >= PATH_MAX)
    return true;
  size_t n = strlen (line);
  if (n > sizeof deleted && strcmp (line + n - (sizeof deleted - 1), deleted) == 0)
    line[n - (sizeof deleted - 1)] = '\0';
  struct mapped *m = find_mapped (map, line + path);
  if (!m)
    return false;
  m->low = start < m->low ? start : m->low;
  m->high = end > m->high ? end : m->high;
  if (access[2] != 'x')
    return true;
  m->text_high = end;
  if (!m->has_bias)
    {
      m->text_low = start;
      m->bias = start - (linked_at (m->path, offset, &address) ? address : offset);
      m->has_bias = true;
    }
  return true;
}

static bool
read_map (struct map *map, FILE *file)
{
  char *line = NULL;
  size_t room = 0;
  bool ok = true;
  while (ok && getline (&line, &room, file) > 0)
    ok = add_line (map, line);
  free (line);
  return ok;
}

static const char *
last_part (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash ? slash + 1 : path;
}

/* The mapped file that is PROGRAM (same inode), else one with the same name; null: none. */
static struct mapped *
find_program (const struct map *map, const char *program)
{
  struct stat its, other;
  bool known = stat (program, &its) == 0;
  for (size_t i = 0; known && i < map->n; i++)
    if (map->all[i].has_bias && stat (map->all[i].path, &other) == 0 && other.st_dev == its.st_dev
        && other.st_ino == its.st_ino)
      return &map->all[i];
  for (size_t i = 0; i < map->n; i++)
    if (map->all[i].has_bias && strcmp (last_part (map->all[i].path), last_part (program)) == 0)
      return &map->all[i];
  return NULL;
}

/* An address outside all mapped files is unknown, even if something is linked at that address. */
static bool
is_mapped (const struct map *map, uint64_t address)
{
  for (size_t i = 0; i < map->n; i++)
    if (map->all[i].has_bias && address - map->all[i].low < map->all[i].high - map->all[i].low)
      return true;
  return false;
}

static bool
use_map (struct objects *objects, struct prof_out *p, const struct map *map, const char *name,
         struct error *err)
{
  const struct mapped *program = find_program (map, objects->all[0].path);
  if (!program)
    return error_set (err, name, ERROR_NO_OFFSET,
                      "is no map (/proc/PID/maps) of a process of %.200s",
                      visible (objects->all[0].path));
  for (size_t i = 0; i < p->n; i++)
    if (!is_mapped (map, p->counts[i].address))
      p->counts[i].address = UINT64_MAX;
    else if (p->counts[i].address - program->low < program->high - program->low)
      p->counts[i].address -= program->bias;
  for (size_t i = 0; i < map->n; i++)
    {
      const struct mapped *m = &map->all[i];
      if (m == program || !m->has_bias)
        continue;
      if (!objects_add_place (objects, m->path, m->bias, m->high - m->bias))
        return error_no_memory (err);
      struct object *new = &objects->all[objects->count - 1];
      new->text_start = m->text_low - m->bias;
      new->text_end = m->text_high - m->bias;
      new->has_data = false; /* until a sample in it is found */
    }
  return true;
}

bool
raw_objects_by_map (struct objects *objects, struct prof_out *p, const char *file, bool *found,
                    struct error *err)
{
  struct map map = { 0 };
  char *name;
  if (asprintf (&name, "%s.map", file) < 0)
    return error_no_memory (err);
  FILE *in = fopen (name, "re");
  *found = in != NULL;
  bool ok = !in
            || ((read_map (&map, in) || error_no_memory (err))
                && use_map (objects, p, &map, name, err));
  if (in)
    fclose (in);
  if (!ok)
    err->file = file; /* NAME is freed below */
  free (map.all);
  free (name);
  return ok;
}

/* Run id in the sidecar of PROFILE; 0: there is none. */
static uint64_t
run_of (const char *profile)
{
  struct bbx_header header = { .run = 0 };
  char name[PATH_MAX];
  FILE *file = snprintf (name, sizeof name, "%s" BBX_SUFFIX, profile) < (int) sizeof name
                   ? fopen (name, "re")
                   : NULL;
  if (file && fread (&header, sizeof header, 1, file) != 1)
    header.run = 0;
  if (file)
    fclose (file);
  return header.run;
}

static bool
is_of_program (const struct bbx *x, const struct objects *objects)
{
  return (x->state == BBX_WHOLE || x->state == BBX_TORN) && x->nobjects > 0
         && build_id_equal (&x->objects[0].build_id, &objects->all[0].build_id);
}

bool
raw_objects_by_sidecar (struct objects *objects, const char *file, struct error *err)
{
  struct gmon_moves moves = { 0 };
  struct bbx x;
  char profile[PATH_MAX];
  const int folder = (int) (last_part (file) - file);
  const uint64_t run = snprintf (profile, sizeof profile, "%.*sgmon.out", folder, file)
                               < (int) sizeof profile
                           ? run_of (profile)
                           : 0;
  if (run == 0)
    return true;
  bbx_read (&x, profile, run, 0);
  bool ok = !is_of_program (&x, objects) || objects_add_run (objects, &x, &moves, err);
  free (moves.moves);
  bbx_free (&x);
  return ok;
}
