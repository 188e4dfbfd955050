# SPDX-License-Identifier: GPL-3.0-or-later
# Takes samples at known places: tick (N) sends the signal of the profiler's timer N times, and
# notes the Ruby stack.  At the end all stacks are printed: "TICKS METHOD:LINE;...", the outermost
# first.
require "fiddle"

SYS_SETITIMER, SYS_TIMER_DELETE, SYS_GETTID, SYS_TGSIGQUEUEINFO = 38, 226, 186, 297
ITIMER_PROF, SIGPROF, SI_KERNEL = 2, 27, 0x80
Syscall = Fiddle::Function.new(Fiddle.dlopen(nil)["syscall"], [Fiddle::TYPE_LONG] * 5,
                               Fiddle::TYPE_LONG)
INFO = Fiddle::Pointer.malloc(128, Fiddle::RUBY_FREE)
INFO[0, 128] = [SIGPROF, 0, SI_KERNEL].pack("l3") + "\0" * 116
# How profiles call a frame, by how Ruby's own stacks call it: blocks have the name of their method,
# and methods in C have no lines.
NAMES = {
  "tick" => "Object#tick", "recurse" => "Object#recurse", "numbers" => "Object#numbers",
  "block in numbers" => "Object#numbers", "fails" => "Object#fails",
  "rescue in fails" => "Object#fails", "ensure in fails" => "Object#fails",
  "all_kinds" => "Object#all_kinds", "block in all_kinds" => "Object#all_kinds",
  "run" => "Counter#run", "value" => "Counter.value", "<=>" => "Counter#<=>"
}
OWN = { "each" => "Array#each", "times" => "Integer#times", "map" => "Array#map",
        "sort" => "Array#sort", "call" => "Fiddle::Function#call",
        "instance_eval" => "BasicObject#instance_eval" }
$truth = Hash.new(0)

def note(locations)
  frames = locations.reverse.map do |l|
    OWN.key?(l.label) ? "#{OWN[l.label]}:0" : "#{NAMES.fetch(l.label, l.label)}:#{l.lineno}"
  end
  frames.unshift("<main>:0") if frames[0].start_with?("<main>") # the program itself
  frames.join(";")
end

def tick(n)
  here = note(caller_locations(1))
  tid = Syscall.call(SYS_GETTID, 0, 0, 0, 0)
  while n > 0
    $truth["#{here};Object#tick:#{__LINE__ + 1};Fiddle::Function#call:0"] += 1
    Syscall.call(SYS_TGSIGQUEUEINFO, Process.pid, tid, SIGPROF, INFO.to_i)
    n -= 1
  end
end

def recurse(n)
  n == 0 ? tick(2) : recurse(n - 1)
end

def numbers(n)
  (1..n).to_a.each do |i|
    tick(i)
  end
end

def fails(n)
  raise "at the end" if n == 0
  fails(n - 1)
rescue StandardError
  tick(1)
  raise
ensure
  tick(1)
end

class Counter
  attr_reader :n
  def initialize(n) = @n = n
  def self.value(n) = tick(n)
  def run
    Counter.value(2)
  end
  def <=>(other)
    tick(1)
    n <=> other.n
  end
end

def all_kinds
  recurse(30)
  numbers(3)
  begin
    fails(3)
  rescue StandardError
    nil
  end
  [3, 1, 2].map { |i| Counter.new(i) }.sort
  2.times { |i| tick(i + 1) }
  Counter.new(0).run
  lambda { tick(1) }
    .call
  instance_eval "tick(1)", "other.rb", 77
end

# Behind the library's back.
Syscall.call(SYS_SETITIMER, ITIMER_PROF, Fiddle::Pointer["\0" * 32].to_i, 0, 0)
Syscall.call(SYS_TIMER_DELETE, 0, 0, 0, 0) # the first one: others are Ruby's own
all_kinds
3.times { Thread.new { all_kinds }.join }
$truth.each { |stack, ticks| puts "#{ticks} #{stack}" }
