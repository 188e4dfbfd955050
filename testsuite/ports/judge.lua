-- SPDX-License-Identifier: GPL-3.0-or-later
-- A little of everything: strings, tables, closures, coroutines, errors, garbage.
local words = {}
for word in ("the quick brown fox jumps over the lazy dog "):rep(5):gmatch("%a+") do
  words[#words + 1] = word:upper():reverse()
end
table.sort(words, function(a, b) return a > b end)
local counts = setmetatable({}, {__index = function() return 0 end})
for _, word in ipairs(words) do counts[word] = counts[word] + 1 end
local sum = 0
for i = 1, 300 do
  local ok, message = pcall(function() if i % 7 == 0 then error({i}) end return i end)
  sum = sum + (ok and message or message[1] // 2)
end
local generate = coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i * i) end end)
for _ = 1, 90 do sum = sum + generate() end
for i = 1, 200 do words = {i, words[1], tostring(i) .. "x", 1.5 * i} end
collectgarbage()
print(sum, counts.EHT, #string.format("%5.2f|%s", sum / 3, table.concat({1, 2, 3}, ",")))
