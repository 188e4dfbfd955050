// SPDX-License-Identifier: GPL-3.0-or-later
// What was watched, out of the page's JSON: timeline_html.c says how it is written.
"use strict";

const RUNNING = 0, READY = 1, SLEEPING = 2, UNKNOWN = 3;
const LOCKED = 4; // sleeps in a lock: drawn in another way
const STATES = ["running", "ready", "sleeping", "not known"];
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitOf = new Uint8Array(128);
for (let i = 0; i < 64; i++)
  digitOf[DIGITS.charCodeAt(i)] = i;

function readNumbers(text) {
  let count = 0;
  for (let i = 0; i < text.length; i++)
    count += digitOf[text.charCodeAt(i)] < 32;
  const numbers = new Float64Array(count);
  for (let i = 0, n = 0; n < count; n++) {
    let value = 0, place = 1, digit;
    do {
      digit = digitOf[text.charCodeAt(i++)];
      value += (digit & 31) * place;
      place *= 32;
    } while (digit >= 32);
    numbers[n] = value;
  }
  return numbers;
}

// A row of the picture: interval i is from starts[i] to starts[i + 1], and is what codes[i] says.
function readThread(thread, index) {
  const numbers = readNumbers(thread.intervals), n = numbers.length / 2;
  const starts = new Float64Array(n + 1), codes = new Uint32Array(n);
  let time = thread.begun;
  for (let i = 0; i < n; i++) {
    starts[i] = time;
    time += numbers[2 * i];
    codes[i] = numbers[2 * i + 1];
  }
  starts[n] = time;
  const samples = readNumbers(thread.samples);
  const times = new Float64Array(samples.length / 2), stacks = new Uint32Array(times.length);
  time = data.from;
  for (let i = 0; i < times.length; i++) {
    times[i] = time += samples[2 * i];
    stacks[i] = samples[2 * i + 1];
  }
  return { index, name: thread.name, tid: thread.tid, starts, codes, times, stacks, whole: thread };
}

const data = JSON.parse(document.getElementById("data").textContent);
const threads = data.threads.map(readThread);
for (const thread of data.threads)
  thread.intervals = thread.samples = "";

const stateOf = (code) => code & 3;
const isEstimated = (code) => (code & 4) !== 0;
const detailOf = (code) => code >>> 3;
const cpuOf = (code) => stateOf(code) === RUNNING ? detailOf(code) - 1 : -1;

// How many of the sorted list's numbers are TIME or less.
function countUpTo(list, time) {
  let from = 0, to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] <= time)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

// Which interval of the row TIME is in; -1: none.
function intervalAt(row, time) {
  const i = countUpTo(row.starts, time) - 1;
  return i < row.codes.length ? i : -1;
}

// The stack sampled last in interval I at TIME or before: names, the innermost first; none: null.
function stackAt(row, i, time) {
  const n = countUpTo(row.times, time) - 1;
  if (n < 0 || row.times[n] < row.starts[i])
    return null;
  return [...readNumbers(data.stacks[row.stacks[n]])].map((name) => data.names[name]);
}

// Of the part of a row from FROM to TO.
function sumsOf(row, from, to) {
  const sums = { time: [0, 0, 0, 0], reasons: new Map(), voluntary: 0, involuntary: 0, migrations: 0 };
  const { starts, codes } = row;
  let cpu = -1;
  for (let i = Math.max(countUpTo(starts, from) - 1, 0); i < codes.length && starts[i] < to; i++) {
    const state = stateOf(codes[i]), length = Math.min(starts[i + 1], to) - Math.max(starts[i], from);
    sums.time[state] += length;
    if (state === SLEEPING)
      sums.reasons.set(detailOf(codes[i]), (sums.reasons.get(detailOf(codes[i])) || 0) + length);
    if (state !== RUNNING)
      continue;
    sums.migrations += cpu >= 0 && cpuOf(codes[i]) >= 0 && cpu !== cpuOf(codes[i]);
    cpu = cpuOf(codes[i]);
    if (starts[i + 1] >= to || i + 1 === codes.length)
      continue;
    sums.voluntary += stateOf(codes[i + 1]) === SLEEPING;
    sums.involuntary += stateOf(codes[i + 1]) === READY;
  }
  return sums;
}
