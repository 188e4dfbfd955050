// SPDX-License-Identifier: GPL-3.0-or-later
/* Hard cases of C++: exceptions and their landing pads, virtual functions and thunks, functions
   that several units share, guards, constructors before main, threads.  Prints its results; the
   output of the plain program is the right one. */
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct R
{
  int &n;
  R (int &x) : n (x)
  {
    n++;
  }
  ~R ()
  {
    n--;
    if (n < 0)
      std::puts ("neg");
  }
};
template <class T>
__attribute__ ((noinline)) T
rec (T n, int &live)
{
  R r (live);
  if (n > 5)
    throw std::runtime_error ("deep" + std::to_string (n));
  if (n == 4)
    throw n;
  return rec<T> (n + 1, live) + 1;
}
__attribute__ ((noinline)) int
tryit (int n, int &live)
{
  try
    {
      R r (live);
      return rec (n, live);
    }
  catch (int e)
    {
      return e * 10;
    }
  catch (const std::exception &e)
    {
      return (int)e.what ()[4];
    }
}
struct B
{
  virtual ~B ()
  {
  }
  virtual int f (int) = 0;
};
struct M
{
  virtual int
  g (int x)
  {
    return x + 1;
  }
  int pad;
};
struct D : M, B
{
  int
  f (int x) override
  {
    if (x > 2)
      return x;
    return g (x);
  }
  int
  g (int x) override
  {
    return x * 3;
  }
};
__attribute__ ((noinline)) int
call (B *b, int x)
{
  return b->f (x);
}
inline int
shared (int x)
{
  static int c;
  int s = 0;
  for (int i = 0; i < x; i++)
    if (i & 1)
      s += i;
  return s + c++;
}
int
noexc (int x) noexcept
{
  std::vector<int> v;
  for (int i = 0; i < x; i++)
    v.push_back (i);
  int s = 0;
  for (int y : v)
    s += y;
  return s;
}
struct G
{
  int x = noexc (4);
  G ()
  {
    if (x > 2)
      x++;
  }
  ~G ()
  {
    std::printf ("~G %d\n", x);
  }
} g;
int
main ()
{
  int live = 0;
  for (int i = 0; i < 9; i++)
    std::printf ("%d ", tryit (i, live));
  std::printf ("%d\n", live);
  D d;
  std::printf ("%d %d %d\n", call (&d, 1), call (&d, 5), shared (9));
  std::map<std::string, int> m;
  for (int i = 0; i < 50; i++)
    m[std::to_string (i * 7 % 13)] += i;
  for (auto &p : m)
    std::printf ("%s=%d ", p.first.c_str (), p.second);
  std::puts ("");
  int a[4] = {};
  std::vector<std::thread> t;
  for (int i = 0; i < 4; i++)
    t.emplace_back ([&a, i] {
      for (int k = 0; k < 1000; k++)
        a[i] += k & 3 ? k : -k;
    });
  for (auto &x : t)
    x.join ();
  std::printf ("%d\n", a[0] + a[1] + a[2] + a[3]);
  auto f = [&] (int k) { return k ? m.begin ()->second : 7; };
  std::function<int (int)> h = f;
  std::printf ("%d\n", h (1) + h (0));
  return 0;
}
