#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# gmon.pl PROGRAM SEED [BLOCKS]: writes a random profile of PROGRAM to stdout: other counts than any run would give, and cases
# that runs seldom have (no time, no calls, huge counts, zero counts, odd bins, repeated records, blocks, no caller).
# With BLOCKS it has so many block records, of few different counts.
# The same seed gives the same bytes.
use strict;
use warnings;

my ($program, $seed, $blocks) = @ARGV;

# Numbers as on the program's machine: pointers, 4 bytes, 2 bytes.
open my $elf, '<:raw', $program or die "$program: $!";
read $elf, my $ident, 6;
my ($class, $data) = unpack 'x4CC', $ident;
my $order = $data == 2 ? '>' : '<';
my ($P, $L, $S) = (($class == 1 ? 'L' : 'Q') . $order, "L$order", "S$order");
srand $seed;
binmode STDOUT;

my (@code, %value);
for (`nm -n '$program'`) {
  my ($address, $type, $name) = /^([0-9a-f]+) (.) (.*)/ or next;
  $value{$name} = hex $address;
  push @code, hex $address if $type =~ /^[tTwW]$/;
}
my $low = $value{__executable_start} & ~3;
my $high = ($value{etext} + 3) & ~3;

sub chance { rand () < $_[0] }
sub one_of { $_[rand @_] }

# Most of a profile is about few functions, as in life.
my @busy = map { one_of (@code) } 1 .. 1 + int rand (@code > 40 ? 40 : scalar @code);
sub place { chance (.9) ? one_of (@busy) : one_of (@code) }

sub histogram {
  my ($nbins, $rate, $unit, @bins) = @_;
  return "\0" . pack ("$P$P$L$L", $low, $high, $nbins, $rate) . pack ('a15a1', $unit, $unit) . pack ("$S*", @bins);
}

sub call { "\1" . pack ("$P$P$L", @_) }

my $bytes_per_bin = one_of (2, 4, 4, 8, 3);
my $rate = one_of (100, 100, 100, 1000, 250, 997, 1);
my $unit = chance (.1) ? 'wall_clock_ticks' : 'seconds';
my $kind = int rand 6;    # 1: no time, 2: no calls, 3: with blocks

print 'gmon', pack ($L, 1), "\0" x 12;
if ($kind != 1) {
  my $nbins = int (($high - $low) / $bytes_per_bin) + (chance (.3) ? int rand 4 : 0);
  my @bins = (0) x $nbins;
  for (1 .. (chance (.1) ? 0 : int rand 60)) {
    my $address = place () + (chance (.5) ? int rand 40 : 0);
    my $i = int (($address - $low) / ($high - $low) * $nbins);
    $bins[$i] = chance (.5) ? 1 + int rand 3 : int rand 65536 if $i >= 0 && $i < $nbins;
  }
  print histogram ($nbins, $rate, $unit, @bins) for 1 .. (chance (.2) ? 2 : 1);
}
if ($kind != 2) {
  for (1 .. int rand 120) {
    my $from = chance (.05) ? 0 : place () + int rand 20;
    my $count = chance (.1) ? 0 : chance (.5) ? 1 + int rand 10 : int rand 4294967296;
    print call ($from, place () + int rand 6, $count);
  }
}
if ($kind == 3) {
  my $n = int rand 10;
  print "\2", pack ($L, $n), map { pack ("$P$P", place (), int rand 1e6) } 1 .. $n;
}
if ($blocks) {
  my @counts = (0, 0, 1, 2, 30, 4e9, 5e12);
  print "\2", pack ($L, $blocks), map { pack ("$P$P", place () + one_of (0, int rand 80), one_of (@counts)) } 1 .. $blocks;
}
