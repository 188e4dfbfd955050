/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of trees of calling contexts.  Chunks with impossible content are refused, truncated
   ones too.  The sum of several sidecars is the same to the byte in any order and grouping.
   Times equal those of an independent method: each sample by itself, with sets of the functions
   on its stack. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/files/bbx_write.h"
#include "model/sums/sum_stacks.h"
#include "testsuite/unit/unit.h"
#include "tools/view/stack_times.h"

enum { FUNCTIONS = 6, THREADS = 3, DEPTH_MOST = 12, SAMPLES = 400 };

/* Chunks.  */

struct bytes {
  unsigned char data[256];
  size_t size;
};

static void
put (struct bytes *b, size_t n, const unsigned *list)
{
  for (size_t i = 0; i < n; i++)
    b->data[b->size++] = (unsigned char) list[i];
}
#define PUT(b, ...)                                                        \
  put (b, sizeof ((const unsigned[]) { __VA_ARGS__ }) / sizeof (unsigned), \
       (const unsigned[]) { __VA_ARGS__ })

static struct bytes
tree_of (uint64_t n)
{
  struct bytes b = { .size = sizeof n };
  memcpy (b.data, &n, sizeof n);
  return b;
}

static bool
is_good (const struct bytes *b)
{
  struct bbx_stacks s = { 0 };
  const char *wrong = bbx_stacks_add_contexts (&s, (const char *) b->data, b->size);
  ck_assert (s.nnodes == 0 || s.nodes[0].parent == 0);
  ck_assert (bbx_stacks_finish (&s));
  bbx_stacks_free (&s);
  return !wrong;
}

START_TEST (test_tree_is_read)
{
  struct bytes b = tree_of (3);
  struct bbx_stacks s = { 0 };
  PUT (&b, 1, BBX_FRAME_THREAD, 2 * 7, 0);   /* thread 7 */
  PUT (&b, 1, BBX_FRAME_CODE, 2 * 13, 5);    /* at 20 */
  PUT (&b, 2, BBX_FRAME_CODE, 2 * 4 - 1, 6); /* at 16, beneath the thread, too */
  ck_assert_ptr_null (bbx_stacks_add_contexts (&s, (const char *) b.data, b.size));
  ck_assert_uint_eq (s.nnodes, 3);
  ck_assert_uint_eq (s.nodes[1].parent, 1);
  ck_assert_uint_eq (s.nodes[1].address, 20);
  ck_assert_uint_eq (s.nodes[2].parent, 1);
  ck_assert_uint_eq (s.nodes[2].address, 16);
  ck_assert_uint_eq (s.nodes[2].ticks, 6);
  ck_assert (bbx_stacks_finish (&s));
  ck_assert_uint_eq (s.nthreads, 1); /* that no chunk describes */
  ck_assert_uint_eq (s.threads[0].number, 7);
  /* There is one only. */
  ck_assert_ptr_nonnull (bbx_stacks_add_contexts (&s, (const char *) b.data, b.size));
  bbx_stacks_free (&s);
  for (; b.size > 0; b.size--)
    ck_assert (is_good (&b) == (b.size == sizeof (uint64_t) + 12));
}
END_TEST

START_TEST (test_impossible_nodes_are_refused)
{
  static const unsigned wrong[][4] = {
    { 0, BBX_FRAME_CODE, 2, 0 },   /* its own parent */
    { 3, BBX_FRAME_CODE, 2, 0 },   /* a parent before the first node */
    { 1, BBX_FRAMES, 2, 0 },       /* of no kind */
    { 1, BBX_FRAME_THREAD, 2, 0 }, /* a thread called by a thread */
    { 2, BBX_FRAME_THREAD, 3, 0 }, /* thread -1 */
    { 1, BBX_FRAME_CODE, 3, 0 },   /* below address 0 */
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
      struct bytes b = tree_of (2);
      PUT (&b, 1, BBX_FRAME_THREAD, 2, 0);
      put (&b, 4, wrong[i]);
      ck_assert_msg (!is_good (&b), "%zu", i);
    }
}
END_TEST

