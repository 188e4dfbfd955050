// SPDX-License-Identifier: GPL-3.0-or-later
// Two functions; prints how long each has run: nanoseconds of CPU time.
function alpha(n) { let x = 0; for (let i = 0; i < n; i++) x = (x * 31 + i) | 0; return x; }
function beta(n) { let x = 1; for (let i = 0; i < n; i++) x = (x ^ (x << 3)) + i | 0; return x; }
const took = { alpha: 0, beta: 0 };
function timed(f, n) {
  const begin = process.cpuUsage();
  for (let i = 0; i < 20; i++)
    f(n);
  const { user, system } = process.cpuUsage(begin);
  took[f.name] += 1000 * (user + system);
}
while (took.alpha < 1e6 * Number(process.argv[2])) {
  timed(alpha, 2000000);
  timed(beta, 4000000);
}
for (const name in took)
  console.log(name, took[name]);
