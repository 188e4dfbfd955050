// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions, destructors, virtual functions, strings, streams; steps.c executes them.
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "steps.h"

static volatile long sink = 1;

struct counted {
  ~counted () { sink = sink + 1; }
};

struct shape {
  virtual ~shape () = default;
  virtual long area (long) const = 0;
};

struct square : shape {
  long area (long n) const override { return n * n; }
};

static void __attribute__ ((noinline))
thrower (long n)
{
  counted a;
  if (n == 0)
    throw std::runtime_error ("deep");
  thrower (n - 1);
  sink = sink + n;
}

static void __attribute__ ((noinline))
catcher ()
{
  try
    {
      thrower (3);
    }
  catch (const std::exception &e)
    {
      sink = sink + e.what ()[0];
    }
}

void
subject ()
{
  std::map<std::string, int> words;
  for (const char *word : { "a", "bb", "a", "ccc" })
    words[word]++;
  std::vector<std::function<long (long)> > functions { [] (long n) { return n + sink; },
                                                       [] (long n) { return n * 2; } };
  for (auto &function : functions)
    sink = sink + function (3);
  std::unique_ptr<shape> some = std::make_unique<square> ();
  std::ostringstream out;
  out << some->area (4) << ' ' << 1.5;
  sink = sink + (long) out.str ().size () + (long) words.size ();
  catcher ();
}
