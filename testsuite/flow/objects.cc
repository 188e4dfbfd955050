// SPDX-License-Identifier: GPL-3.0-or-later
/* C++ calls: virtual ones, with multiple and virtual base classes, so that thunks adjust `this';
   through pointers to members, lambdas, std::function, templates of the library; constructors
   and destructors, of objects that exist before main and behind it. */
#include "places.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

static volatile int sink;

APART void
note (int n)
{
  AT (noted);
  sink = n;
}

struct shape
{
  virtual ~shape () {}
  virtual int area () const = 0;
  virtual shape *copy () const = 0;
  virtual int edges () const { return 0; }
};

struct named
{
  int number = 3;
  virtual ~named () {}
  virtual int name () const = 0;
  virtual named *self () { return this; }
};

struct base
{
  int value = 4;
  virtual ~base () {}
  virtual int twice (int n) = 0;
};

struct square : shape, named
{
  int side;
  explicit square (int side) : side (side) {}
  ~square () override;
  int area () const override;
  square *copy () const override;
  int name () const override;
  square *self () override;
};

struct circle : named, shape
{
  ~circle () override;
  int area () const override;
  circle *copy () const override;
  int name () const override;
  int edges () const override;
};

struct left : virtual base
{
  int twice (int n) override;
};

struct right : virtual base
{
  int more = 5;
};

struct both : right, left
{
  int most = 6;
  int twice (int n) override;
};

APART square::~square ()
{
  FROM (virtual_calls);
  note (side);
}

int
square::area () const
{
  FROM (areas);
  return side * side;
}

square *
square::copy () const
{
  FROM (copies);
  return new square (side + 1);
}

int
square::name () const
{
  FROM (names);
  note (side);
  return number;
}

square *
square::self ()
{
  FROM (names);
  return this;
}

APART circle::~circle () { AT (circle_gone); }

int
circle::area () const
{
  FROM (areas);
  if (number == 3)
    AT (circle_three);
  return 7;
}

circle *
circle::copy () const
{
  FROM (copies);
  return new circle;
}

int
circle::name () const
{
  FROM (names);
  return number;
}

int
circle::edges () const
{
  FROM (areas);
  return 1;
}

int
left::twice (int n)
{
  FROM (bases);
  return 2 * n + value;
}

int
both::twice (int n)
{
  FROM (bases);
  note (most + n);
  return n;
}

APART int
areas (const shape *s)
{
  AT (areas);
  int sum = s->area () + s->edges ();
  AT (areas_behind);
  return sum;
}

APART shape *
copies (const shape *s)
{
  AT (copies);
  shape *result = s->copy ();
  AT (copies_behind);
  note (1);
  return result;
}

APART int
names (named *n)
{
  AT (names);
  int sum = n->self ()->name ();
  AT (names_behind);
  return sum;
}

APART int
bases (base *b, int n)
{
  AT (bases);
  return b->twice (n) + 1;
}

APART void
virtual_calls (int rounds)
{
  for (int i = 0; i < rounds; i++)
    {
      AT (virtual_calls);
      square s (i);
      circle c;
      left l;
      both b;
      note (areas (&s) + areas (&c) + names (&s) + names (&c));
      note (bases (&l, i) + bases (&b, i) + bases (static_cast<left *> (&b), i));
      if (i % 3 == 0)
        {
          AT (virtual_copies);
          std::unique_ptr<shape> first (copies (&s)), second (copies (&c));
          note (areas (first.get ()) + areas (second.get ()));
          note (first->edges ());
          first.release (); // the library's template calls the destructors of these
          second.release ();
        }
      AT (virtual_calls_end);
    }
}

struct actor
{
  int state = 0;
  APART int act (int n)
  {
    FROM (members);
    return state += n;
  }
  APART virtual int react (int n)
  {
    FROM (members);
    note (n);
    return state -= n;
  }
};

struct late_actor : actor
{
  APART int react (int n) override
  {
    FROM (members);
    return state = n;
  }
};

APART void
members (actor *who, int (actor::*what) (int), int times)
{
  for (int i = 0; i < times; i++)
    {
      AT (members);
      note ((who->*what) (i));
    }
}

APART int
apply_to (const std::function<int (int)> &f, int n)
{
  AT (apply);
  return f (n) + 1;
}

APART void
functions ()
{
  int calls = 0;
  std::function<int (int)> count = [&calls] (int n) {
    AT (counted);
    return calls += n;
  };
  for (int i = 0; i < 5; i++)
    {
      AT (functions);
      note (apply_to (count, i));
    }
  std::vector<int> numbers = { 5, 2, 9, 1, 7, 7, 3 };
  std::sort (numbers.begin (), numbers.end (), [] (int a, int b) {
    AT (compared);
    return a > b;
  });
  std::for_each (numbers.begin (), numbers.end (), [] (int n) {
    AT (each);
    note (n);
  });
  std::map<int, int> tree;
  for (int n : numbers)
    {
      AT (inserted);
      tree[n]++;
    }
  AT (functions_end);
  note (tree.size ());
}

template <int n>
APART int
template_of (int value)
{
  AT (template_of);
  if (value > n)
    {
      AT (template_more);
      note (value);
    }
  return value - n;
}

struct global
{
  APART global ()
  {
    AT (global_made);
    note (1);
  }
#ifndef main /* a library that stays is left when the profile has been written */
  APART ~global ()
  {
    FROM (outside);
    note (2);
  }
#endif
};
static global there;

APART int
local_static ()
{
  FROM (main);
  static int once = (note (3), template_of<9> (10));
  AT (local_static);
  return once;
}

int
main (int, char **)
{
  AT (main);
  virtual_calls (10);
  actor first;
  late_actor second;
  members (&first, &actor::act, 3);
  members (&first, &actor::react, 4);
  members (&second, &actor::react, 5);
  members (&second, &actor::act, 6);
  functions ();
  note (template_of<1> (3) + template_of<2> (1) + template_of<2> (5));
  for (int i = 0; i < 4; i++)
    {
      AT (main_loop);
      note (local_static ());
    }
  AT (main_end);
  return 0;
}