START_TEST (test_descriptions_are_checked)
{
  struct bbx_stacks s = { 0 };
  struct bbx_sampling how = { .sampler = "0123456789abcdef", .rate = 250 };
  struct bbx_thread thread = { .number = 2, .name = "0123456789abcdef" };
  ck_assert_ptr_null (bbx_stacks_add_sampling (&s, (const char *) &how, sizeof how));
  ck_assert_str_eq (s.samplings[0].sampler, "0123456789abcde");
  ck_assert_ptr_nonnull (bbx_stacks_add_sampling (&s, (const char *) &how, sizeof how - 1));
  how.clock = 2;
  ck_assert_ptr_nonnull (bbx_stacks_add_sampling (&s, (const char *) &how, sizeof how));
  ck_assert_ptr_null (bbx_stacks_add_thread (&s, (const char *) &thread, sizeof thread));
  ck_assert_str_eq (s.threads[0].name, "0123456789abcde");
  ck_assert_ptr_nonnull (bbx_stacks_add_thread (&s, (const char *) &thread, sizeof thread - 1));
  thread.number = 0;
  ck_assert_ptr_nonnull (bbx_stacks_add_thread (&s, (const char *) &thread, sizeof thread));
  bbx_stacks_free (&s);
}
END_TEST

/* Sums.  */

static void
add_node (struct bbx_stacks *s, uint32_t parent, uint32_t kind, uint64_t address, uint64_t ticks)
{
  s->nodes = realloc (s->nodes, (s->nnodes + 1) * sizeof *s->nodes);
  ck_assert_ptr_nonnull (s->nodes);
  s->nodes[s->nnodes++]
      = (struct bbx_node) { .parent = parent, .kind = kind, .address = address, .ticks = ticks };
}

/* A run with threads of few names, whose numbers are not those of other runs. */
static struct bbx_stacks
some_run (void)
{
  struct bbx_stacks s = { .has_nodes = true };
  struct bbx_sampling how
      = { .sampler = "thread", .rate = 250, .flags = rand () % 2, .ticks = 5, .samples = 5 };
  struct bbx_thread thread = { .number = 1 };
  ck_assert_ptr_null (bbx_stacks_add_sampling (&s, (const char *) &how, sizeof how));
  for (int i = 1 + rand () % 6; i > 0; i--, thread.number++)
    {
      snprintf (thread.name, sizeof thread.name, "%c", 'a' + rand () % 3);
      thread.tid = 100 + (uint32_t) rand () % 5;
      thread.begun = (uint64_t) rand () % 4;
      thread.ended = (uint64_t) rand () % 9;
      ck_assert_ptr_null (bbx_stacks_add_thread (&s, (const char *) &thread, sizeof thread));
      add_node (&s, 0, BBX_FRAME_THREAD, thread.number, 0);
    }
  if (rand () % 2) /* with a name that others have, too */
    {
      thread.number = BBX_THREAD_OTHERS;
      thread.name[0] = 'a';
      ck_assert_ptr_null (bbx_stacks_add_thread (&s, (const char *) &thread, sizeof thread));
      add_node (&s, 0, BBX_FRAME_THREAD, thread.number, 7);
    }
  for (int i = 0; i < 40; i++)
    add_node (&s, 1 + (uint32_t) rand () % (uint32_t) s.nnodes,
              rand () % 4 ? BBX_FRAME_CODE : BBX_FRAME_SYSCALL, (uint64_t) rand () % 3,
              (uint64_t) rand () % 5);
  ck_assert (bbx_stacks_finish (&s));
  return s;
}

struct written {
  char *bytes;
  size_t size;
};

static struct written
finish (struct sum_stacks *sum)
{
  struct written w;
  struct output o = { .file = open_memstream (&w.bytes, &w.size) };
  ck_assert_ptr_nonnull (o.file);
  ck_assert (sum_stacks_finish (sum, &(struct gmon_moves) { 0 }) && sum_stacks_write (sum, &o));
  ck_assert_int_eq (fclose (o.file), 0);
  sum_stacks_free (sum);
  return w;
}

/* Reads the tree that was written. */
static struct bbx_stacks
read_again (const struct written *w)
{
  struct bbx_stacks s = { 0 };
  for (size_t at = 0; at < w->size;)
    {
      struct bbx_chunk chunk;
      memcpy (&chunk, w->bytes + at, sizeof chunk);
      const char *content = w->bytes + at + sizeof chunk, *wrong;
      wrong = chunk.type == BBX_TYPE_SAMPLING ? bbx_stacks_add_sampling (&s, content, chunk.length)
              : chunk.type == BBX_TYPE_THREAD ? bbx_stacks_add_thread (&s, content, chunk.length)
                                              : bbx_stacks_add_contexts (&s, content, chunk.length);
      ck_assert_msg (!wrong, "%s", wrong);
      at += sizeof chunk + ((chunk.length + 7) & -8UL);
    }
  ck_assert (bbx_stacks_finish (&s));
  return s;
}

