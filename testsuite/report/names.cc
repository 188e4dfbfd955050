// SPDX-License-Identifier: GPL-3.0-or-later
// Names that must be demangled: templates, lambdas, operators, an unnamed namespace; virtual calls,
// exceptions.
#include <map>
#include <string>
#include <vector>
#include <algorithm>
#include <functional>
#include <cstdio>
namespace ns { template<class T, int N> struct Box { T v[N];
 __attribute__((noinline)) T sum() const { T s{}; for (auto &x : v) s += x; return s; }
 template<class U> __attribute__((noinline)) U as(U u) { return u + (U)sum(); }
 operator bool() const { return v[0] != T(); } }; }
struct Base { virtual ~Base(){} virtual int f(int) = 0; };
struct D1 : Base { int f(int x) override { return x <= 0 ? 0 : g(x-1)+1; }
 __attribute__((noinline)) int g(int x){ return f(x-1); } };
static __attribute__((noinline)) int stat(int x) { return x * 3; }
namespace { __attribute__((noinline)) int anon(std::string s) { return s.size() + stat(3); } }
extern "C" __attribute__((noinline)) int cfun(int x) { return stat(x); }
int main() {
  ns::Box<int,4> b{{1,2,3,4}}; ns::Box<double,2> d{{1,2}};
  std::map<std::string,int> m;
  for (int i = 0; i < 2000; i++)
    m[std::to_string(i * 7919 % 1000)] += b.as<long>(i) + d.as<float>(1);
  std::vector<int> v; for (auto &p : m) v.push_back(p.second);
  std::sort(v.begin(), v.end(), [](int a, int b){ return a > b; });
  std::function<int(int)> fn = [&](int x){ return x ? fn(x-1) + cfun(x) : anon("x"); };
  D1 o; Base *p = &o; long s = 0; for (int i = 0; i < 100; i++) s += fn(20) + p->f(30);
  try { if (s) throw std::string("x"); } catch (std::string &e) { s++; }
  printf("%ld %d\n", s, v[0]);
}
