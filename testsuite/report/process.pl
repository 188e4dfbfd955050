#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# process.pl PROFILE <description: writes PROFILE and its sidecar PROFILE.bbx as the run of a process with shared objects
# would.  The description, line by line:
#
#   run NUMBER                         of both files (default 1)
#   process PID                        that ran (default 4242)
#   sidecar NUMBER                     of the sidecar, if that shall be another one
#   object BASE PATH [BUILD-ID]        the executable first, with base 0; the build id if it shall not be the file's
#   file NAME PATH                     where the object NAME's symbols are to be read, if not in the object itself
#   samples OBJECT:PLACE COUNT         OBJECT: the path or its last part
#   call OBJECT:PLACE OBJECT:PLACE COUNT
#   block OBJECT:PLACE COUNT
#   random SEED                        samples and calls at random
#   loss COUNT CAUSE
#   unit NAME [OBJECT:PLACE COUNT]...  with tables of the historic layout
#   names OBJECT:PLACE FUNCTION LINE FILE  of a block, as such tables have them; -: not known
#   edge OBJECT:PLACE OBJECT:PLACE COUNT; 0: outside
#   open THREAD LIST OBJECT:PLACE OBJECT:PLACE COUNT  by how much a count may be wrong; LIST: 0 more, 1 fewer, 2 and 3 of edges
#   old-open OBJECT:PLACE OBJECT:PLACE COUNT  as it was written before: calls, more or fewer (below 0)
#   jump VARIANT OBJECT:PLACE OBJECT:PLACE COUNT; 0: outside
#   word FLAGS NAME FILE [OBJECT:PLACE]...  of a selection; FILE -: any
#   sampling NAME CLOCK DEPTH FLAGS CUT   how the stacks were taken; CLOCK: 0 of the CPU, 1 wall
#   thread NUMBER TID NAME BEGUN ENDED CPU   that was sampled; in milliseconds
#   stack THREAD TICKS FRAME...        the outermost first: OBJECT:PLACE; !OBJECT:PLACE interrupted by a signal handler; %NUMBER a
#                                      system call; % in the kernel; @ADDRESS no object; ? not known.  With its samples, and with FLAGS 1,
#                                      if sampling stands before, with its calls
#   chunk TYPE TEXT                    one of a kind that readers do not know
#   version NUMBER                     of the sidecar
#   no-run, no-losses, no-end          leave these chunks out
#
# A PLACE is a symbol or an address in the object's file, +OFFSET behind it.
use strict;
use warnings;
no warnings 'portable';

my $profile = shift;
my ($run, $process, $sidecar, $version, %without) = (1, 4242, undef, 1);
my (@objects, %object, @samples, @calls, @blocks, @losses, @chunks, %symbols_of);
my (@sampling, @nodes, %nodes, $ticks);

