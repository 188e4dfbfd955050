// SPDX-License-Identifier: GPL-3.0-or-later
// For debug.test: many kinds of statements with lines, in one thread and without output.
#include <vector>

static int volatile sink;

static int
leaf (int x)
{
  int y = x * 3;
  if (y > 10)
    y -= 7;
  else
    y += 2;
  return y;
}

static int
chosen (int x)
{
  switch (x)
    {
    case 0:
      return leaf (1);
    case 1:
      x += 4;
      break;
    case 2:
    case 3:
      x ^= 9;
      break;
    default:
      x = x > 5 && x < 8 ? leaf (x) : -x;
    }
  return x;
}

static int
recursive (int n)
{
  if (n < 2)
    return n;
  return recursive (n - 1)
         + recursive (n - 2);
}

struct guarded
{
  guarded (int n) : n (n) { sink = n; }
  ~guarded () { sink = -n; }
  virtual int value (int x) { return x + n; }
  int n;
};

struct other : guarded
{
  using guarded::guarded;
  int value (int x) override
  {
    if (x == 3)
      throw x;
    return x - n;
  }
};

static int
caught (guarded *object, int x)
{
  guarded local (x);
  try
    {
      return object->value (x);
    }
  catch (int thrown)
    {
      return thrown * 2;
    }
}

template <class T> static T
summed (const std::vector<T> &values)
{
  T sum {};
  for (T value : values)
    sum += value;
  return sum;
}

static void __attribute__ ((noinline))
after_exceptions ()
{
  sink = 0;
}

int
main ()
{
  std::vector<int> values;
  for (int i = 0; i < 9; i++)
    values.push_back (chosen (i));
  sink = summed (values);
  sink = recursive (5);
  other object (4);
  for (int i = 1; i < 5; i++)
    sink = caught (&object, i);
  after_exceptions ();
  int i = 0;
  do
    if (i % 3 == 0)
      continue;
    else
      sink = i;
  while (++i < 7);
  while (i > 0)
    {
      if (i == 2)
        goto out;
      i--;
    }
out:
  return 0;
}
