// SPDX-License-Identifier: GPL-3.0-or-later
// What was watched, out of a page's JSON: timeline_data.c says how it is written.  A page that has
// a timeline defines around these scripts: data; part (id), the element; say (text), to readers;
// stackAt (row, i, time), the stack of interval i at that time, or -1; nameFrames (stack), the
// names of its functions, the innermost first; changed (), which draws soon; select (from, to), for
// a part that the pointer selected.
const RUNNING = 0, READY = 1, SLEEPING = 2, UNKNOWN = 3;
const LOCKED = 4; // sleeps in a lock: drawn in another way
const INFERRED = 2; // enum timeline_source
const STATES = ["running", "ready", "sleeping", "not known"];

const VOLUNTARY = 0, INVOLUNTARY = 1, MIGRATIONS = 2;
const KINDS = 3; // of switches

// Each interval has its length, its code, and a bit for each kind of switch since the one before,
// or 8 and the number of each kind.
function countIntervals(numbers) {
  let n = 0;
  for (let at = 0; at < numbers.length; n++)
    at += numbers[at + 2] < 8 ? 3 : 3 + KINDS;
  return n;
}

// A row of the picture: interval i goes from starts[i] to starts[i + 1], codes[i] says what it is;
// counts[KINDS * i + kind] is the number of switches from the window's begin to the interval's.
function readThread(thread, index) {
  const numbers = readNumbers(thread.intervals), n = countIntervals(numbers);
  const starts = new Float64Array(n + 1), codes = new Uint32Array(n);
  const counts = new Float64Array(KINDS * n);
  let time = thread.begun;
  for (let i = 0, at = 0; i < n; i++) {
    starts[i] = time;
    time += numbers[at++];
    codes[i] = numbers[at++];
    const bits = numbers[at++];
    for (let kind = 0; kind < KINDS; kind++)
      counts[KINDS * i + kind] = (i > 0 ? counts[KINDS * (i - 1) + kind] : 0)
        + (bits < 8 ? bits >> kind & 1 : numbers[at++]);
  }
  starts[n] = time;
  const samples = readNumbers(thread.samples);
  const times = new Float64Array(samples.length / 3), stacks = new Uint32Array(times.length);
  const ticks = new Uint32Array(times.length), sleeps = new Uint8Array(times.length);
  time = data.from;
  for (let i = 0; i < times.length; i++) {
    times[i] = time += samples[3 * i];
    stacks[i] = samples[3 * i + 1];
    ticks[i] = samples[3 * i + 2] >>> 1;
    sleeps[i] = samples[3 * i + 2] & 1;
  }
  return { index, name: thread.name, tid: thread.tid, starts, codes, counts, times, stacks, ticks,
    sleeps, switches: thread.switches, waits: readWaits(readNumbers(thread.waits)),
    mpi: readMpi(readNumbers(thread.mpi)) };
}

// Calls of MPI: call i goes from starts[i] to ends[i], names[i] is its function's.
function readMpi(numbers) {
  const n = numbers.length / 3;
  const starts = new Float64Array(n), ends = new Float64Array(n), names = new Uint32Array(n);
  for (let i = 0, time = data.from; i < n; i++) {
    starts[i] = time += numbers[3 * i];
    ends[i] = time + numbers[3 * i + 1];
    names[i] = numbers[3 * i + 2] - 1;
  }
  return { starts, ends, names };
}

// The call of MPI that the row is in at TIME; -1: none.
function mpiAt(row, time) {
  const i = row.mpi ? countUpTo(row.mpi.starts, time) - 1 : -1;
  return i >= 0 && time < row.mpi.ends[i] ? i : -1;
}

// Waits for locks, by the number of their interval.
function readWaits(numbers) {
  const waits = new Map();
  for (let at = 0, i = -1; at < numbers.length; at += 7) {
    const [between, lock, holder, holderSource, waker, wakerSource, name]
      = numbers.subarray(at, at + 7);
    i += between + 1;
    waits.set(i, { lock: Math.floor(lock / 2), inferred: lock % 2 === 1, holder: holder - 1,
      holderInferred: holderSource === INFERRED, waker: waker - 1, wakerSource,
      name: name > 0 ? data.names[name - 1] : "" });
  }
  return waits;
}

const threads = data.threads.map(readThread);
part("mpi-legend").hidden = threads.every((thread) => thread.mpi.starts.length === 0);
for (const thread of data.threads)
  thread.intervals = thread.samples = thread.waits = thread.mpi = "";

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

// The sample that was taken last in interval I at TIME or before; -1: none.
function sampleAt(row, i, time) {
  const n = countUpTo(row.times, time) - 1;
  return n < 0 || row.times[n] < row.starts[i] ? -1 : n;
}

// How many switches of that KIND a row has before TIME; behind its end, all.
function switchesBefore(row, time, kind) {
  if (time >= row.starts[row.codes.length])
    return row.switches[kind];
  const i = countUpTo(row.starts, time) - 1;
  const begun = i >= 0 && row.starts[i] === time ? i - 1 : i; // what begins then is not before it
  return begun >= 0 ? row.counts[KINDS * begun + kind] : 0;
}

// Of the part of a row from FROM to TO, by the rules of timeline_sums.c.
function sumsOf(row, from, to) {
  const sums = { time: [0, 0, 0, 0], reasons: new Map(), switches: [] };
  const { starts, codes } = row;
  for (let kind = 0; kind < KINDS; kind++)
    sums.switches[kind] = switchesBefore(row, to, kind) - switchesBefore(row, from, kind);
  for (let i = Math.max(countUpTo(starts, from) - 1, 0); i < codes.length && starts[i] < to; i++) {
    const state = stateOf(codes[i]);
    const length = Math.min(starts[i + 1], to) - Math.max(starts[i], from);
    sums.time[state] += length;
    if (state === SLEEPING)
      sums.reasons.set(detailOf(codes[i]), (sums.reasons.get(detailOf(codes[i])) || 0) + length);
  }
  return sums;
}
