/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <check.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "testsuite/unit/tools/fake_timeline.h"

void
fake_begin (struct fake *f)
{
  *f = (struct fake) { .watch
                       = { .how = BBS_BY_EVENTS, .rate = 250, .reasons = BBS_REASONS_SYSCALL } };
}

void
fake_switch (struct fake *f, uint64_t time, uint32_t tid, unsigned cpu, enum bbs_switch_kind kind)
{
  const struct bbs_switch s
      = { .time = time, .tid = tid, .cpu = (uint16_t) cpu, .kind = (uint16_t) kind };
  ck_assert (watched_add_switch (&f->watched, &s));
}

void
fake_look (struct fake *f, uint64_t time, uint32_t tid, char state, enum bbs_why why, int call,
           uint64_t run, uint64_t wait)
{
  const struct bbs_look look = { .time = time,
                                 .run = run,
                                 .wait = wait,
                                 .voluntary = BBS_NOT_KNOWN,
                                 .involuntary = BBS_NOT_KNOWN,
                                 .tid = tid,
                                 .call = call,
                                 .cpu = 0,
                                 .state = (uint8_t) state,
                                 .why = (uint8_t) why };
  ck_assert (watched_add_look (&f->watched, &look));
}

void
fake_lock (struct fake *f, uint64_t address, enum bbs_lock type, uint32_t holder)
{
  struct bbs_look *look = &f->watched.looks[f->watched.nlooks - 1];
  look->lock = address;
  look->type = (uint8_t) type;
  look->holder = holder;
}

void
fake_name (struct fake *f, uint64_t time, uint32_t tid, const char *name)
{
  ck_assert (watched_add_name (&f->watched, time, tid, name));
}

void
fake_mark (struct fake *f, uint64_t time, uint32_t tid, const char *text)
{
  struct bbs_mark mark = { .time = time, .tid = tid };
  snprintf (mark.text, sizeof mark.text, "%s", text);
  ck_assert (watched_add_mark (&f->watched, &mark));
}

void
fake_sampled (struct fake *f, uint32_t number, uint32_t tid, uint64_t begun, uint64_t ended,
              uint64_t cpu, const char *name)
{
  struct bbx_thread *t = &f->threads[f->nthreads++];
  *t = (struct bbx_thread) {
    .number = number, .tid = tid, .begun = begun, .ended = ended, .cpu = cpu
  };
  snprintf (t->name, sizeof t->name, "%s", name);
}

void
fake_make (struct timeline *t, struct fake *f)
{
  struct error err;
  const struct timeline_input input = {
    .watch = f->watch, .watched = &f->watched, .threads = f->threads, .nthreads = f->nthreads
  };
  ck_assert_msg (timeline_make (t, &input, &err), "%s", err.text);
  watched_free (&f->watched);
}

/* The example.  */

enum { US = 1000, MS = 1000 * US, MAIN = 1000, WORKER, SPINNER, READER };

static void
add_births (struct fake *f)
{
  fake_look (f, 0, MAIN, 'R', BBS_WHY_NOT_KNOWN, BBS_CALL_NOT_KNOWN, 300 * US, 0);
  fake_name (f, 0, MAIN, "main");
  fake_switch (f, 100 * US, WORKER, 0, BBS_BORN);
  fake_name (f, 100 * US, WORKER, "worker");
  fake_switch (f, 150 * US, SPINNER, 0, BBS_BORN);
  fake_name (f, 150 * US, SPINNER, "spinner");
  fake_switch (f, 160 * US, SPINNER, 1, BBS_IN);
  fake_switch (f, 200 * US, READER, 0, BBS_BORN);
  fake_name (f, 200 * US, READER, "reader");
  fake_switch (f, 300 * US, MAIN, 0, BBS_OUT_SLEEPS);
  fake_switch (f, 305 * US, WORKER, 0, BBS_IN);
}

