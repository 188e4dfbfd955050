// SPDX-License-Identifier: GPL-3.0-or-later
// What the widths of frames are, and the range of time that counts.  Samples and sleeps with times
// are in the timeline, which fills TIMED.
const WIDTHS = { cpu: "CPU time", off: "off-CPU time", wall: "wall time", calls: "calls",
                 executions: "executions" };
const TIME = data.wall ? "wall" : "cpu"; // of samples
const timed = {
  data: data.timeline || null,
  samples: [], // { time, node, ticks, asleep }
  sleeps: [],  // { from, to, node }
  view, changed: () => changed(),
  writeAddress: () => writeAddress(),
  isWall: data.wall,
  why: visible((data.profiles.length === 1 ? data.profiles[0] + ": " : "") + data.noTimeline),
  known: 0,    // ticks of samples with times
};
sampled.ticks = Float64Array.from(sampled.self);

const allTicks = () => (sampled.ticks || sampled.self).reduce((sum, ticks) => sum + ticks, 0);
// Calls and executions have no stacks: estimate.js makes a tree.
const isEstimated = () => view.widths === "calls" || view.widths === "executions";

function hasWidths(name) {
  if (name === "calls" || name === "executions")
    return arcs.length > 0 && functions.some((f) => f[name] > 0);
  if (name === TIME)
    return sampled.count > 0 || !arcs.length;
  return name === "off" ? timed.sleeps.length > 0 && data.tick > 0 : data.wall && timed.known > 0;
}

const isInRange = (time) => view.from < 0 || (time >= view.from && time < view.to);

// Sets the ticks of each node: those of the profile, or those of the range.  The old stacks of a
// comparison have no times.
function weigh() {
  const self = sampled.self;
  if (!sampled.ticks)
    return undefined;
  if (isEstimated() || (view.from < 0 && view.widths === TIME))
    return self.set(sampled.ticks);
  self.fill(0);
  if (view.widths === "off")
    for (const { from, to, node } of timed.sleeps) {
      const part = view.from < 0 ? to - from : Math.min(to, view.to) - Math.max(from, view.from);
      self[node] += Math.max(part, 0) / data.tick;
    }
  else
    for (const { time, node, ticks, asleep } of timed.samples)
      if (isInRange(time) && (view.widths === "wall" || !asleep))
        self[node] += ticks;
  return undefined;
}

// The names on a node's stack, the innermost first.
function framesOf(node) {
  const names = [];
  for (; sampled.parent[node] >= 0; node = sampled.parent[node])
    names.push(nameOf(sampled.code[node]));
  return names;
}

function isInKernel(node) {
  const f = sampled.parent[node] >= 0 ? functionOf(sampled.code[node]) : null;
  return f !== null && data.objects[f.object][0] === "[kernel]";
}

// Of each node: is the chosen function, or one that was found, on its stack?  Null: none is wanted.
function selectedNodes() {
  if (view.chosen < 0 && !view.find)
    return null;
  const has = new Uint8Array(sampled.count);
  for (let i = 0; i < sampled.count; i++) {
    const up = sampled.parent[i], code = sampled.code[i];
    has[i] = up >= 0 && (has[up] || matches(code)
      || (code !== UNKNOWN && view.chosen >= 0 && (code - 1) >> 1 === view.chosen));
  }
  return has;
}

// A function that stands for a wait reason.
function reasonFunction(reason) {
  let object = data.objects.findIndex(([name]) => name === "[kernel]");
  if (object < 0)
    object = data.objects.push(["[kernel]", "[kernel]", ""]) - 1;
  functions.push({ name: "[" + reason + "]", file: "", line: 0, object, calls: 0, executions: 0 });
  return functions.length - 1;
}

// Stacks of sleeps of which only the reason is known: for each thread (index, or -2: of no sample)
// the nodes root, unknown code, and one for each reason.  Returns the node of a thread and reason.
function addReasons(byThread, reasons) {
  const { parent, code, thread } = sampled, places = new Map(), made = new Map();
  const [parents, codes, owners] = [Array.from(parent), Array.from(code), Array.from(thread)];
  const add = (up, what, owner) => {
    parents.push(up);
    codes.push(what);
    return owners.push(owner) - 1;
  };
  for (const [owner, wanted] of byThread) {
    const unknown = add(add(-1, owner, owner), UNKNOWN, owner);
    for (const reason of wanted) {
      if (!made.has(reason))
        made.set(reason, reasonFunction(reasons[reason] || "unknown wait"));
      places.set(owner + "," + reason, add(unknown, 1 + 2 * made.get(reason), owner));
    }
  }
  const longer = (list) => {
    const all = new Float64Array(parents.length);
    all.set(list);
    return all;
  };
  Object.assign(sampled, { count: parents.length, parent: Int32Array.from(parents),
    code: Int32Array.from(codes), thread: Int32Array.from(owners), self: longer(sampled.self),
    ticks: longer(sampled.ticks) });
  return (owner, reason) => places.get(owner + "," + reason);
}

function setRange(from, to) {
  [view.from, view.to] = from < to ? [Math.round(from), Math.round(to)] : [-1, -1];
  changed();
}

const rangeText = () => (view.from / 1e9).toFixed(6) + " s to " + (view.to / 1e9).toFixed(6) + " s";

// The tools: only what the profile has.
function fillRange() {
  const select = byId("widths"), button = byId("range");
  const names = Object.keys(WIDTHS).filter(hasWidths);
  if (select.options.length === 0)
    select.append(...names.map((name) => new Option(WIDTHS[name], name)));
  select.hidden = select.options.length < 2;
  select.value = view.widths;
  button.hidden = view.from < 0;
  button.textContent = view.from < 0 ? "" : rangeText() + " \u2715";
}

function listenToRange() {
  byId("widths").addEventListener("change", (event) => {
    view.widths = event.target.value;
    changed();
  });
  byId("range").addEventListener("click", () => setRange(-1, -1));
}
