-- SPDX-License-Identifier: GPL-3.0-or-later
-- Work for the Lua interpreter: text, tables, closures, coroutines, metamethods, errors, garbage.
-- Usage: lua workload.lua [SIZE].  Prints results only, so that two runs can be compared; exits
-- with status 3.

local size = tonumber(arg and arg[1]) or 1

-- A linear congruential generator: the same numbers everywhere.
local seed = 42
local function random(limit)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % limit + 1
end

-- Words out of syllables, a text of them, and how often each comes.
local function word_counts(n)
  local syllables = {"ba", "ke", "li", "mo", "nu", "ra", "si", "to"}
  local words = {}
  for i = 1, n do
    words[i] = syllables[random(8)] .. syllables[random(8)] .. (random(4) == 1 and "." or "")
  end
  local text = table.concat(words, " ")
  local counts = {}
  for word in text:gmatch("%a+") do
    counts[word] = (counts[word] or 0) + 1
  end
  local order = {}
  for word in pairs(counts) do
    order[#order + 1] = word
  end
  table.sort(order, function(a, b)
    if counts[a] ~= counts[b] then
      return counts[a] > counts[b]
    end
    return a < b
  end)
  for i = 1, 5 do
    print(string.format("%-8s %d", order[i], counts[order[i]]))
  end
  print((text:gsub("(%a)(%a+)", function(first, rest) return first:upper() .. rest end)):sub(1, 60))
end

-- All ways to put n queens on a board, by backtracking.
local function queens(n)
  local column, up, down, found = {}, {}, {}, 0
  local function place(row)
    if row > n then
      found = found + 1
      return
    end
    for c = 1, n do
      if not (column[c] or up[row + c] or down[row - c]) then
        column[c], up[row + c], down[row - c] = true, true, true
        place(row + 1)
        column[c], up[row + c], down[row - c] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end

-- Vectors with metamethods, in floating point.
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Vector) end
Vector.__mul = function(a, k) return setmetatable({x = a.x * k, y = a.y * k}, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a:length() < b:length() end
function Vector:length() return math.sqrt(self.x ^ 2 + self.y ^ 2) end

local function walk(steps)
  local place, farthest = setmetatable({x = 0, y = 0}, Vector), setmetatable({x = 0, y = 0}, Vector)
  for i = 1, steps do
    place = place + setmetatable({x = random(3) - 2, y = random(3) - 2}, Vector) * 0.5
    if farthest < place then
      farthest = place
    end
  end
  print(string.format("walk %.3f %.3f, farthest %.3f", place.x, place.y, farthest:length()))
end

-- A sieve as a chain of coroutines.
local function primes(limit)
  local function generate()
    return coroutine.wrap(function() for n = 2, limit do coroutine.yield(n) end end)
  end
  local function filter(prime, source)
    return coroutine.wrap(function()
      for n in source do
        if n % prime ~= 0 then
          coroutine.yield(n)
        end
      end
    end)
  end
  local source, count, last = generate(), 0, 0
  while true do
    local prime = source()
    if not prime then
      break
    end
    count, last = count + 1, prime
    if prime * prime <= limit then
      source = filter(prime, source)
    end
  end
  print("primes", count, last)
end

-- Errors thrown through several levels, and a compiler run for each of some small chunks.
local function errors(n)
  local caught = 0
  local function deep(level)
    if level == 0 then
      error({code = random(9)})
    end
    deep(level - 1)
  end
  for i = 1, n do
    local ok, e = pcall(deep, i % 20)
    if not ok and e.code > 4 then
      caught = caught + 1
    end
  end
  local total = 0
  for i = 1, n // 10 do
    total = total + assert(load("local a, b = ... ; return a * b + " .. i))(i, 2)
  end
  print("errors", caught, total, select(2, pcall(load, nil)))
end

-- Matrices as tables of tables.
local function matrix(n)
  local a, b, sum = {}, {}, 0
  for i = 1, n do
    a[i], b[i] = {}, {}
    for j = 1, n do
      a[i][j], b[i][j] = random(100), random(100) / 7
    end
  end
  for i = 1, n do
    for j = 1, n do
      local cell = 0
      for k = 1, n do
        cell = cell + a[i][k] * b[k][j]
      end
      sum = sum + cell * ((i + j) % 2 == 0 and 1 or -1)
    end
  end
  print(string.format("matrix %.6f", sum))
end

-- A table that lives long among much that does not.
local function garbage(n)
  local kept = setmetatable({}, {__mode = "v"})
  local list = {}
  for i = 1, n do
    local node = {value = i, text = "node " .. i}
    kept[i] = node
    if i % 10 == 0 then
      list[#list + 1] = node
    end
  end
  collectgarbage()
  local alive = 0
  for _ in pairs(kept) do
    alive = alive + 1
  end
  print("garbage", alive, #list)
end

for round = 1, size do
  word_counts(6000)
  print("queens", queens(7))
  walk(10000)
  primes(1200)
  errors(2000)
  matrix(36)
  garbage(8000)
end
os.exit(3, true)
