/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/build_id.h"
#include "model/elf/image.h"
#include "tools/builds/join.h"
#include "tools/builds/joins.h"
#include "tools/view/plural.h"

struct joins {
  struct merge_joiner joiner; /* first */
  const char *const *files;
  size_t nfiles;
  struct build base;
  bool has_base;
  struct join *all; /* the newest first */
};

/* Functions. */

bool
join_find (struct join *j, uint64_t address, uint64_t probe, struct join_place *place,
           struct error *err)
{
  const struct symtab *t = &j->build.model.symtab;
  const struct symbol *s = symtab_find (t, probe);
  *place = (struct join_place) { JOIN_ALONE, address };
  if (!s)
    return true;
  struct join_function *f = &j->functions[s - t->symbols];
  if (!f->known)
    {
      f->to = build_find_in (&j->build, s, j->base);
      if (f->to && strcmp (f->to->name, s->name) == 0
          && !build_same_code (&j->build, s, j->base, f->to, &f->same, err))
        return false;
      f->known = true;
    }
  f->used = true;
  if (!f->to)
    return true;
  /* What fills the space behind a function may be longer here. */
  const bool same = f->same && probe - s->address <= f->to->end - f->to->address;
  *place = same ? (struct join_place) { JOIN_SAME, f->to->address + (address - s->address) }
                : (struct join_place) { JOIN_START, f->to->address + (address != probe) };
  return true;
}

static int
compare_addresses (const void *a, const void *b, void *context)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  (void) context;
  return x < y ? -1 : x > y;
}

static void
drop (void *kept, void *other)
{
  (void) kept;
  (void) other;
}

bool
join_leave_out (struct join *j, uint64_t address)
{
  return bag_add (&j->left, &address);
}

/* Builds. */

/* *IS: is the file at PATH the build ID?  False: the file cannot be read. */
static bool
check_build (const char *path, const struct build_id *id, bool *is, struct error *err)
{
  struct image image;
  const bool ok = image_open (&image, path, err);
  *is = ok && build_id_equal (&image.build_id, id);
  image_close (&image);
  return ok;
}

/* Opens the file of EXECUTABLE, for PROFILE.  WHICH: "its program". */
static bool
open_build (const struct joins *js, struct build *b, const struct bbx_run_object *executable,
            const char *profile, const char *which, struct error *err)
{
  char id[BUILD_ID_TEXT];
  struct error ignored;
  bool is;
  if (executable->build_id.size == 0)
    return error_set (err, profile, ERROR_NO_OFFSET,
                      "%s has no build id, by which builds are known; link it with -Wl,--build-id",
                      which);
  if (check_build (executable->path, &executable->build_id, &is, &ignored) && is)
    return build_open (b, executable->path, err);
  for (size_t i = 0; i < js->nfiles; i++)
    if (!check_build (js->files[i], &executable->build_id, &is, err))
      return false;
    else if (is)
      return build_open (b, js->files[i], err);
  return error_set (err, profile, ERROR_NO_OFFSET,
                    "%s, build %.*s, is not at %.120s any more; name its file by --build=FILE",
                    which, BUILD_ID_SHORT, build_id_text (&executable->build_id, id),
                    executable->path);
}

static void
free_join (struct join *j)
{
  build_close (&j->build);
  free (j->functions);
  free (j->left.items);
  free (j);
}

static struct join *
add_join (struct joins *js, const struct merge_one *one, struct error *err)
{
  struct join *j = calloc (1, sizeof *j);
  if (!j)
    {
      error_no_memory (err);
      return NULL;
    }
  j->base = &js->base;
  j->left = (struct bag) { .size = sizeof (uint64_t), .compare = compare_addresses, .unite = drop };
  if (open_build (js, &j->build, &one->sidecar.objects[0], one->name, "its program", err)
      && ((j->functions = calloc (j->build.model.symtab.count + 1, sizeof *j->functions))
          || error_no_memory (err)))
    {
      j->next = js->all;
      js->all = j;
      return j;
    }
  free_join (j);
  return NULL;
}

static struct join *
reach_join (struct joins *js, const struct merge_one *one, struct error *err)
{
  for (struct join *j = js->all; j; j = j->next)
    if (build_id_equal (&j->build.model.objects.all[0].build_id, &one->sidecar.objects[0].build_id))
      return j;
  return add_join (js, one, err);
}

static bool
join (struct merge_joiner *joiner, const struct bbx_run_object *executable,
      const struct profile *sum, struct merge_one *one, struct error *err)
{
  struct joins *js = (struct joins *) joiner;
  js->has_base = js->has_base
                 || open_build (js, &js->base, executable, one->name,
                                "the program of the first profile", err);
  struct join *j = js->has_base ? reach_join (js, one, err) : NULL;
  return j && join_profile (j, executable, sum, one, err);
}

struct joins *
joins_new (const char *const *files, size_t nfiles)
{
  struct joins *js = calloc (1, sizeof *js);
  if (js)
    *js = (struct joins) { .joiner = { join }, .files = files, .nfiles = nfiles };
  return js;
}

void
joins_free (struct joins *js)
{
  if (!js)
    return;
  for (struct join *j = js->all, *next; j; j = next)
    {
      next = j->next;
      free_join (j);
    }
  build_close (&js->base);
  free (js);
}

struct merge_joiner *
joins_joiner (struct joins *js)
{
  return &js->joiner;
}

/* What was joined. */

static void
tell (const struct join *j, const char *program)
{
  size_t joined = 0, other = 0, alone = 0;
  char id[BUILD_ID_TEXT];
  for (size_t i = 0; i < j->build.model.symtab.count; i++)
    if (j->functions[i].used)
      {
        joined += j->functions[i].to != NULL;
        other += j->functions[i].to && !j->functions[i].same;
        alone += !j->functions[i].to;
      }
  fprintf (stderr,
           "%s: build %.*s: %zu function%s joined, of which %zu with other code: their lines and "
           "%zu block%s are left out; %zu only in this build\n",
           program, BUILD_ID_SHORT, build_id_text (&j->build.model.objects.all[0].build_id, id),
           joined, plural (joined), other, j->left.count, plural (j->left.count), alone);
}

bool
joins_tell (struct joins *js, const char *program)
{
  for (struct join *j = js->all; j; j = j->next)
    {
      if (!bag_unite (&j->left))
        return false;
      tell (j, program);
    }
  return true;
}
