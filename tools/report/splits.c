/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <uthash.h>

#include "tools/report/splits.h"

struct split_entry {
  uint64_t key; /* caller and callee */
  struct split split;
  UT_hash_handle hh;
};

static uint64_t
key_of (uint32_t caller, uint32_t callee)
{
  return (uint64_t) caller << 32 | callee;
}

static bool
add (struct splits *s, uint64_t key, const struct split *split)
{
  struct split_entry *e;
  HASH_FIND (hh, s->table, &key, sizeof key, e);
  if (!e)
    {
      e = calloc (1, sizeof *e);
      if (!e)
        return false;
      e->key = key;
      HASH_ADD (hh, s->table, key, sizeof key, e);
    }
  e->split.executions += split->executions;
  e->split.samples += split->samples;
  return true;
}

bool
splits_add (struct splits *s, uint32_t caller, uint32_t callee, const struct split *split)
{
  return add (s, key_of (caller, callee), split) && add (s, key_of (SPLIT_ALL, callee), split);
}

const struct split *
splits_find (const struct splits *s, uint32_t caller, uint32_t callee)
{
  uint64_t key = key_of (caller, callee);
  struct split_entry *e;
  HASH_FIND (hh, s->table, &key, sizeof key, e);
  return e ? &e->split : NULL;
}

void
splits_free (struct splits *s)
{
  struct split_entry *e, *next;
  HASH_ITER (hh, s->table, e, next)
  {
    HASH_DEL (s->table, e);
    free (e);
  }
}

double
splits_share_of_executions (const struct splits *s, uint32_t caller, uint32_t callee)
{
  const struct split *all = splits_find (s, SPLIT_ALL, callee),
                     *part = splits_find (s, caller, callee);
  if (!all || all->executions == 0)
    return -1;
  return part ? (double) part->executions / (double) all->executions : 0;
}

double
splits_share (const struct splits *s, uint32_t caller, uint32_t callee)
{
  const struct split *all = splits_find (s, SPLIT_ALL, callee),
                     *part = splits_find (s, caller, callee);
  if (!all || all->samples <= 0)
    return splits_share_of_executions (s, caller, callee);
  return part ? part->samples / all->samples : 0;
}
