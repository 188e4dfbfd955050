/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <uthash.h>

#include "tools/report/caller_shares.h"

struct caller_share_entry {
  uint64_t key; /* caller and callee */
  struct caller_share share;
  UT_hash_handle hh;
};

static uint64_t
key_of (uint32_t caller, uint32_t callee)
{
  return (uint64_t) caller << 32 | callee;
}

static bool
add (struct caller_shares *s, uint64_t key, const struct caller_share *share)
{
  struct caller_share_entry *e;
  HASH_FIND (hh, s->table, &key, sizeof key, e);
  if (!e)
    {
      e = calloc (1, sizeof *e);
      if (!e)
        return false;
      e->key = key;
      HASH_ADD (hh, s->table, key, sizeof key, e);
    }
  e->share.executions += share->executions;
  e->share.samples += share->samples;
  return true;
}

bool
caller_shares_add (struct caller_shares *s, uint32_t caller, uint32_t callee,
                   const struct caller_share *share)
{
  return add (s, key_of (caller, callee), share) && add (s, key_of (CALLER_ALL, callee), share);
}

const struct caller_share *
caller_shares_find (const struct caller_shares *s, uint32_t caller, uint32_t callee)
{
  uint64_t key = key_of (caller, callee);
  struct caller_share_entry *e;
  HASH_FIND (hh, s->table, &key, sizeof key, e);
  return e ? &e->share : NULL;
}

void
caller_shares_free (struct caller_shares *s)
{
  struct caller_share_entry *e, *next;
  HASH_ITER (hh, s->table, e, next)
  {
    HASH_DEL (s->table, e);
    free (e);
  }
}

double
caller_shares_part_of_executions (const struct caller_shares *s, uint32_t caller, uint32_t callee)
{
  const struct caller_share *all = caller_shares_find (s, CALLER_ALL, callee),
                            *part = caller_shares_find (s, caller, callee);
  if (!all || all->executions == 0)
    return -1;
  return part ? (double) part->executions / (double) all->executions : 0;
}

double
caller_shares_part (const struct caller_shares *s, uint32_t caller, uint32_t callee)
{
  const struct caller_share *all = caller_shares_find (s, CALLER_ALL, callee),
                            *part = caller_shares_find (s, caller, callee);
  if (!all || all->samples <= 0)
    return caller_shares_part_of_executions (s, caller, callee);
  return part ? part->samples / all->samples : 0;
}
