#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# live.pl PROGRAM FILE: what is in the live file of a program that is not position-independent, read by the words of
# doc/file-format.md alone: a line "NAME CALLS BLOCK..." for each function, the counts of its blocks in ascending order.
use strict;
use warnings;

my ($program, $file) = @ARGV;
my @symbols = map { /^([0-9a-f]+) [tT] (.*)/ ? [hex $1, $2] : () } `nm -n '$program'`;

sub function {
  my ($address) = @_;
  my $name = '?';
  for (@symbols) { last if $_->[0] > $address; $name = $_->[1] }
  return $name;
}

open my $in, '<:raw', $file or die "$file: $!";
my $data = do { local $/; <$in> };
my (%calls, %module, %counts, $run);
for (my $at = 0; $at < length $data;) {
  my ($magic, $r, $kind, $number, $of, undef, $bytes, $content, $offset) = unpack 'a8 Q L4 Q3', substr $data, $at, 64;
  if ($magic ne "bbplive\n") { $at += 4096; next }
  $run //= $r;
  die "slice at $at is not right" if $r != $run || $offset != $at || $bytes % 4096 || $content + 64 > $bytes;
  my $body = substr $data, $at + 64, $content;
  if ($kind == 2) {
    my $slots = unpack ('Q', $body) / 32 + 1;
    for my $slot (0 .. $slots - 1) {
      my ($from, $self, $count) = unpack 'Q3', substr $body, 64 + 32 * $slot, 24;
      $calls{$self} += $count if $self;
    }
  }
  $counts{$of}{$number} = [unpack 'Q*', substr $body, 16] if $kind == 3;
  $module{$number} = $body if $kind == 4;
  $at += $bytes;
}

my (%sum, %blocks);
$sum{function ($_)} += $calls{$_} for keys %calls;
for my $number (keys %module) {
  my ($counts_at, $map_at, $ncounts, $map_bytes) = unpack 'Q4', $module{$number};
  my @total = unpack "Q$ncounts", substr $module{$number}, 32;
  for my $thread (values %{$counts{$number}}) { $total[$_] += $thread->[$_] for 0 .. $ncounts - 1 }
  for (my $at = 0; $at < $map_bytes;) {
    my ($text, $where, $nblocks, $bytes) = unpack 'l l L L', substr $module{$number}, 32 + 8 * $ncounts + $at, 16;
    my $address = $map_at + $at + $text;
    my $index = ($map_at + $at + 4 + $where - $counts_at) / 8;
    my $n = $nblocks & 0x7fffffff;
    my @of = @total[$index .. $index + $n - 1];
    $of[0] = $calls{$address} // 0 if $nblocks >> 31;
    push @{$blocks{function ($address)}}, @of;
    $at += 16 + $bytes;
  }
}
print join (' ', $_, $sum{$_} // 0, sort { $a <=> $b } @{$blocks{$_} // []}), "\n" for sort keys %{{%sum, %blocks}};
