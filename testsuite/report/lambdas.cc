// SPDX-License-Identifier: GPL-3.0-or-later
// C++ whose debug information is hard to read: functions without a linker's name (lambdas, extern
// "C", local classes) inlined into each other, templates, many headers, code moved to other
// sections.
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

extern "C" int plain (int x) { return x * 7; }
extern "C" { static inline int inlined (int x) { return x * x + 3; } }

template <class T> struct Box {
  T value;
  T more () const { return value + T (1); }
};

namespace {
struct Local {
  int twice (int x)
  {
    auto lambda = [x] (int y) { return x * y + inlined (y); };
    return lambda (x + 1);
  }
};
}

int
main (int argc, char **argv)
{
  std::map<std::string, int> numbers;
  std::vector<std::function<int (int)>> functions;
  Local local;
  int sum = 0;
  for (int i = 0; i < argc + 100; i++)
    numbers[std::to_string (i)] = i;
  functions.push_back ([&] (int x) { return plain (x) + Box<int>{ x }.more (); });
  for (auto &f : functions)
    sum += f (local.twice (argc));
  sum += std::regex_match (argv[0], std::regex ("a[bc]+d"));
  std::cout << sum << numbers.size () << Box<double>{ 1.5 }.more () << std::endl;
  return 0;
}
