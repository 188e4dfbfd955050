/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which sampler is chosen, as a table: what the user asks for, which samplers work,
   which one runs.  The samplers are fakes that return what the test sets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sample/policy.h"
#include "runtime/sample/sample.h"
#include "testsuite/unit/unit.h"

/* The samplers' abilities in a case: i itimer, t thread, T ticker, p perf; a letter in REFUSE
   refuses, one in FAIL does not start. */
static const char *refuse, *fail;
static char started[8];
static unsigned promise;

#define FAKE(name_, letter, cpu, wall)                                                           \
  static const char *letter##_refuses (enum bbp_clock clock, unsigned rate)                      \
  {                                                                                              \
    (void) clock, (void) rate;                                                                   \
    return strchr (refuse, #letter[0]) ? "may not" : NULL;                                       \
  }                                                                                              \
  static unsigned letter##_start (enum bbp_clock clock, unsigned rate)                           \
  {                                                                                              \
    (void) clock;                                                                                \
    strcat (started, #letter);                                                                   \
    return strchr (fail, #letter[0]) ? 0 : promise ? promise : rate;                             \
  }                                                                                              \
  static const struct bbp_sampler letter##_fake = {                                              \
    .name = name_, .clocks = { cpu, wall }, .refuses = letter##_refuses, .start = letter##_start \
  };
FAKE ("itimer", i, true, false)
FAKE ("thread", t, true, true)
FAKE ("ticker", T, false, true)
FAKE ("perf", p, true, false)
static const struct bbp_sampler *const fakes[BBP_SAMPLERS] = {
  [BBP_ITIMER] = &i_fake, [BBP_THREAD] = &t_fake, [BBP_TICKER] = &T_fake, [BBP_PERF] = &p_fake
};

static bool
always (const struct bbp_sampler *sampler)
{
  (void) sampler;
  return true;
}

static const struct {
  const char *name;
  enum bbp_clock clock;
  unsigned rate, promise;
  const char *refuse, *fail;
  const char *runs; /* its name, or "" */
  enum bbp_clock kept;
  const char *started; /* letters, in this order */
  const char *news;    /* "" : none */
  bool only;
} cases[] = {
#define CPU BBP_CLOCK_CPU
#define WALL BBP_CLOCK_WALL
  { "auto", CPU, 100, 0, "", "", "thread", CPU, "t", "", false },
  { "auto", CPU, 250, 0, "", "", "thread", CPU, "t", "", false },
  { "auto", CPU, 251, 0, "", "", "perf", CPU, "p", "", false },
  { "auto", CPU, 10000, 0, "p", "", "thread", CPU, "t", "", false },
  { "auto", CPU, 10000, 250, "p", "", "thread", CPU, "t",
    "sampler=auto: perf may not; thread instead, 250 a second", false },
  { "auto", CPU, 250, 0, "t", "", "itimer", CPU, "i", "", false },
  { "auto", CPU, 250, 0, "ti", "", "perf", CPU, "p", "", false },
  { "auto", CPU, 250, 0, "", "t", "itimer", CPU, "ti", "", false },
  { "auto", CPU, 250, 0, "tip", "", "", CPU, "", "sampler=auto: thread may not; nothing is sampled",
    false },
  { "auto", WALL, 250, 0, "", "", "ticker", WALL, "T", "", false },
  { "auto", WALL, 250, 0, "T", "", "thread", WALL, "t", "", false },
  { "auto", WALL, 250, 0, "Tt", "", "itimer", CPU, "i",
    "sampler=auto: ticker may not; itimer instead, 250 a second of CPU time", false },
  { "itimer", CPU, 250, 0, "", "", "itimer", CPU, "i", "", false },
  { "itimer", CPU, 1000, 250, "", "", "itimer", CPU, "i",
    "sampler=itimer: 250 samples a second, the most that itimer takes here", false },
  { "itimer", WALL, 250, 0, "", "", "ticker", WALL, "T",
    "sampler=itimer: itimer cannot sample wall time; ticker instead, 250 a second", false },
  { "thread", WALL, 250, 0, "", "", "thread", WALL, "t", "", false },
  { "thread", CPU, 250, 0, "t", "", "itimer", CPU, "i",
    "sampler=thread: thread may not; itimer instead, 250 a second", false },
  { "ticker", CPU, 250, 0, "", "", "thread", CPU, "t",
    "sampler=ticker: ticker cannot sample CPU time; thread instead, 250 a second", false },
  { "perf", CPU, 250, 0, "", "p", "thread", CPU, "pt",
    "sampler=perf: perf cannot be started; thread instead, 250 a second", false },
  { "perf", WALL, 250, 0, "", "", "ticker", WALL, "T",
    "sampler=perf: perf cannot sample wall time; ticker instead, 250 a second", false },
  { "best", CPU, 250, 0, "", "", "thread", CPU, "t",
    "sampler=best: there is no such sampler; thread instead, 250 a second", false },
  { "auto", CPU, 251, 0, "p", "", "thread", CPU, "t", "", true },
  { "auto", WALL, 250, 0, "Tt", "", "", WALL, "", "sampler=auto: ticker may not", true },
  { "ticker", CPU, 250, 0, "", "", "", CPU, "", "sampler=ticker: ticker cannot sample CPU time",
    true },
  { "perf", CPU, 250, 0, "", "p", "", CPU, "p", "sampler=perf: perf cannot be started", true },
  { "best", CPU, 250, 0, "", "", "", CPU, "", "sampler=best: there is no such sampler", true },
};

START_TEST (choices)
{
  struct bbp_wish wish = { cases[_i].name, cases[_i].clock, cases[_i].rate, 250, cases[_i].only };
  struct bbp_news news = { "", "" };
  char line[256] = "";
  refuse = cases[_i].refuse;
  fail = cases[_i].fail;
  promise = cases[_i].promise;
  *started = '\0';
  struct bbp_choice choice = bbp_policy_start (&wish, fakes, always);
  if (bbp_policy_news (&wish, &choice, &news))
    snprintf (line, sizeof line, "%s: %s", news.subject, news.text);
  ck_assert_str_eq (choice.sampler ? choice.sampler->name : "", cases[_i].runs);
  ck_assert_str_eq (started, cases[_i].started);
  ck_assert_str_eq (line, cases[_i].news);
  if (choice.sampler)
    {
      ck_assert_int_eq (choice.clock, cases[_i].kept);
      ck_assert_uint_eq (choice.rate, promise ? promise : cases[_i].rate);
    }
}
END_TEST

/* The first tick comes at random within the interval: for CPU time at a multiple of the kernel's
   tick. */
START_TEST (first_ticks)
{
  uint64_t kernel = 1000000000 / bbp_sampler_kernel_rate (), sum = 0;
  for (int i = 0; i < 1000; i++)
    {
      uint64_t first = bbp_sampler_first (BBP_CLOCK_WALL, 100);
      ck_assert_uint_ge (first, 1);
      ck_assert_uint_le (first, 10000000);
      sum += first;
      ck_assert_uint_eq (bbp_sampler_first (BBP_CLOCK_CPU, bbp_sampler_kernel_rate ()), 1);
      ck_assert_uint_eq (bbp_sampler_first (BBP_CLOCK_CPU, 1) % kernel, 1);
      ck_assert_uint_le (bbp_sampler_first (BBP_CLOCK_CPU, 1), 1000000000);
    }
  ck_assert_uint_gt (sum / 1000, 4000000);
  ck_assert_uint_lt (sum / 1000, 6000000);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { choices, .times = sizeof cases / sizeof *cases }, { first_ticks } };
  return unit_run (UNIT_SUITE ("policy", UNIT_CASE (tests)));
}
