// SPDX-License-Identifier: GPL-3.0-or-later
// The profile, out of the page's JSON: html_page.c says how it is written.
const data = JSON.parse(document.getElementById("data").textContent);

// Characters that control the text around them are shown as their numbers.
function visible(text) {
  return text.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}
data.texts = data.texts.map(visible);

// Each function: { name, file, line, object, calls, executions }.
function readFunctions(text) {
  const numbers = readNumbers(text), list = [];
  for (let i = 0; i < numbers.length; i += 6)
    list.push({
      name: data.texts[numbers[i]],
      file: numbers[i + 1] ? data.texts[numbers[i + 1] - 1] : "",
      line: numbers[i + 2], object: numbers[i + 3],
      calls: numbers[i + 4], executions: numbers[i + 5],
    });
  return list;
}
const functions = readFunctions(data.functions);

// Exact calls between two functions; caller -1: unknown.
const arcs = (() => {
  const numbers = readNumbers(data.arcs), list = [];
  for (let i = 0; i < numbers.length; i += 3)
    list.push({ caller: numbers[i] - 1, callee: numbers[i + 1], count: numbers[i + 2] });
  return list;
})();

// What a frame is, its CODE: 0: unknown; else 1 + 2 * function + inlined.
const UNKNOWN = 0;
const functionOf = (code) => code === UNKNOWN ? null : functions[(code - 1) >> 1];
const isInlined = (code) => code !== UNKNOWN && (code - 1) % 2 === 1;
const nameOf = (code) => code === UNKNOWN ? "[unknown]" : functionOf(code).name;

// The sampled stacks, in preorder: the parent of each node (-1: a thread, whose code is its
// number), its code, the samples that ended in it, its thread; whether it was found by the frame
// pointer.
function readTree(text, byPointer = "") {
  const numbers = readNumbers(text);
  let count = 0;
  for (let at = 0; at < numbers.length; at += 2 + numbers[at] % 2)
    count++;
  const tree = { count, parent: new Int32Array(count), code: new Int32Array(count),
                 self: new Float64Array(count), thread: new Int32Array(count),
                 byPointer: new Uint8Array(count) };
  const path = new Int32Array(count);
  for (let i = 0, at = 0, depth = 0; i < count; i++) {
    const step = numbers[at++], code = numbers[at++];
    depth -= step >> 1;
    tree.parent[i] = depth > 0 ? path[depth - 1] : -1;
    tree.code[i] = code;
    tree.self[i] = step & 1 ? numbers[at++] : 0;
    tree.thread[i] = depth > 0 ? tree.thread[path[0]] : code;
    path[depth++] = i;
  }
  let place = 0;
  for (const distance of readNumbers(byPointer))
    tree.byPointer[place += distance] = 1;
  return tree;
}
let sampled = readTree(data.tree, data.byPointer);

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

// TICKS as time, or as samples where the profile has no time.
function showTicks(ticks) {
  if (ticks === 0)
    return "0";
  if (!data.tick)
    return ticks + (ticks === 1 ? " sample" : " samples");
  return showTime(ticks * data.tick);
}

function showTime(ns) {
  if (ns === 0)
    return "0";
  const [size, unit] = UNITS.find(([size]) => ns >= size) || UNITS[3];
  return (ns / size).toPrecision(4) + " " + unit;
}

const grouped = new Intl.NumberFormat("en"); // toLocaleString would make one for each number
const showCount = (n) => grouped.format(n).replace(/,/g, "\u202f");
const showPercent = (part, all) => (all > 0 ? 100 * part / all : 0).toFixed(2) + " %";

// Samples are independent random events: after N of them, 95 % of such runs have between these
// (Poisson, by the approximation of Wilson and Hilferty).
function interval(n) {
  const bound = (k, z) => k <= 0 ? 0
    : Math.max(0, k * (1 - 1 / (9 * k) + z / (3 * Math.sqrt(k))) ** 3);
  return [bound(n, -1.96), bound(n + 1, 1.96)];
}
