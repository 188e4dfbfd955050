#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# counts.pl GMON: its arcs and block counts, one on a line, without the samples.
use strict;
use warnings;

open my $in, '<:raw', $ARGV[0] or die "$ARGV[0]: $!";
my $data = do { local $/; <$in> };
my $at = 20;
die "no gmon.out" if substr ($data, 0, 4) ne 'gmon';
while ($at < length $data) {
  my $tag = ord substr $data, $at++, 1;
  if ($tag == 0) {
    $at += 40 + 2 * unpack 'L', substr $data, $at + 16, 4;
  } elsif ($tag == 1) {
    printf "arc %x %x %d\n", unpack 'QQL', substr $data, $at, 20;
    $at += 20;
  } elsif ($tag == 2) {
    my $n = unpack 'L', substr $data, $at, 4;
    $at += 4;
    printf "block %x %d\n", unpack 'QQ', substr $data, $at + 16 * $_, 16 for 0 .. $n - 1;
    $at += 16 * $n;
  } else {
    die "unknown tag $tag";
  }
}
