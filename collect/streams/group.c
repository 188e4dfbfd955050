/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heads are written field by field, each as the difference to the previous piece.  Before that,
   times are made relative: starts to the end of the previous piece, ends to the piece's start. */
#include <stdlib.h>

#include "collect/streams/group.h"
#include "common/array.h"

/* A group of this size is written.  A reader unpacks whole groups, so it must not be larger. */
#define UNPACKED_ENOUGH (4UL << 20)
#define LISTS_ENOUGH (1UL << 20)

/* Readers refuse a larger group. */
#define UNPACKED_MOST (64UL << 20)

enum { FIELDS = sizeof (struct bbt_piece) / sizeof (uint64_t) };
_Static_assert(sizeof (struct bbt_piece) % sizeof (uint64_t) == 0, "heads are words");

void
group_begin (struct group *g)
{
  bits_begin (&g->models.bits);
  tokens_begin (&g->models.tokens);
  for (int i = 0; i < GROUP_LISTS; i++)
    g->lists[i].size = 0;
  g->pieces = 0;
  g->unpacked = 0;
}

void
group_free (struct group *g)
{
  for (int i = 0; i < GROUP_LISTS; i++)
    bytes_free (&g->lists[i]);
  free (g->heads);
}

/* Makes room for a piece with these numbers of bits, tokens and marks, and for the lists' ends. */
static bool
reserve (struct group *g, size_t bits, size_t tokens, size_t marks)
{
  bool ok = array_grow (&g->heads, g->pieces, &g->room, sizeof *g->heads);
  for (int i = 0; i < GROUP_LISTS; i++)
    {
      size_t n = i < GROUP_TOKENS  ? bits + 2
                 : i < GROUP_MARKS ? (tokens + 2) * BYTES_NUMBER_MOST
                                   : marks * BYTES_NUMBER_MOST;
      ok = ok && bytes_reserve (&g->lists[i], n);
    }
  return ok;
}

bool
group_add (struct group *g, const struct piece *p)
{
  if (!reserve (g, p->nbits, p->ntokens, p->nmarks))
    return false;
  bits_write (&g->models.bits, p->words, p->nbits, &g->lists[GROUP_BITS]);
  tokens_write (&g->models.tokens, p->tokens, p->ntokens, &g->lists[GROUP_TOKENS]);
  marks_write (p->head, p->marks, p->nmarks, &g->lists[GROUP_MARKS]);
  g->heads[g->pieces++] = *p->head;
  g->unpacked += p->nbits / 8 + 8 * p->ntokens + sizeof *p->marks * p->nmarks;
  return true;
}

bool
group_is_full (const struct group *g)
{
  size_t listed = 0;
  for (int i = 0; i < GROUP_LISTS; i++)
    listed += g->lists[i].size;
  return listed >= LISTS_ENOUGH || g->unpacked >= UNPACKED_ENOUGH;
}

/* Makes times relative to the previous piece, or with TO_ABSOLUTE undoes that. */
static void
change_times (struct bbt_piece *h, const struct bbt_piece *before, bool to_absolute)
{
  if (to_absolute)
    {
      h->started += before->ended;
      h->started_tsc += before->ended_tsc;
      h->ended += h->started;
      h->ended_tsc += h->started_tsc;
    }
  else
    {
      h->ended -= h->started;
      h->ended_tsc -= h->started_tsc;
      h->started -= before->ended;
      h->started_tsc -= before->ended_tsc;
    }
}

static bool
write_heads (const struct group *g, struct bytes *list)
{
  if (!bytes_reserve (list, g->pieces * FIELDS * BYTES_NUMBER_MOST))
    return false;
  for (size_t field = 0; field < FIELDS; field++)
    {
      uint64_t before[FIELDS] = { 0 }, now[FIELDS];
      struct bbt_piece none = { .stream = 0 };
      for (size_t i = 0; i < g->pieces; i++)
        {
          struct bbt_piece h = g->heads[i];
          change_times (&h, i ? &g->heads[i - 1] : &none, false);
          memcpy (now, &h, sizeof now);
          bytes_put_number (list, bytes_fold (now[field] - before[field]));
          before[field] = now[field];
        }
    }
  return true;
}

bool
group_pack (struct group *g, struct packer *packer, struct bytes *to)
{
  struct bytes heads = { .data = NULL };
  struct bbt_group group = { .pieces = (uint32_t) g->pieces, .head_bytes = sizeof *g->heads };
  size_t at = to->size;
  bits_end (&g->models.bits, &g->lists[GROUP_BITS]);
  tokens_end (&g->models.tokens, &g->lists[GROUP_TOKENS]);
  bool ok = write_heads (g, &heads) && bytes_reserve (to, sizeof group);
  if (ok)
    {
      to->size += sizeof group;
      ok = pack_lists (packer, &heads, 1, to);
      group.heads_packed = to->size - at - sizeof group;
      ok = ok && pack_lists (packer, g->lists, GROUP_LISTS, to);
      group.content_packed = to->size - at - sizeof group - group.heads_packed;
    }
  if (ok)
    memcpy (to->data + at, &group, sizeof group);
  else
    to->size = at;
  bytes_free (&heads);
  return ok;
}

/* Reading.  */

