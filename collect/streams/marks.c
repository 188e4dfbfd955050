/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect/streams/marks.h"

static void
snap (uint64_t *value, uint64_t foretold, uint64_t tolerance)
{
  if (*value - foretold + tolerance <= 2 * tolerance)
    *value = foretold;
}

static bool
follows (const struct bbt_piece *h, const struct bbt_piece *before)
{
  return h->stream == before->stream && h->sequence == before->sequence + 1
         && before->end == BBT_END_NEXT;
}

void
marks_smooth (struct bbt_piece *h, const struct bbt_piece *before, size_t n)
{
  if (n == 0 || !follows (h, &before[n - 1]))
    return;
  const struct bbt_piece *last = &before[n - 1],
                         *other = n > 1 && follows (last, last - 1) ? last - 1 : NULL;
  uint64_t pause = other ? last->started - other->ended : 0,
           pause_tsc = other ? last->started_tsc - other->ended_tsc : 0;
  snap (&h->started, last->ended + pause, MARKS_TOLERANCE_NS);
  snap (&h->started_tsc, last->ended_tsc + pause_tsc, MARKS_TOLERANCE);
  if (h->end != BBT_END_NEXT)
    return;
  snap (&h->ended, h->started + last->ended - last->started, MARKS_TOLERANCE_NS);
  snap (&h->ended_tsc, h->started_tsc + last->ended_tsc - last->started_tsc, MARKS_TOLERANCE);
}

/* The position of a mark in its piece, in bits and tokens. */
static double
place (const struct bbt_mark *m)
{
  return 64.0 * m->words + m->tokens;
}

/* The range of slopes of lines from the last kept mark that pass all later marks within the
   tolerance. */
struct slopes {
  double low, high;
};

static const struct slopes all_slopes = { -1e300, 1e300 };

/* Narrows the slopes to those that pass M, too.  False: none is left.  A mark at the same
   position does not change them. */
static bool
narrow (struct slopes *s, const struct bbt_mark *from, const struct bbt_mark *m)
{
  double way = place (m) - place (from), ticks = (double) (m->tsc - from->tsc);
  if (way <= 0)
    return true;
  double low = (ticks - MARKS_TOLERANCE) / way, high = (ticks + MARKS_TOLERANCE) / way;
  s->low = low > s->low ? low : s->low;
  s->high = high < s->high ? high : s->high;
  return s->low <= s->high;
}

/* Is the slope of the line from FROM to M in the range? */
static bool
fits (const struct slopes *s, const struct bbt_mark *from, const struct bbt_mark *m)
{
  double way = place (m) - place (from),
         slope = way > 0 ? (double) (m->tsc - from->tsc) / way : s->low;
  return s->low <= slope && slope <= s->high;
}

/* Smoothing may have moved start and end: keeps the mark between them. */
static void
keep_inside (const struct bbt_piece *head, struct bbt_mark *m)
{
  if (m->tsc < head->started_tsc)
    m->tsc = head->started_tsc;
  if (head->ended_tsc && m->tsc > head->ended_tsc)
    m->tsc = head->ended_tsc;
}

size_t
marks_thin (const struct bbt_piece *head, struct bbt_mark *marks, size_t n)
{
  const struct bbt_mark end = { head->words + (head->rest > 0), head->tokens, head->ended_tsc };
  struct bbt_mark from = { 0, 0, head->started_tsc };
  struct slopes slopes = all_slopes;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    {
      const struct bbt_mark *next = i + 1 < n ? &marks[i + 1] : head->ended_tsc ? &end : NULL;
      struct bbt_mark m = marks[i];
      keep_inside (head, &m);
      if (next && narrow (&slopes, &from, &m) && fits (&slopes, &from, next))
        continue;
      marks[kept++] = from = m;
      slopes = all_slopes;
    }
  return kept;
}

void
marks_write (const struct bbt_piece *head, const struct bbt_mark *marks, size_t n,
             struct bytes *lists)
{
  struct bbt_mark before = { 0, 0, head->started_tsc };
  for (size_t i = 0; i < n; i++)
    {
      bytes_put_number (&lists[MARKS_WORDS], marks[i].words - before.words);
      bytes_put_number (&lists[MARKS_TOKENS], marks[i].tokens - before.tokens);
      bytes_put_number (&lists[MARKS_TICKS], bytes_fold (marks[i].tsc - before.tsc));
      before = marks[i];
    }
}

bool
marks_read (const struct bbt_piece *head, struct bbt_mark *marks, size_t n, struct reading *lists)
{
  struct bbt_mark before = { 0, 0, head->started_tsc };
  for (size_t i = 0; i < n; i++)
    {
      uint64_t words, tokens, ticks;
      if (!reading_number (&lists[MARKS_WORDS], &words)
          || !reading_number (&lists[MARKS_TOKENS], &tokens)
          || !reading_number (&lists[MARKS_TICKS], &ticks) || words > head->words - before.words
          || tokens > head->tokens - before.tokens)
        return false;
      before.words += (uint32_t) words;
      before.tokens += (uint32_t) tokens;
      before.tsc += bytes_unfold (ticks);
      marks[i] = before;
    }
  return true;
}
