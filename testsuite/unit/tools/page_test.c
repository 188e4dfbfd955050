/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the parts of a text page: shortened names, tables. */
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/unit.h"
#include "tools/arguments/name_pattern.h"
#include "tools/view/columns.h"
#include "tools/view/short_name.h"

/* Names.  */

static void
expect_short (const char *name, size_t width, const char *should)
{
  char *is = short_name (name, width);
  ck_assert_str_eq (is, should);
  free (is);
}

START_TEST (names_that_fit)
{
  expect_short ("main", 8, "main");
  expect_short ("a<int>(b)", 9, "a<int>(b)");
  expect_short ("", 8, "");
}
END_TEST

START_TEST (folded_names)
{
  expect_short ("std::map<int, std::vector<int>>::at(int)", 24, "std::map<...>::at(int)");
  expect_short ("std::map<int, std::vector<int>>::at(unsigned)", 22, "std::map<...>::at(...)");
  expect_short ("a_very_long_name(int, int)", 21, "a_very_long_name(...)");
  expect_short ("a::(anonymous namespace)::b", 20, "a::(...)::b");
}
END_TEST

START_TEST (operators)
{
  expect_short ("bool operator< <int, 12>(a const&)", 30, "bool operator< <...>(a const&)");
  expect_short ("x<unsigned>::operator()(long, long) const", 30, "x<...>::operator()(...) const");
}
END_TEST

/* The function's own name is the last to be cut. */
START_TEST (scopes)
{
  expect_short ("outer::middle::Inner<int>::method(int, char) const", 30, "...::method(...) const");
  expect_short ("a_namespace::another_one::thing::run", 24, "...::thing::run");
  expect_short ("std::vector<int> a_namespace::a_class<int>::make<long>(int)", 30,
                "...::make<...>(int)");
  expect_short ("a_namespace::a_class::operator()(int) const", 28, "...::operator()(int) const");
  expect_short ("    a_namespace::another_one::thing::run", 28, "    ...::thing::run");
  expect_short ("                                a_namespace::thing::run", 32,
                "        a_namespace::thing::run");
  expect_short ("a_namespace::a_function_with_a_very_long_name", 20, "a_functio...ong_name");
}
END_TEST

START_TEST (cut_names)
{
  expect_short ("abcdefghijklmnop", 9, "abc...nop");
  expect_short ("abcdefghijklmnop", 10, "abcd...nop");
  expect_short ("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4", 8,
                "\u00e4\u00f6\u00fc...\u00fc\u00e4");
}
END_TEST

START_TEST (names_that_users_give)
{
  static const char name[] = "std::enable_if<true, int>::type ns::list<std::pair<int, long> "
                             ">::push<int>(int const&) const";
  ck_assert (pattern_match ("ns::list::push", "_Zx", name) == PATTERN_EXACT);
  ck_assert (pattern_match ("ns::*::push", "_Zx", name) == PATTERN_GLOB);
  ck_assert (pattern_match ("_Zx", "_Zx.part.0", name) == PATTERN_EXACT);
  static const char spoken[] = "f.<locals>.<lambda>", shown[] = "f.<locals>.<lambda> (a.py:3)";
  ck_assert (pattern_match_spoken (spoken, shown, spoken) == PATTERN_EXACT);
  ck_assert (pattern_match_spoken (shown, shown, spoken) == PATTERN_EXACT);
  ck_assert (pattern_match_spoken ("f.*", shown, spoken) == PATTERN_GLOB);
  ck_assert (pattern_match_spoken ("<lambda>", shown, spoken) == PATTERN_LAST);
  ck_assert (pattern_match_spoken ("<=>", "A#<=> (a.rb:3)", "A#<=>") == PATTERN_LAST);
  ck_assert (pattern_match_spoken ("f", shown, spoken) == PATTERN_NOT);
  ck_assert (pattern_match (name, "_Zx", name) == PATTERN_EXACT);
  ck_assert (pattern_match ("push", "_Zx", name) == PATTERN_LAST);
  ck_assert (pattern_match ("type", "_Zx", name) == PATTERN_NOT);
  ck_assert (pattern_match ("pu*", "_Zx", name) == PATTERN_LAST);
  ck_assert (pattern_match ("operator<", "_Zx", "bool a::operator<(a const&)") == PATTERN_LAST);
  ck_assert (pattern_match ("run", "_Zx", "(anonymous namespace)::box<std::pair<int, int> >::run()")
             == PATTERN_LAST);
  ck_assert (pattern_match ("operators", "_Zx", "a::operators::f()") == PATTERN_NOT);
  ck_assert (pattern_match ("long", "_Zx", "long") == PATTERN_EXACT);
  ck_assert (pattern_match ("sum", "_Zx", "long sum<long>(long)") == PATTERN_EXACT);
  ck_assert (pattern_match ("a::operator<", "_Zx", "bool a::operator<(a const&)") == PATTERN_EXACT);
  ck_assert (pattern_match ("*::operator()", "_Zx", "main::{lambda(int)#1}::operator()(int) const")
             == PATTERN_GLOB);
  ck_assert (
      pattern_match ("(anonymous namespace)::f", "_Zx", "int (anonymous namespace)::f<int>(int)")
      == PATTERN_EXACT);
}
END_TEST

/* Tables.  */

static const struct column head[] = { { .title = "n" },
                                      { .title = "not known" },
                                      { .title = "name", .left = true, .gives = true } };

static void
expect_table (size_t room, bool colour, const char *should)
{
  struct style style = { .colour = colour, .columns = room };
  struct columns c;
  char *text;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  columns_open (&c, head, 3);
  columns_add (&c, "%d", 7);
  columns_add (&c, COLUMNS_NOTHING);
  columns_add (&c, "one");
  columns_add (&c, "%d", 12345);
  columns_add (&c, "%s", "");
  columns_add (&c, "a name of thirty-five columns at all");
  ck_assert (columns_print (&c, out, &style));
  columns_free (&c);
  fclose (out);
  ck_assert_str_eq (text, should);
  free (text);
}

START_TEST (tables)
{
  expect_table (0, false, "    n  name\n    7  one\n12345  a name of thirty-five columns at all\n");
  expect_table (30, false, "    n  name\n    7  one\n12345  a name of ...mns at all\n");
  expect_table (8, false, "    n  name\n    7  one\n12345  a name ...at all\n");
  expect_table (
      0, true,
      "\033[1m    n  name\033[0m\n    7  one\n12345  a name of thirty-five columns at all\n");
}
END_TEST

int
main (void)
{
  const struct unit_test tests[]
      = { { names_that_fit }, { folded_names },          { operators }, { scopes },
          { cut_names },      { names_that_users_give }, { tables } };
  return unit_run (UNIT_SUITE ("page", UNIT_CASE (tests)));
}
