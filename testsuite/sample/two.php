<?php
// SPDX-License-Identifier: GPL-3.0-or-later
// Two functions; prints how long each has run: nanoseconds of CPU time.
function alpha($n) {
  $x = 0;
  for ($i = 0; $i < $n; $i++)
    $x = ($x * 31 + $i) & 0xffffff;
  return $x;
}

function beta($n) {
  $x = 1;
  for ($i = 0; $i < $n; $i++)
    $x = (($x ^ ($x << 3)) + $i) & 0xffffff;
  return $x;
}

function now() {
  $used = getrusage();
  return 1000000000 * ($used["ru_utime.tv_sec"] + $used["ru_stime.tv_sec"])
    + 1000 * ($used["ru_utime.tv_usec"] + $used["ru_stime.tv_usec"]);
}

$took = ["alpha" => 0, "beta" => 0];
while ($took["alpha"] < 1000000 * $argv[1]) {
  $begin = now();
  for ($i = 0; $i < 20; $i++)
    alpha(200000);
  $middle = now();
  for ($i = 0; $i < 20; $i++)
    beta(100000);
  $took["alpha"] += $middle - $begin;
  $took["beta"] += now() - $middle;
}
foreach ($took as $name => $nanoseconds)
  echo "$name $nanoseconds\n";