# The program headers that say where an object is, and its build id.
sub describe {
  my ($o) = @_;
  if ($o->{path} =~ /^\[/) {
    @$o{'start', 'end', 'text_start', 'text_end'} = (0, 0x2000, 0, 0x1000);
    return;
  }
  for (`readelf -lW '$o->{file}'`) {
    my ($address, $size, $flags) = /^\s+LOAD\s+\S+\s+(\S+)\s+\S+\s+\S+\s+(\S+)\s+([RWE ]+?)\s+0x/ or next;
    my ($start, $end) = (hex $address, hex ($address) + hex $size);
    $o->{start} = $start if !defined $o->{start} || $start < $o->{start};
    $o->{end} = $end if !defined $o->{end} || $end > $o->{end};
    next if $flags !~ /E/;
    @$o{'text_start', 'text_end'} = ($start, $end);
  }
  $o->{id} //= join '', map { /Build ID: ([0-9a-f]+)/ ? $1 : () } `readelf -nW '$o->{file}'`;
}

sub symbols {
  my ($o) = @_;
  $o->{symbols} //= { map { /^([0-9a-f]+) [A-Za-z] ([^@\s]+)/ ? ($2 => hex $1) : () } `nm '$o->{file}' 2>/dev/null` };
}

# Calls of labels are not for gprof -S, which takes every symbol for a function.
sub functions {
  my ($o) = @_;
  return 0x100 if $o->{path} =~ /^\[/;
  return map { /^\s*\d+:\s+([0-9a-f]+)\s+\S+\s+FUNC\s/ ? hex $1 : () } `readelf -sW '$o->{file}'`;
}

# The address in gmon.out of OBJECT:PLACE.
sub place {
  my ($name, $symbol, $offset) = $_[0] =~ /^([^:]+):([^+]+)(?:\+(\S+))?$/ or die "what is $_[0]?";
  my $o = $object{$name} or die "no object $name";
  my $value = $symbol =~ /^0x/ ? hex $symbol : symbols ($o)->{$symbol};
  defined $value or die "no symbol $symbol in $name";
  return ($o, $value + $o->{base} + ($offset // 0));
}

sub leb128 {
  my ($n) = @_;
  my $bytes = '';
  for (; $n >= 128; $n >>= 7) { $bytes .= chr ($n & 127 | 128) }
  return $bytes . chr $n;
}

# The first one of a list.
sub edge {
  my ($from, $to) = map { $_ eq '0' ? 0 : (place ($_))[1] } @_[0, 1];
  return leb128 (2 * $from) . fold ($to - $from) . leb128 ($_[2]);
}

sub fold {
  my ($n) = @_;
  return leb128 ($n < 0 ? -2 * $n - 1 : 2 * $n);
}

# Kind and address of a frame.
sub frame {
  my ($text) = @_;
  return (3, 0) if $text eq '?';
  return (5, 0) if $text eq '%';
  return (4, $1) if $text =~ /^%(.*)/;
  return (6, hex $1) if $text =~ /^@(.*)/;
  return (1, (place ($1))[1]) if $text =~ /^!(.*)/;
  return (0, (place ($text))[1]);
}

# The number of the node of that frame beneath another one.
sub enter {
  my ($parent, $kind, $address) = @_;
  my $key = "$parent $kind $address";
  if (!$nodes{$key}) {
    push @nodes, [$parent, $kind, $address, 0];
    $nodes{$key} = @nodes;
  }
  return $nodes{$key};
}

sub stack {
  my ($thread, $n, @texts) = @_;
  my $node = enter (0, 2, $thread);
  my ($innermost, $before, %called);
  for my $text (@texts) {
    my ($kind, $address) = frame ($text);
    $node = enter ($node, $kind, $address);
    my $code = $kind < 2;
    push @calls, [$before, $address, $n] if $code && $before && @sampling && $sampling[3] & 1 && !$called{"$before $address"}++;
    ($innermost, $before) = ($text =~ s/^!//r, $address) if $code;
  }
  $nodes[$node - 1][3] += $n;
  $ticks += $n;
  push @samples, [place ($innermost), $n] if $innermost;
}

sub contexts {
  my ($bytes, $before) = (pack ('Q', scalar @nodes), 0);
  for my $i (1 .. @nodes) {
    my ($parent, $kind, $address, $n) = @{$nodes[$i - 1]};
    $bytes .= leb128 ($i - $parent) . leb128 ($kind) . fold ($address - $before) . leb128 ($n);
    $before = $address;
  }
  return $bytes;
}

sub at_random {
  srand $_[0];
  my @places;
  for my $o (@objects) {
    push @places, map { [$o, $_ + $o->{base}] } grep { $_ >= $o->{text_start} && $_ < $o->{text_end} }
      sort { $a <=> $b } functions ($o);
  }
  my $one = sub { my $p = $places[rand @places]; return ($p->[0], $p->[1] + int rand 6) };
  for (1 .. 60) {
    my ($o, $address) = $one->();
    push @samples, [$o, $address, 1 + int rand 300];
    push @calls, [($one->())[1], ($one->())[1], 1 + int rand 100000];
  }
}

while (<STDIN>) {
  my ($word, @w) = split;
  if ($word eq 'run') { $run = $w[0] }
  elsif ($word eq 'process') { $process = $w[0] }
  elsif ($word eq 'sidecar') { $sidecar = $w[0] }
  elsif ($word eq 'version') { $version = $w[0] }
  elsif ($word eq 'file') { $symbols_of{$w[0]} = $w[1] }
  elsif ($word eq 'object') {
    my $o = { base => oct $w[0], path => $w[1], id => $w[2] };
    my ($last) = $o->{path} =~ m{([^/]+)$};
    $o->{file} = $symbols_of{$last} // $o->{path};
    describe ($o);
    $object{$o->{path}} = $object{$last} = $o;
    push @objects, $o;
  }
  elsif ($word eq 'samples') { push @samples, [place ($w[0]), $w[1]] }
  elsif ($word eq 'call') { push @calls, [(place ($w[0]))[1], (place ($w[1]))[1], $w[2]] }
  elsif ($word eq 'block') { push @blocks, [(place ($w[0]))[1], $w[1]] }
  elsif ($word eq 'random') { at_random ($w[0]) }
  elsif ($word eq 'loss') { push @losses, [shift @w, "@w"] }
  elsif ($word eq 'unit') {
    my ($name, @blocks) = @w;
    my $n = @blocks / 2;
    my $counts = join '', map { pack 'QQ', (place ($blocks[2 * $_]))[1], $blocks[2 * $_ + 1] } 0 .. $n - 1;
    push @chunks, ['UNIT', pack ('Q3', 0x1000, $n, $n) . "$counts$name\0"];
  }
  elsif ($word eq 'names') {
    my ($function, $file) = map { $_ eq '-' ? '' : $_ } @w[1, 3];
    push @chunks, ['BLK', pack ('QQ', (place ($w[0]))[1], $w[2]) . "$function\0$file\0"];
  }
  elsif ($word eq 'edge') { push @chunks, ['EDGE', edge (@w)] }
  elsif ($word eq 'open') { push @chunks, ['OPEN', pack ('V4', 2, shift @w, shift @w, 0) . edge (@w)] }
  elsif ($word eq 'old-open') { push @chunks, ['OPEN', edge (@w[0, 1], $w[2] & ~0)] }
  elsif ($word eq 'jump') { push @chunks, ['JUMP', pack ('VV', shift @w, 0) . edge (@w)] }
  elsif ($word eq 'word') {
    my ($flags, $name, $file, @functions) = @w;
    $file = '' if $file eq '-';
    push @chunks, ['SEL', pack ('VVQ*', $flags, scalar @functions, map { (place ($_))[1] } @functions) . "$name\0$file\0"];
  }
  elsif ($word eq 'sampling') { @sampling = @w }
  elsif ($word eq 'thread') {
    my ($number, $tid, $name, @times) = @w;
    push @chunks, ['THRD', pack ('VVQ3a16', $number, $tid, (map { $_ * 1e6 } @times), $name)];
  }
  elsif ($word eq 'stack') { stack (@w) }
  elsif ($word eq 'chunk') { push @chunks, [$w[0], "@w[1 .. $#w]"] }
  elsif ($word =~ /^no-(.*)/) { $without{$1} = 1 }
  else { die "what is $word?" }
}

push @chunks, ['HOW', pack ('a16V6Q5', $sampling[0], $sampling[1], 250, 250, $sampling[2], $sampling[3], 0, $ticks, $ticks, $sampling[4], 3e9, 2e9)]
  if @sampling;
push @chunks, ['CTX', contexts ()] if @nodes;

# The profile: a histogram for each object with samples, bins of two bytes.
sub histogram {
  my ($o) = @_;
  my ($low, $high) = @$o{'text_start', 'text_end'};
  ($low, $high) = (symbols ($o)->{__executable_start} // $low, symbols ($o)->{etext} // $high) if $o->{base} == 0;
  $low = ($low & ~3) + $o->{base};
  $high = (($high + 3) & ~3) + $o->{base};
  my @bins = (0) x (($high - $low) / 2);
  $bins[($_->[1] - $low) / 2] += $_->[2] for grep { $_->[0] == $o && $_->[1] >= $low && $_->[1] < $high } @samples;
  return "\0" . pack ('QQVV', $low, $high, scalar @bins, 250) . pack ('a15a1', 'seconds', 's') . pack ('v*', @bins);
}

open my $gmon, '>:raw', $profile or die "$profile: $!";
print $gmon 'gmon', pack ('V', 1), "\0" x 4, pack ('Q', $run);
for my $o (@objects) {
  print $gmon histogram ($o) if $o->{base} == 0 || grep { $_->[0] == $o } @samples;
}
print $gmon "\1", pack ('QQV', @$_) for sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @calls;
print $gmon "\2", pack ('V', scalar @blocks), map { pack 'QQ', @$_ } @blocks if @blocks;
close $gmon or die;

# The sidecar.
my @crc_table = map { my $c = $_; $c = $c & 1 ? 0xedb88320 ^ $c >> 1 : $c >> 1 for 1 .. 8; $c } 0 .. 255;

sub crc32 {
  my $crc = 0xffffffff;
  $crc = $crc_table[($crc ^ $_) & 255] ^ $crc >> 8 for unpack 'C*', $_[0];
  return $crc ^ 0xffffffff;
}

sub chunk {
  my ($type, $content) = @_;
  my $length = pack 'Q', length $content;
  return $type . pack ('V', crc32 ($type . $length . $content)) . $length . $content . "\0" x (-length ($content) & 7);
}

sub object_chunk {
  my ($o) = @_;
  my $id = pack 'H*', $o->{id} // '';
  return chunk ('OBJ ', pack ('Q6V4', @$o{'base', 'start', 'end', 'text_start', 'text_end'}, 0x7f0000000000, 1,
                              $o->{base} == 0 ? 1 : 0, length $id, 1 + length $o->{path}) . "$id$o->{path}\0");
}

open my $bbx, '>:raw', "$profile.bbx" or die "$profile.bbx: $!";
print $bbx "bbprof\r\n", pack ('VVQ', $version, 24, $sidecar // $run);
print $bbx chunk ('RUN ', pack ('Q3V4QQ', 1700000000e9, 3e9, 2e9, $process, 4241, 250, 1, 3, 500) . "$objects[0]{path}\0")
  if !$without{run};
print $bbx object_chunk ($_) for @objects;
print $bbx chunk (substr ("$_->[0]    ", 0, 4), $_->[1]) for @chunks;
print $bbx chunk ('LOST', join '', map { pack 'Qa56', @$_ } @losses) if !$without{losses};
print $bbx chunk ('END ', '') if !$without{end};
close $bbx or die;
