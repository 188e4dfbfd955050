# SPDX-License-Identifier: GPL-3.0-or-later
# Does what Ruby programs do, for SECONDS: threads, fibers, exceptions, extensions in C, garbage
# collection, code that comes and goes, children.  Prints what it has computed in each round, which
# is always the same.
require "digest/sha2" # before there are threads: it is defined in steps
require "json"
require "zlib"

def tree(depth) = depth == 0 ? nil : [tree(depth - 1), tree(depth - 1)]

def walk(node)
  return 0 unless node
  walk(node[0]) + 1 + walk(node[1])
end

def fails(n)
  raise KeyError, "at the end" if n == 0
  fails(n - 1)
rescue KeyError => e
  raise ArgumentError, n.to_s, cause: e
ensure
  $done = n
end

def exceptions
  (0...20).count do |n|
    fails(n)
    false
  rescue ArgumentError, KeyError
    true
  end
end

def fibers
  numbers = Enumerator.new { |to| 50.times { |i| to << i * i } }
  fiber = Fiber.new { |x| loop { x = Fiber.yield(x + 1) } }
  (0...50).sum { numbers.next + fiber.resume(1) }
end

def garbage
  2000.times.map { |i| Object.new.tap { |o| o.instance_variable_set(:@itself, o) } }
  GC.start
  0
end

def codes
  (0...50).sum do |i|
    Class.new { class_eval "def f(n) = n.times.sum { |k| k + #{i} }" }.new.f(20)
  end
end

def extensions
  text = JSON.generate((0...300).map { |i| { key: i.to_s, value: i * 0.5 } })
  [Digest::SHA256.hexdigest(Zlib::Deflate.deflate(text))[0, 8],
   text.gsub(/(\d+)/) { ($1.to_i + 1).to_s }.size, JSON.parse(text).size, 3**2000 % 1_000_007]
end

def deep(n) = n == 0 ? 0 : 1 + deep(n - 1)

def child
  pid = fork { exit!(walk(tree(5))) }
  Process.wait(pid)
  $?.exitstatus
end

def work
  [walk(tree(11)), exceptions, fibers, codes, extensions, deep(900),
   (0...2000).sort_by { |n| -n % 77 }.first(3), IO.popen("echo child", &:read)]
end

seen = {}
finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ARGV[0].to_f
loop do
  results = Array.new(4) { Thread.new { work } }.map(&:value)
  sleep 0.01
  seen[[results, garbage, child].inspect] = true
  break if Process.clock_gettime(Process::CLOCK_MONOTONIC) >= finish
end
puts seen.size, seen.keys
exit 7
