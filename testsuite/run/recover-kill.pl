#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# recover-kill.pl BBPROF PROGRAM ROUNDS SECONDS WORD...: runs PROGRAM (live.c) with three threads, kills it after a random time of
# at most SECONDS, recovers, and compares with what the threads say in their own shared file:
#   - every function was called as often as its callers say, up to the one call that each thread was in, and the one more that may
#     follow from its being in the middle of a function;
#   - what comes into f's blocks goes out of them, likewise.
use strict;
use warnings;
use Time::HiRes 'sleep';

my ($bbprof, $program, $rounds, $seconds, @words) = @ARGV;
my $threads = 3;
my $slack = $threads + 1;
$ENV{BBPROF_OPTIONS} = 'live=1';
srand 1;

# Link-time addresses, and where the functions end.
my (%start, %end);
for (`nm -S '$program'`) {
  my ($address, $size, $name) = /^([0-9a-f]+) ([0-9a-f]+) [tT] (f|odd|even)$/ or next;
  ($start{$name}, $end{$name}) = (hex $address, hex ($address) + hex $size);
}

sub profile {
  my (%calls, %blocks);
  my $counts = $0 =~ s/[^\/]*$/counts.pl/r;
  for (`perl '$counts' gmon.out`) {
    my ($kind, @n) = split;
    my $address = hex $n[$kind eq 'arc' ? 1 : 0];
    my ($name) = grep { $address >= $start{$_} && $address < $end{$_} } keys %start;
    next unless $name;
    $calls{$name} += $n[2] if $kind eq 'arc';
    push @{$blocks{$name}}, $n[1] if $kind eq 'block';
  }
  return (\%calls, \%blocks);
}

sub between {
  my ($what, $n, $least, $most) = @_;
  die "$what: $n, not from $least to $most\n" if $n < $least || $n > $most;
}

sub compare {
  my ($begun, $back) = @_;
  my ($calls, $blocks) = profile ();
  my $f = $calls->{f} // 0;
  between ('calls of f', $f, $back, $begun + $threads);
  between ('calls of odd and even', ($calls->{odd} // 0) + ($calls->{even} // 0), $back, $f + $threads);
  my ($entry, $last, @arms) = sort { $b <=> $a } @{$blocks->{f} // []}, 0, 0;
  between ('entries of f', $entry, $f - $threads, $f);
  my $inside = 0;
  $inside += $_ for @arms;
  if ($entry < 100) { # too few to tell the last block from an arm
    between ('blocks of f behind the entry', $inside + $last, 2 * $entry - 3 * $slack, 2 * $entry);
    return;
  }
  between ('both arms of f', $inside, $entry - $slack, $entry);
  between ('last block of f', $last, $inside - $slack, $inside);
}

my ($begun_in_all, $empty) = (0, 0);
for my $round (1 .. $rounds) {
  unlink 'truth', 'gmon.out', 'gmon.out.bbx';
  my $child = fork // die;
  if (!$child) {
    open STDOUT, '>', '/dev/null';
    exec $program, 'truth', $threads, 0, @words or die;
  }
  sleep rand $seconds;
  kill 'KILL', $child;
  waitpid $child, 0;
  my @live = glob '*.live';
  my ($begun, $back) = (0, 0);
  if (open my $in, '<:raw', 'truth') {
    my @words = unpack 'q*', do { local $/; <$in> } // '';
    for (my $i = 0; $i < @words; $i += 8) { $begun += $words[$i]; $back += $words[$i + 1] }
  }
  my $said = @live ? `'$bbprof' recover 2>&1` : '';
  if (-e 'gmon.out') {
    eval { compare ($begun, $back); 1 } or die "round $round: $@";
  } else {
    die "round $round: $back calls, and no profile: $said\n" if $back;
    $empty++;
  }
  $begun_in_all += $begun;
  die "round $round: still there: @live: $said\n" if glob '*.live';
}
print "$rounds kills, $begun_in_all calls, $empty times before the first\n";
