/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/writer/shared.h"

_Static_assert(BBT_START_EVENT == (int) BBQ_START_EVENT && BBT_END_STREAM == (int) BBQ_END_STREAM,
               "the same numbers");
_Static_assert(sizeof (struct bbt_mark) == sizeof (struct bbq_mark), "the same marks");

static bool
is_possible (const struct bbq_head *head, uint64_t bytes)
{
  return head->magic == BBQ_MAGIC && head->version == BBQ_VERSION
         && head->bytes_of_head >= sizeof *head && head->bytes_of_piece >= sizeof (struct bbq_piece)
         && head->bytes_of_piece % 8 == 0 && head->bytes_of_head % 8 == 0
         && head->bytes_of_head + (uint64_t) head->pieces * head->bytes_of_piece <= bytes;
}

bool
shared_open (struct shared *s, int fd)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || st.st_size < (off_t) sizeof *s->head)
    return false;
  s->bytes = (size_t) st.st_size;
  s->head = mmap (NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (s->head == MAP_FAILED || !is_possible (s->head, s->bytes))
    return false;
  s->first = (char *) s->head + s->head->bytes_of_head;
  s->pieces = s->head->pieces;
  s->bytes_of_piece = s->head->bytes_of_piece;
  process_open (&s->process, s->head->pid);
  return true;
}

struct bbq_piece *
shared_piece (const struct shared *s, size_t i)
{
  return (struct bbq_piece *) (void *) (s->first + i * s->bytes_of_piece);
}

static void
wake (_Atomic uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Pairs with the process, which first counts up and then checks for a waiter. */
void
shared_wait (struct shared *s, unsigned seen, unsigned milliseconds)
{
  struct timespec time
      = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };
  atomic_store (&s->head->waiting_writer, 1);
  if (atomic_load (&s->head->submitted) == seen)
    syscall (SYS_futex, &s->head->submitted, FUTEX_WAIT, seen, &time, NULL, 0);
  atomic_store (&s->head->waiting_writer, 0);
}

bool
shared_claim (struct bbq_piece *p)
{
  uint32_t full = BBQ_FULL;
  return atomic_compare_exchange_strong (&p->state, &full, BBQ_USED);
}

/* Clears the stream: the next owner may be killed before it sets its own. */
void
shared_free (struct shared *s, struct bbq_piece *p)
{
  p->stream = 0;
  atomic_store_explicit (&p->state, BBQ_FREE, memory_order_release);
  atomic_fetch_add (&s->head->freed, 1);
  if (atomic_load (&s->head->waiting_program))
    wake (&s->head->freed);
}

void
shared_end (struct shared *s, unsigned ending)
{
  atomic_compare_exchange_strong (&s->head->ending, &ending, 0);
  atomic_fetch_add (&s->head->ended, 1);
  wake (&s->head->ended);
}

/* Another process may change the value at any time, so it is read once. */
#define ONCE(value) __atomic_load_n (&(value), __ATOMIC_RELAXED)

static uint32_t
at_most (uint32_t n, uint32_t most)
{
  return n < most ? n : most;
}

/* Counts grow after the data that they count is written, so they are read first.  With a window a
   full piece stays in use. */
static void
copy_head (const struct bbq_piece *p, bool in_use, struct bbt_piece *h)
{
  const uint32_t end = __atomic_load_n (&p->end, __ATOMIC_ACQUIRE) & 3;
  const bool complete = end != BBQ_END_NOT;
  const uint32_t words = complete ? ONCE (p->end_words) : ONCE (p->words);
  const uint32_t tokens = complete ? ONCE (p->end_tokens) : ONCE (p->tokens);
  in_use &= !complete;
  *h = (struct bbt_piece) { .stream = ONCE (p->stream),
                            .sequence = p->sequence,
                            .tid = p->tid,
                            .start = ONCE (p->start) & 3,
                            .depth = p->depth,
                            .end = in_use ? BBT_END_NOT : end,
                            .parent = p->parent,
                            .parent_sequence = p->parent_sequence,
                            .parent_words = p->parent_words,
                            .parent_tokens = p->parent_tokens,
                            .parent_rest = p->parent_rest,
                            .words = at_most (words, BBQ_BITS),
                            .rest = in_use ? 0 : ONCE (p->rest) & 63,
                            .tokens = at_most (tokens, BBQ_TOKENS),
                            .marks = at_most (ONCE (p->marks), BBQ_MARKS),
                            .parent_pc = p->parent_pc,
                            .pc = p->pc,
                            .started = p->started,
                            .ended = in_use ? 0 : p->ended,
                            .started_tsc = p->started_tsc,
                            .ended_tsc = in_use ? 0 : p->ended_tsc,
                            .lost = p->lost };
  memcpy (h->name, p->name, sizeof h->name);
  h->name[sizeof h->name - 1] = '\0';
  atomic_thread_fence (memory_order_acquire);
}

/* Copies the marks up to the first that does not ascend; in a complete piece all ascend. */
static size_t
copy_marks (const struct bbq_piece *p, const struct bbt_piece *h, struct bbt_mark *marks)
{
  size_t n = 0;
  uint32_t words = 0, tokens = 0;
  for (size_t i = 0; i < h->marks; i++)
    {
      struct bbt_mark m = { ONCE (p->mark[i].words), ONCE (p->mark[i].tokens), p->mark[i].tsc };
      if (m.words < words || m.words > h->words || m.tokens < tokens || m.tokens > h->tokens)
        break;
      words = m.words;
      tokens = m.tokens;
      marks[n++] = m;
    }
  return n;
}

bool
shared_copy (const struct bbq_piece *p, bool in_use, struct shared_copy *c)
{
  struct bbt_piece *h = &c->head;
  copy_head (p, in_use, h);
  if (h->stream == 0)
    return false;
  memcpy (c->words, p->bits, 8UL * h->words);
  if (h->rest)
    c->words[h->words] = (h->end == BBT_END_NOT ? p->bits[h->words] : p->end_bits)
                         << (64 - h->rest);
  memcpy (c->tokens, p->token, 8UL * h->tokens);
  h->marks = (uint32_t) copy_marks (p, h, c->marks);
  c->piece = (struct piece) { .head = h,
                              .words = c->words,
                              .nbits = 64UL * h->words + h->rest,
                              .tokens = c->tokens,
                              .ntokens = h->tokens,
                              .marks = c->marks,
                              .nmarks = h->marks };
  atomic_thread_fence (memory_order_acquire);
  return ONCE (p->stream) == h->stream && p->sequence == h->sequence;
}