static bool
read_group (const unsigned char *content, size_t n, struct bbt_group *group)
{
  if (n < sizeof *group)
    return false;
  memcpy (group, content, sizeof *group);
  n -= sizeof *group;
  return group->head_bytes >= sizeof (struct bbt_piece) && group->head_bytes % 8 == 0
         && group->pieces > 0 && (uint64_t) group->pieces * group->head_bytes <= UNPACKED_MOST
         && group->heads_packed <= n && group->content_packed <= n - group->heads_packed;
}

static bool
is_possible (const struct bbt_piece *h)
{
  return h->stream > 0 && h->start <= BBT_START_EVENT && h->end <= BBT_END_STREAM && h->rest < 64;
}

/* Fields of a later version, behind those known here, are read and ignored. */
static bool
read_fields (struct bbt_piece *heads, const struct bbt_group *group, struct reading *list)
{
  for (size_t field = 0; field < group->head_bytes / sizeof (uint64_t); field++)
    {
      uint64_t value = 0, difference;
      for (size_t i = 0; i < group->pieces; i++)
        {
          if (!reading_number (list, &difference))
            return false;
          value += bytes_unfold (difference);
          if (field < FIELDS)
            memcpy ((char *) &heads[i] + field * sizeof value, &value, sizeof value);
        }
    }
  return true;
}

static bool
finish_heads (struct bbt_piece *heads, size_t pieces)
{
  struct bbt_piece none = { .stream = 0 };
  uint64_t unpacked = 0;
  for (size_t i = 0; i < pieces; i++)
    {
      struct bbt_piece *h = &heads[i];
      change_times (h, i ? h - 1 : &none, true);
      h->name[sizeof h->name - 1] = '\0';
      unpacked += 8UL * (h->words + 1UL) + 8UL * h->tokens + sizeof (struct bbt_mark) * h->marks;
      if (!is_possible (h) || unpacked > UNPACKED_MOST)
        return false;
    }
  return true;
}

struct bbt_piece *
group_read_heads (const unsigned char *content, size_t n, size_t *pieces)
{
  struct bbt_group group;
  struct bytes unpacked = { .data = NULL };
  struct reading list;
  struct bbt_piece *heads = NULL;
  if (read_group (content, n, &group)
      && unpack_lists (content + sizeof group, group.heads_packed, UNPACKED_MOST, &unpacked, &list,
                       1)
      && (size_t) (list.stop - list.next) >= group.pieces)
    heads = calloc (group.pieces, sizeof *heads);
  if (heads && (!read_fields (heads, &group, &list) || !finish_heads (heads, group.pieces)))
    {
      free (heads);
      heads = NULL;
    }
  bytes_free (&unpacked);
  *pieces = heads ? group.pieces : 0;
  return heads;
}

/* Assigns each piece its part of MEMORY for bits, tokens and marks. */
static bool
lay_out (const struct bbt_piece *heads, size_t pieces, struct piece *contents, struct bytes *memory)
{
  size_t size = 0;
  for (size_t i = 0; i < pieces; i++)
    size += 8 * (heads[i].words + 1UL) + 8UL * heads[i].tokens
            + sizeof (struct bbt_mark) * heads[i].marks;
  memory->size = 0;
  if (!bytes_reserve (memory, size))
    return false;
  unsigned char *next = memory->data;
  for (size_t i = 0; i < pieces; i++)
    {
      const struct bbt_piece *h = &heads[i];
      const uint64_t *words = (uint64_t *) (void *) next, *tokens = words + h->words + 1;
      const struct bbt_mark *marks = (const struct bbt_mark *) (tokens + h->tokens);
      contents[i] = (struct piece) { .head = h,
                                     .words = words,
                                     .nbits = 64UL * h->words + h->rest,
                                     .tokens = tokens,
                                     .ntokens = h->tokens,
                                     .marks = marks,
                                     .nmarks = h->marks };
      next = (unsigned char *) (marks + h->marks);
    }
  return true;
}

static bool
read_contents (struct models *models, struct piece *contents, size_t pieces, struct reading *lists)
{
  bits_begin (&models->bits);
  tokens_begin (&models->tokens);
  for (size_t i = 0; i < pieces; i++)
    {
      const struct piece *p = &contents[i];
      if (!bits_read (&models->bits, (uint64_t *) p->words, p->nbits, &lists[GROUP_BITS])
          || !tokens_read (&models->tokens, (uint64_t *) p->tokens, p->ntokens,
                           &lists[GROUP_TOKENS])
          || !marks_read (p->head, (struct bbt_mark *) p->marks, p->nmarks, &lists[GROUP_MARKS]))
        return false;
    }
  return true;
}

bool
group_read (const unsigned char *content, size_t n, const struct bbt_piece *heads, size_t pieces,
            struct models *models, struct piece *contents, struct bytes *memory)
{
  struct bbt_group group;
  struct bytes unpacked = { .data = NULL };
  struct reading lists[GROUP_LISTS];
  bool ok = read_group (content, n, &group) && group.pieces == pieces
            && unpack_lists (content + sizeof group + group.heads_packed, group.content_packed,
                             UNPACKED_MOST, &unpacked, lists, GROUP_LISTS)
            && lay_out (heads, pieces, contents, memory)
            && read_contents (models, contents, pieces, lists);
  bytes_free (&unpacked);
  return ok;
}