static struct written
sum_of (const struct bbx_stacks *const *list, size_t n)
{
  struct sum_stacks sum;
  sum_stacks_init (&sum);
  for (size_t i = 0; i < n; i++)
    ck_assert (sum_stacks_fits (&sum, list[i])
               && sum_stacks_add (&sum, list[i], &(struct gmon_moves) { 0 }));
  return finish (&sum);
}

static uint64_t
others_of (const struct bbx_stacks *s)
{
  uint64_t ticks = 0;
  for (size_t i = 0; i < s->nnodes; i++)
    ticks += s->nodes[i].kind == BBX_FRAME_THREAD && s->nodes[i].address == BBX_THREAD_OTHERS
                 ? s->nodes[i].ticks
                 : 0;
  return ticks;
}

static uint64_t
ticks_of (const struct bbx_stacks *s)
{
  uint64_t ticks = 0;
  for (size_t i = 0; i < s->nnodes; i++)
    ticks += s->nodes[i].ticks;
  return ticks;
}

START_TEST (test_sums_do_not_depend_on_order)
{
  srand ((unsigned) _i);
  struct bbx_stacks a = some_run (), b = some_run (), c = some_run ();
  struct written first = sum_of ((const struct bbx_stacks *[]) { &a, &b }, 2);
  struct written last = sum_of ((const struct bbx_stacks *[]) { &c, &b }, 2);
  struct bbx_stacks ab = read_again (&first), cb = read_again (&last);
  struct written results[] = { sum_of ((const struct bbx_stacks *[]) { &a, &b, &c }, 3),
                               sum_of ((const struct bbx_stacks *[]) { &c, &a, &b }, 3),
                               sum_of ((const struct bbx_stacks *[]) { &ab, &c }, 2),
                               sum_of ((const struct bbx_stacks *[]) { &a, &cb }, 2) };
  struct bbx_stacks all = read_again (&results[0]);
  ck_assert_uint_eq (ticks_of (&all), ticks_of (&a) + ticks_of (&b) + ticks_of (&c));
  ck_assert_uint_eq (others_of (&all), others_of (&a) + others_of (&b) + others_of (&c));
  for (size_t i = 0; i < sizeof results / sizeof *results; i++)
    {
      ck_assert_mem_eq (results[i].bytes, results[0].bytes, results[0].size);
      ck_assert_uint_eq (results[i].size, results[0].size);
      if (i > 0)
        free (results[i].bytes);
    }
  free (results[0].bytes);
  free (first.bytes);
  free (last.bytes);
  bbx_stacks_free (&all);
  bbx_stacks_free (&ab);
  bbx_stacks_free (&cb);
  bbx_stacks_free (&a);
  bbx_stacks_free (&b);
  bbx_stacks_free (&c);
}
END_TEST

START_TEST (test_clocks_do_not_mix)
{
  struct sum_stacks sum;
  struct bbx_sampling cpu = { .rate = 250 }, wall = { .rate = 250, .clock = 1 };
  struct bbx_stacks a = { .samplings = &cpu, .nsamplings = 1 },
                    b = { .samplings = &wall, .nsamplings = 1 }, none = { 0 };
  sum_stacks_init (&sum);
  ck_assert (sum_stacks_fits (&sum, &b) && sum_stacks_fits (&sum, &a)
             && sum_stacks_fits (&sum, &none));
  ck_assert (sum_stacks_add (&sum, &a, &(struct gmon_moves) { 0 }));
  ck_assert (sum_stacks_fits (&sum, &a) && !sum_stacks_fits (&sum, &b)
             && sum_stacks_fits (&sum, &none));
  sum_stacks_free (&sum);
}
END_TEST

/* Times.  */

struct truth {
  uint64_t self[FUNCTIONS], total[FUNCTIONS], active[FUNCTIONS + 1][FUNCTIONS],
      outermost[FUNCTIONS + 1][FUNCTIONS], ticks;
};

