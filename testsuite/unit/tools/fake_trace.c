/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/tools/fake_trace.h"

enum {
  MOST_FUNCTIONS = 16,
  MOST_BLOCKS = 64,
  MOST_THREADS = 8,
  MOST_EVENTS = 1 << 20,
  BLOCK_BYTES = 16,
  NS = 10
};

struct fake_function {
  struct trace_function function;
  struct trace_block blocks[MOST_BLOCKS];
  unsigned lines[MOST_BLOCKS];
  char file[64];
};

struct trace {
  struct fake_function functions[MOST_FUNCTIONS];
  unsigned nfunctions, nblocks;
  struct trace_thread threads[MOST_THREADS];
  struct trace_event *events[MOST_THREADS];
  size_t nevents[MOST_THREADS];
  uint64_t nexecuted[MOST_THREADS];
  size_t nthreads;
  uint64_t told;
};

struct trace_cursor {
  struct trace *trace;
  unsigned thread;
  size_t next; /* event */
  const struct trace_block *stack[MOST_BLOCKS];
};

struct trace *
fake_open (void)
{
  return calloc (1, sizeof (struct trace));
}

void
trace_close (struct trace *t)
{
  for (size_t i = 0; i < t->nthreads; i++)
    free (t->events[i]);
  free (t);
}

unsigned
fake_function (struct trace *t, const char *name, unsigned nblocks, const unsigned *lines)
{
  struct fake_function *f = &t->functions[t->nfunctions];
  f->function = (struct trace_function) { .name = name,
                                          .symbol = name,
                                          .object = "/fake",
                                          .blocks = f->blocks,
                                          .nblocks = nblocks,
                                          .number = t->nfunctions };
  snprintf (f->file, sizeof f->file, "%s.c", name);
  for (unsigned i = 0; i < nblocks; i++)
    {
      uint64_t address = 0x1000 * (t->nfunctions + 1u) + BLOCK_BYTES * i;
      f->blocks[i] = (struct trace_block) { .address = address,
                                            .end = address + BLOCK_BYTES,
                                            .function = &f->function,
                                            .index = i,
                                            .number = t->nblocks++ };
      f->lines[i] = lines ? lines[i] : i + 1;
    }
  return t->nfunctions++;
}

const struct trace_block *
fake_block (const struct trace *t, unsigned function, unsigned index)
{
  return &t->functions[function].blocks[index];
}

void
fake_thread (struct trace *t, const char *name)
{
  unsigned n = (unsigned) t->nthreads++;
  t->threads[n] = (struct trace_thread) { .number = n, .tid = 1000 + (int) n, .name = name };
  t->events[n] = calloc (MOST_EVENTS, sizeof *t->events[n]);
}

void
fake_event (struct trace *t, enum trace_kind kind, unsigned function, unsigned index,
            unsigned depth)
{
  size_t n = t->nthreads - 1;
  struct trace_event *e = &t->events[n][t->nevents[n]];
  bool has_block = kind != TRACE_LOST && kind != TRACE_END;
  *e = (struct trace_event) { .kind = kind,
                              .block = has_block ? fake_block (t, function, index) : NULL,
                              .depth = depth,
                              .number = t->nexecuted[n],
                              .time = NS * t->nevents[n] };
  t->nexecuted[n] += kind == TRACE_BLOCK;
  t->threads[n].end = e->time;
  t->nevents[n]++;
}

uint64_t
fake_told (const struct trace *t)
{
  return t->told;
}

size_t
trace_blocks (const struct trace *t)
{
  return t->nblocks;
}

size_t
trace_functions (const struct trace *t)
{
  return t->nfunctions;
}

const struct trace_function *
trace_function (const struct trace *t, unsigned number)
{
  return &t->functions[number].function;
}

const char *
trace_line (const struct trace *t, const struct trace_block *b, unsigned *line)
{
  const struct fake_function *f = &t->functions[b->function->number];
  *line = f->lines[b->index];
  return *line ? f->file : NULL;
}

size_t
trace_threads (const struct trace *t, const struct trace_thread **threads)
{
  *threads = t->threads;
  return t->nthreads;
}

struct trace_cursor *
trace_begin (struct trace *t, unsigned thread)
{
  struct trace_cursor *c = calloc (1, sizeof *c);
  *c = (struct trace_cursor) { .trace = t, .thread = thread };
  return c;
}

void
trace_cursor_free (struct trace_cursor *c)
{
  free (c);
}

bool
trace_next (struct trace_cursor *c, struct trace_event *e)
{
  if (c->next == c->trace->nevents[c->thread])
    return false;
  *e = c->trace->events[c->thread][c->next++];
  c->trace->told++;
  return true;
}

/* As a decoder may: the event that is asked for, or what is directly before it. */
bool
trace_seek_block (struct trace_cursor *c, uint64_t number)
{
  const struct trace_event *events = c->trace->events[c->thread];
  if (number >= c->trace->nexecuted[c->thread])
    {
      c->next = c->trace->nevents[c->thread];
      return false;
    }
  /* The last event whose number is not above it. */
  size_t low = 0, high = c->trace->nevents[c->thread];
  while (high - low > 1)
    if (events[low + (high - low) / 2].number <= number)
      low += (high - low) / 2;
    else
      high = low + (high - low) / 2;
  c->next = low;
  while (events[c->next].kind != TRACE_BLOCK)
    c->next--;
  while (c->next > 0 && events[c->next - 1].kind != TRACE_BLOCK)
    c->next--;
  return true;
}

bool
trace_seek_time (struct trace_cursor *c, uint64_t ns)
{
  const struct trace_event *events = c->trace->events[c->thread];
  for (size_t i = 0; i < c->trace->nevents[c->thread]; i++)
    if (events[i].time >= ns)
      {
        c->next = i;
        return true;
      }
  return false;
}

uint64_t
trace_position (const struct trace_cursor *c)
{
  return c->next == c->trace->nevents[c->thread] ? c->trace->nexecuted[c->thread]
                                                 : c->trace->events[c->thread][c->next].number;
}

size_t
trace_stack (const struct trace_cursor *c, const struct trace_block *const **frames)
{
  struct trace_cursor *own = (struct trace_cursor *) c;
  size_t depth = 0;
  for (size_t i = 0; i < c->next; i++)
    {
      const struct trace_event *e = &c->trace->events[c->thread][i];
      while (depth < e->depth)
        own->stack[depth++] = NULL;
      depth = e->kind == TRACE_LEAVE ? e->depth - 1 : e->depth;
      if (e->kind == TRACE_BLOCK || e->kind == TRACE_RETURN)
        own->stack[depth - 1] = e->block;
    }
  *frames = own->stack;
  return depth;
}
