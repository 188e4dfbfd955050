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
my (%module, %counts, $run);
for (my $at = 0; $at < length $data;) {
  my ($magic, $r, $kind, $number, $of, undef, $bytes, $content, $offset) = unpack 'a8 Q L4 Q3', substr $data, $at, 64;
  if ($magic ne "bbplive\n") { $at += 4096; next }
  $run //= $r;
  die "slice at $at is not right" if $r != $run || $offset != $at || $bytes % 4096 || $content + 64 > $bytes;
  my $body = substr $data, $at + 64, $content;
  $counts{$of}{$number} = [unpack 'Q*', substr $body, 16] if $kind == 3;
  $module{$number} = $body if $kind == 4;
  $at += $bytes;
}

# The next number of a record: unsigned LEB128.
sub number {
  my ($bytes) = @_;
  for (my ($value, $shift) = (0, 0);; $shift += 7) {
    my $byte = shift @$bytes;
    $value |= ($byte & 127) << $shift;
    return $value if $byte < 128;
  }
}

# The graph of a function (include/bbprof-abi.h): the edges [from, to, count or undef], and the numbers of those into blocks.
# Nodes: 0 is outside, block b is entered by b + 1; then the segments.
sub graph {
  my ($bytes, @counters) = @_;
  my ($nblocks, undef, undef) = map { number ($bytes) } 1 .. 3;
  my ($node, @edges, @executions) = $nblocks;
  for my $block (1 .. $nblocks) {
    my (undef, $shape) = (number ($bytes), number ($bytes));
    my $first = ++$node;
    push @executions, scalar @edges;
    push @edges, [$block, $node, $shape & 1 ? shift @counters : undef];
    push @edges, [0, $block] if $shape & 2;
    for (1 .. $shape >> 4) {
      my (undef, $kind) = (number ($bytes), number ($bytes));
      next if $kind & 2;
      push @edges, [$node, 0], [$node, $node + 1, $kind & 1 ? shift @counters : undef];
      $node++;
    }
    push @edges, [$node, 0] if $shape & 4 || ($shape & 8 && $node == $first);
    for (1 .. number ($bytes)) {
      my $target = number ($bytes);
      push @edges, [$node, ($target >> 1) + 1, $target & 1 ? shift @counters : undef];
    }
  }
  return (\@edges, \@executions);
}

# As much comes in as goes out, everywhere but outside: until no edge is left that is the only unknown one of a node.
sub solve {
  my ($edges) = @_;
  for (my $progress = 1; $progress;) {
    my (%balance, %unknown);
    $progress = 0;
    for my $edge (@$edges) {
      my ($from, $to, $count) = @$edge;
      push @{$unknown{$_}}, $edge for defined $count ? () : grep { $_ } $from, $to;
      $balance{$from} -= $count // 0;
      $balance{$to} += $count // 0;
    }
    for my $node (keys %unknown) {
      my ($edge, @more) = @{$unknown{$node}};
      next if @more || defined $edge->[2];
      $edge->[2] = $edge->[0] == $node ? $balance{$node} : -$balance{$node};
      $progress = 1;
      last;
    }
  }
}

# The functions' arcs, too, follow from their blocks.
my (%sum, %blocks);
for my $number (keys %module) {
  my ($counts_at, $map_at, $ncounts, $map_bytes) = unpack 'Q4', $module{$number};
  my @total = unpack "Q$ncounts", substr $module{$number}, 32;
  for my $thread (values %{$counts{$number}}) { $total[$_] += $thread->[$_] for 0 .. $ncounts - 1 }
  for (my $at = 0; $at < $map_bytes;) {
    my ($text, $where, undef, $bytes) = unpack 'l l l L', substr $module{$number}, 32 + 8 * $ncounts + $at, 16;
    my $index = ($map_at + $at + 4 + $where - $counts_at) / 8;
    my @record = unpack 'C*', substr $module{$number}, 32 + 8 * $ncounts + $at + 16, $bytes;
    my ($edges, $executions) = graph (\@record, @total[$index .. $#total]);
    solve ($edges);
    my $name = function ($map_at + $at + $text);
    my @of = map { $edges->[$_][2] } @$executions;
    $sum{$name} += $of[0];
    push @{$blocks{$name}}, @of;
    $at += 16 + $bytes;
  }
}
print join (' ', $_, $sum{$_}, sort { $a <=> $b } @{$blocks{$_}}), "\n" for sort keys %sum;