/* From 1 ms on, a millisecond each; worker is woken up 40 us before it runs. */
static void
add_round (struct fake *f, unsigned n)
{
  uint64_t t = n * MS;
  fake_switch (f, t, WORKER, 0, BBS_OUT_SLEEPS);
  fake_switch (f, t + 5 * US, MAIN, 0, BBS_IN);
  if (n == 5)
    fake_mark (f, t + 100 * US, MAIN, "half <way> & on");
  fake_look (f, t + 200 * US, WORKER, 'S', BBS_WHY_LOCK, SYS_futex, n * 500 * US,
             (n - 1) * 40 * US + 205 * US);
  fake_switch (f, t + 400 * US, MAIN, 0, BBS_OUT_SLEEPS);
  fake_switch (f, t + 405 * US, READER, 0, BBS_IN);
  fake_switch (f, t + 455 * US, READER, 0, BBS_OUT_SLEEPS);
  fake_switch (f, t + 500 * US, WORKER, 0, BBS_IN);
  if (n % 4 == 3)
    fake_switch (f, t + 520 * US, SPINNER, 1, BBS_OUT_READY);
  fake_look (f, t + 700 * US, MAIN, 'S', BBS_WHY_LOCK, SYS_futex, 300 * US + n * 400 * US, 0);
  fake_look (f, t + 710 * US, READER, 'S', BBS_WHY_PIPE, SYS_read, n * 50 * US, 205 * US);
  if (n % 4 == 3)
    fake_switch (f, t + 800 * US, SPINNER, n % 8 == 7 ? 0 : 1, BBS_IN);
  if (n % 8 == 7)
    {
      fake_switch (f, t + 900 * US, SPINNER, 0, BBS_OUT_READY);
      fake_switch (f, t + 930 * US, SPINNER, 1, BBS_IN);
    }
}

static void
add_stacks (struct timeline *t)
{
  static const struct timeline_node nodes[] = { { 0, NULL },
                                                { 0, NULL },
                                                { 1, "main" },
                                                { 2, "render" },
                                                { 3, "draw_lines(std::vector<int> const&)" },
                                                { 0, NULL },
                                                { 5, "start_thread" },
                                                { 6, "work" },
                                                { 7, "[futex]" },
                                                { 0, NULL },
                                                { 9, "spin" } };
  static struct bbs_sample main_samples[20], worker_samples[20], spinner_samples[20];
  ck_assert (timeline_set_stacks (t, nodes, sizeof nodes / sizeof *nodes));
  for (unsigned i = 0; i < 20; i++)
    {
      main_samples[i] = (struct bbs_sample) { i * MS + 200 * US, 3 + i % 2, 1, 0, 0, 0 };
      worker_samples[i] = (struct bbs_sample) {
        i * MS + 800 * US, i % 3 ? 7 : 8, 1, i % 3 ? 0 : BBS_SLEEPS, 0, 0
      };
      spinner_samples[i] = (struct bbs_sample) { i * MS + 400 * US, 10, 1, 1, 0, 0 };
    }
  ck_assert (timeline_add_samples (t, 1, main_samples, 20)
             && timeline_add_samples (t, 2, worker_samples, 20)
             && timeline_add_samples (t, 3, spinner_samples, 20));
}

void
fake_timeline (struct timeline *t)
{
  struct fake f;
  fake_begin (&f);
  add_births (&f);
  for (unsigned n = 1; n < 20; n++)
    {
      if (n == 16)
        fake_switch (&f, 16 * MS, 7, 1, BBS_GAP);
      add_round (&f, n);
    }
  fake_switch (&f, 19 * MS + 940 * US, READER, 0, BBS_IN);
  fake_switch (&f, 19 * MS + 950 * US, READER, 0, BBS_DIED);
  fake_mark (&f, 20 * MS, MAIN, "end");
  fake_sampled (&f, 1, MAIN, 0, 0, 8 * MS, "main");
  fake_sampled (&f, 2, WORKER, 110 * US, 0, 10 * MS, "worker");
  fake_sampled (&f, 3, SPINNER, 160 * US, 0, 19 * MS, "spinner");
  fake_sampled (&f, 4, READER, 210 * US, 19 * MS + 945 * US, 1 * MS, "reader");
  fake_make (t, &f);
  t->program = "example";
  t->lost = 7;
  add_stacks (t);
}
