// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions call which: exact calls, and measured time by the stacks; and gprof's call graph.

// Each entry of gprof: { index, function (-1: none), name, cycle, whole, calls, selfCalls, self,
// children, callers, callees }; times are in samples.  Each arc: { from, to, count, self,
// children }; FROM and TO are entries.
const gprof = (() => {
  const numbers = readNumbers(data.gprof.nodes), links = readNumbers(data.gprof.arcs), list = [];
  for (let i = 0; i < numbers.length; i += 8)
    list.push({
      index: numbers[i], function: numbers[i + 1] - 1,
      name: numbers[i + 2] ? data.texts[numbers[i + 2] - 1] : "", cycle: numbers[i + 3],
      whole: numbers[i + 2] === 0, calls: numbers[i + 4], selfCalls: numbers[i + 5],
      self: numbers[i + 6] / 1000, children: numbers[i + 7] / 1000, callers: [], callees: [],
    });
  for (let i = 0; i < links.length; i += 5) {
    const arc = { from: list[links[i]], to: list[links[i + 1]], count: links[i + 2],
                  self: links[i + 3] / 1000, children: links[i + 4] / 1000 };
    arc.from.callees.push(arc);
    arc.to.callers.push(arc);
  }
  const most = (a, b) => b.self + b.children - a.self - a.children || b.count - a.count;
  for (const entry of list) {
    entry.callers.sort((a, b) => most(b, a)); // the largest is next to the function
    entry.callees.sort(most);
  }
  const of = new Map(list.filter((entry) => entry.function >= 0)
    .map((entry) => [entry.function, entry]));
  return { list, of, whole: (n) => list.find((e) => e.whole && e.cycle === n) };
})();

const exact = arcs.length > 0; // calls were counted
const stacked = data.stacks && sampled.count > 0;

// Edges between functions, by the stacks of a thread (-1: of all): { caller, callee, calls, time },
// and those of each function.  TIME: samples where the one is directly above the other; each sample
// counts once, however often the two are on its stack.
function makeEdges(thread) {
  const list = [], numbers = [], out = new Map(), into = new Map();
  const enter = (caller, callee) => {
    const callees = numbers[caller] || (numbers[caller] = new Map());
    let number = callees.get(callee);
    if (number === undefined) {
      number = list.length;
      callees.set(callee, number);
      list.push({ caller, callee, calls: 0, time: 0 });
    }
    return number;
  };
  for (const { caller, callee, count } of arcs)
    if (caller >= 0)
      list[enter(caller, callee)].calls += count;
  if (stacked)
    addTimes(thread, list, enter);
  const add = (map, f, edge) => map.has(f) ? map.get(f).push(edge) : map.set(f, [edge]);
  for (const edge of list.filter(({ calls, time }) => calls || time)) {
    add(out, edge.caller, edge);
    add(into, edge.callee, edge);
  }
  for (const edges of [...out.values(), ...into.values()])
    edges.sort(heavier);
  return { list, out: (f) => out.get(f) || [], into: (f) => into.get(f) || [] };
}

const heavier = (a, b) => b.time - a.time || b.calls - a.calls;

function addTimes(thread, list, enter) {
  const { count, parent, code } = sampled, samples = Float64Array.from(sampled.self);
  for (let i = count - 1; i >= 0; i--)
    if (parent[i] >= 0)
      samples[parent[i]] += samples[i];
  const edge = new Int32Array(count).fill(-1), path = [], within = [];
  for (let i = 0; i < count; i++) {
    while (path.length && path[path.length - 1] !== parent[i]) {
      const left = edge[path.pop()];
      if (left >= 0)
        within[left]--;
    }
    path.push(i);
    const up = parent[i];
    if (up < 0 || parent[up] < 0 || code[i] === UNKNOWN || code[up] === UNKNOWN
        || (thread >= 0 && sampled.thread[i] !== thread))
      continue;
    const number = enter((code[up] - 1) >> 1, (code[i] - 1) >> 1);
    edge[i] = number;
    within[number] = (within[number] || 0) + 1;
    if (within[number] === 1)
      list[number].time += samples[i];
  }
}

// The functions around ROOT: its callers, theirs and so on; its callees and theirs.  Level by
// level, and in a level the heaviest first, no more than MOST.  LEFT: whether others are left out.
function neighbourhood(edges, root, most) {
  const found = new Set([root]);
  let ways = [{ of: edges.into, end: "caller", last: [root] },
              { of: edges.out, end: "callee", last: [root] }], left = false;
  while (ways.length && !left) {
    const next = [];
    for (const way of ways)
      for (const edge of way.last.flatMap(way.of))
        next.push({ way, edge, f: edge[way.end] });
    next.sort((a, b) => heavier(a.edge, b.edge));
    for (const way of ways)
      way.last = [];
    for (const { way, f } of next) {
      if (found.has(f))
        continue;
      left = left || found.size >= most;
      if (found.size < most) {
        found.add(f);
        way.last.push(f);
      }
    }
    ways = ways.filter(({ last }) => last.length);
  }
  return { found, left };
}
