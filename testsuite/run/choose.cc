// SPDX-License-Identifier: GPL-3.0-or-later
// See choose.test.  Every function is called by its own name and number of times; each calls leaf
// once.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

extern "C" void plain (int);

static int sum;

[[gnu::noinline]] static void
leaf ()
{
  asm volatile ("" : "+m"(sum));
}

#define BODY           \
  {                    \
    leaf ();           \
    asm volatile (""); \
  }

namespace ns
{
struct cls {
  [[gnu::noinline]] void f (int) BODY
  [[gnu::noinline]] void f (const char *) BODY
  [[gnu::noinline]] void constant () const BODY
  [[gnu::noinline]] void operator() (int) BODY
};
[[gnu::noinline]] void g () BODY
template<class T>
[[gnu::noinline]] void t (T) BODY
}

[[gnu::noinline]] void plain (int) BODY

int
main (int argc, char **argv)
{
  ns::cls object;
  object.f (1);
  object.f ("");
  object.constant ();
  object (1);
  ns::g ();
  ns::t (1);
  ns::t ('c');
  plain (1);
  if (argc > 1)
    {
      void *library = dlopen (argv[1], RTLD_NOW);
      if (!library)
        return puts (dlerror ());
      reinterpret_cast<void (*) ()> (dlsym (library, "late")) ();
    }
  return 0;
}
