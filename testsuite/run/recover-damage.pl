#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# recover-damage.pl BBPROF FILE ROUNDS: recovers copies of the live file FILE that are cut short or have changed bytes and words, in
# heads and contents.  Each time that ends soon, with a profile or with one line.
use strict;
use warnings;

my ($bbprof, $file, $rounds) = @ARGV;
srand 7;
open my $in, '<:raw', $file or die "$file: $!";
my $whole = do { local $/; <$in> };
my @slices = grep { substr ($whole, $_, 8) eq "bbplive\n" } map { 4096 * $_ } 0 .. length ($whole) / 4096 - 1;
my @words = (0, 1, 7, 31, 4096, 1 << 31, 1 << 32, 1 << 47, -1, -4096, -1 << 31, -1 << 63);

sub damage {
  my ($data) = @_;
  my $kind = int rand 4;
  return substr $data, 0, rand length $data if $kind == 0;
  for (0 .. rand 3) {
    my $slice = $slices[rand @slices];
    # Heads, and what says how many there are, is at the beginning of slices.
    my $at = $kind == 1 ? $slice + 8 * int rand 8 : $kind == 2 ? $slice + 64 + 8 * int rand 32 : 8 * int rand (length ($data) / 8);
    next if $at + 8 > length $data;
    if (rand () < .5) {
      substr ($data, $at, 8) = pack 'q', $words[rand @words];
    } else {
      vec ($data, 8 * $at + int rand 64, 1) ^= 1;
    }
  }
  return $data;
}

my ($good, $bad) = (0, 0);
for my $round (1 .. $rounds) {
  open my $out, '>:raw', 'gmon.out.999999.live' or die;
  print $out damage ($whole);
  close $out;
  my $said = `ulimit -f 200000; timeout 10 '$bbprof' recover -o damaged.out gmon.out.999999.live 2>&1`;
  my $status = $? >> 8;
  die "round $round: status $status: $said\n" if $status > 1 || $said =~ /signal/ || $said !~ /^([^\n]+\n){1,2}$/;
  $status ? $bad++ : $good++;
  unlink 'gmon.out.999999.live';
}
die "all $rounds are $good, $bad\n" unless $good && $bad;
print "$good recovered, $bad refused\n";
