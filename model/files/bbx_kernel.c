/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->hh.tbl = NULL)
#include <uthash.h>

#include "model/files/bbx_kernel.h"

struct bbx_kernel_function {
  uint64_t number;
  char *name;
  UT_hash_handle hh;
};

uint64_t
bbx_kernel_number (const char *name)
{
  uint64_t hash = 0xcbf29ce484222325;
  for (; *name; name++)
    hash = (hash ^ (unsigned char) *name) * 0x100000001b3;
  return hash >> 8;
}

static struct bbx_kernel_function *
find (const struct bbx_kernel *k, uint64_t number)
{
  struct bbx_kernel_function *f;
  HASH_FIND (hh, k->functions, &number, sizeof number, f);
  return f;
}

const char *
bbx_kernel_name (const struct bbx_kernel *k, uint64_t number)
{
  const struct bbx_kernel_function *f = find (k, number);
  return f ? f->name : NULL;
}

bool
bbx_kernel_add (struct bbx_kernel *k, const char *name)
{
  const uint64_t number = bbx_kernel_number (name);
  if (find (k, number))
    return true;
  struct bbx_kernel_function *f = malloc (sizeof *f);
  char *copy = f ? strdup (name) : NULL;
  if (!copy)
    return free (f), false;
  *f = (struct bbx_kernel_function) { .number = number, .name = copy };
  HASH_ADD (hh, k->functions, number, sizeof f->number, f);
  if (f->hh.tbl)
    return true;
  free (copy);
  free (f);
  return false;
}

const char *
bbx_kernel_next (const struct bbx_kernel *k, struct bbx_kernel_function **at)
{
  *at = *at ? (*at)->hh.next : k->functions;
  return *at ? (*at)->name : NULL;
}

bool
bbx_kernel_unite (struct bbx_kernel *k, const struct bbx_kernel *other)
{
  struct bbx_kernel_function *at = NULL;
  for (const char *name; (name = bbx_kernel_next (other, &at));)
    if (!bbx_kernel_add (k, name))
      return false;
  return true;
}

static int
compare (const struct bbx_kernel_function *a, const struct bbx_kernel_function *b)
{
  return a->number < b->number ? -1 : a->number > b->number;
}

void
bbx_kernel_sort (struct bbx_kernel *k)
{
  HASH_SORT (k->functions, compare);
}

void
bbx_kernel_free (struct bbx_kernel *k)
{
  struct bbx_kernel_function *f, *next;
  HASH_ITER (hh, k->functions, f, next)
  {
    HASH_DEL (k->functions, f);
    free (f->name);
    free (f);
  }
}
