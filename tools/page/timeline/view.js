// SPDX-License-Identifier: GPL-3.0-or-later
// What part of it is to be seen, and how times are written.
const whole = { from: data.from, to: data.to };
const view = {
  from: whole.from, to: whole.to, // the window
  chosen: -1,                     // index of a thread
  cursor: null,                   // time that was jumped to
  byCpu: data.byCpu,
  drag: null,                     // part that is being selected: two times
  range: null,                    // part that is marked: two times
};
const SHORTEST = 100; // nanoseconds: no window is shorter

// The window's middle stays within the run.
function setWindow(from, to) {
  const length = Math.max(to - from, Math.min(SHORTEST, whole.to - whole.from));
  if (length >= whole.to - whole.from)
    [view.from, view.to] = [whole.from, whole.to];
  else {
    const middle = Math.min(Math.max((from + to) / 2, whole.from), whole.to);
    [view.from, view.to] = [middle - length / 2, middle + length / 2];
  }
  changed();
}

// FACTOR > 1 shows less; TIME stays where it is.
function zoom(factor, time) {
  setWindow(time - (time - view.from) / factor, time + (view.to - time) / factor);
}

function pan(share) {
  const by = (view.to - view.from) * share;
  setWindow(view.from + by, view.to + by);
}

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

function unitOf(ns) {
  return UNITS.find(([size]) => Math.abs(ns) >= size) || UNITS[3];
}

// A length, with four digits.
function showLength(ns) {
  const [size, name] = unitOf(ns);
  return (size === 1 ? ns.toFixed(0) : (ns / size).toPrecision(4)) + " " + name;
}

// A time of the run, to the microsecond; to the nanosecond if TO is less than that.
function showTime(ns, to = 1000) {
  if (ns >= 1e10)
    return (ns / 1e9).toFixed(to >= 1e3 ? 6 : 9) + " s";
  return (ns / 1e6).toFixed(to >= 1e3 ? 3 : 6) + " ms";
}

// Where the axis has its ticks: 1, 2 or 5 times a power of ten apart, about MOST of them.
function ticksOf(most) {
  const least = (view.to - view.from) / most;
  let step = 10 ** Math.floor(Math.log10(least));
  step *= [1, 2, 5, 10].find((times) => times * step >= least);
  step = Math.max(step, 1);
  const [size, name] = unitOf(Math.max(view.to, step)), ticks = [];
  const digits = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
  const end = Math.min(view.to, whole.to), begin = Math.max(view.from, whole.from);
  for (let time = Math.ceil(begin / step) * step; time <= end; time += step)
    ticks.push([time, (time / size).toFixed(digits) + " " + name]);
  return ticks;
}