/* One sample of the stack, the outermost function first. */
static void
count (struct truth *truth, const uint32_t *stack, size_t n)
{
  bool seen[FUNCTIONS] = { 0 }, called[FUNCTIONS + 1][FUNCTIONS] = { 0 };
  truth->ticks++;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t caller = i > 0 ? stack[i - 1] : FUNCTIONS, callee = stack[i];
      truth->total[callee] += !seen[callee];
      truth->outermost[caller][callee] += !seen[callee];
      truth->active[caller][callee] += !called[caller][callee];
      seen[callee] = called[caller][callee] = true;
    }
  if (n > 0)
    truth->self[stack[n - 1]]++;
}

static void
compare (const struct stack_times *t, const struct truth *truth)
{
  ck_assert_uint_eq (t->ticks, truth->ticks);
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    {
      ck_assert_uint_eq (t->self[i], truth->self[i]);
      ck_assert_uint_eq (t->total[i], truth->total[i]);
      for (uint32_t k = 0; k <= FUNCTIONS; k++)
        {
          const struct stack_arc *a = stack_times_arc (t, k == FUNCTIONS ? STACK_OUTSIDE : k, i);
          ck_assert_uint_eq (a ? a->active : 0, truth->active[k][i]);
          ck_assert_uint_eq (a ? a->outermost : 0, truth->outermost[k][i]);
        }
    }
}

static void
check_lists (const struct stack_times *t)
{
  size_t callers = 0, callees = 0;
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    {
      struct stack_arc *const *to, *from;
      size_t n = stack_times_callers (t, i, &to), m = stack_times_callees (t, i, &from);
      for (size_t k = 0; k < n; k++)
        ck_assert_uint_eq (to[k]->callee, i);
      for (size_t k = 0; k < m; k++)
        ck_assert_uint_eq (from[k].caller, i);
      callers += n;
      callees += m;
    }
  struct stack_arc *outside;
  ck_assert_uint_eq (callers, t->narcs);
  ck_assert_uint_eq (callees + stack_times_callees (t, STACK_OUTSIDE, &outside), t->narcs);
}

START_TEST (test_times_are_those_of_each_sample)
{
  static struct truth truths[THREADS + 1];
  struct contexts tree = { 0 };
  struct stack_times times;
  srand ((unsigned) _i);
  memset (truths, 0, sizeof truths);
  for (int i = 0; i < SAMPLES; i++)
    {
      uint32_t stack[DEPTH_MOST], thread = (uint32_t) rand () % THREADS;
      size_t n = (size_t) rand () % (DEPTH_MOST + 1);
      uint32_t node = contexts_enter (&tree, 0, BBX_FRAME_THREAD, thread);
      for (size_t k = 0; k < n; k++)
        {
          stack[k] = (uint32_t) rand () % (rand () % 2 ? FUNCTIONS : 2);
          node = contexts_enter (&tree, node, BBX_FRAME_CODE, stack[k]);
        }
      tree.nodes[node].ticks++;
      count (&truths[thread], stack, n);
      count (&truths[THREADS], stack, n);
    }
  ck_assert (contexts_sort (&tree));
  ck_assert (stack_times_make (&times, &tree, THREADS, FUNCTIONS, NULL));
  compare (&times, &truths[THREADS]);
  check_lists (&times);
  for (uint32_t i = 0; i < THREADS; i++)
    ck_assert_uint_eq (times.threads[i], truths[i].ticks);
  stack_times_free (&times);
  ck_assert (stack_times_make (&times, &tree, THREADS, FUNCTIONS,
                               (const bool[THREADS]) { false, true, false }));
  compare (&times, &truths[1]);
  stack_times_free (&times);
  contexts_free (&tree);
}
END_TEST

START_TEST (test_nothing_is_nothing)
{
  struct contexts tree = { 0 };
  struct stack_times times;
  ck_assert (contexts_sort (&tree));
  ck_assert_uint_eq (contexts_next (&tree, 0), 0);
  ck_assert (stack_times_make (&times, &tree, 0, 0, NULL));
  ck_assert_uint_eq (times.ticks, 0);
  ck_assert_ptr_null (stack_times_arc (&times, 0, 0));
  stack_times_free (&times);
  contexts_free (&tree);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { test_tree_is_read },
                                     { test_impossible_nodes_are_refused },
                                     { test_descriptions_are_checked },
                                     { test_sums_do_not_depend_on_order, .times = 50 },
                                     { test_clocks_do_not_mix },
                                     { test_times_are_those_of_each_sample, .times = 30 },
                                     { test_nothing_is_nothing } };
  return unit_run (UNIT_SUITE ("contexts", UNIT_CASE (tests)));
}
