// SPDX-License-Identifier: GPL-3.0-or-later
// A call tree that is estimated from exact counts, for profiles whose calls have no stacks.  As
// gprof does, it assumes that each call of a function costs the same: what a function counted is
// split among its callers by their calls.
const MOST_ESTIMATED = 10000; // then each may get one more, for what is left out
const LEAST_SHARE = 1e-4;

// Functions that call each other in a circle are one cycle: Tarjan's algorithm, without recursion.
// Returns the cycle of each function; cycles are numbered from the callees up.
function findCycles(callees) {
  const count = callees.length, cycle = new Int32Array(count).fill(-1);
  const seen = new Int32Array(count).fill(-1), low = new Int32Array(count), open = [];
  let time = 0, cycles = 0;
  for (let root = 0; root < count; root++) {
    if (seen[root] >= 0)
      continue;
    const walk = [[root, 0]];
    while (walk.length) {
      const top = walk[walk.length - 1], f = top[0];
      if (seen[f] < 0) {
        seen[f] = low[f] = time++;
        open.push(f);
      }
      if (top[1] < callees[f].length) {
        const { callee } = callees[f][top[1]++];
        if (seen[callee] < 0)
          walk.push([callee, 0]);
        else if (cycle[callee] < 0)
          low[f] = Math.min(low[f], seen[callee]);
        continue;
      }
      walk.pop();
      if (walk.length) {
        const above = walk[walk.length - 1][0];
        low[above] = Math.min(low[above], low[f]);
      }
      if (low[f] === seen[f]) {
        let member;
        do {
          member = open.pop();
          cycle[member] = cycles;
        } while (member !== f);
        cycles++;
      }
    }
  }
  return { cycle, cycles };
}

// The call graph without the arcs inside of cycles; per cycle: calls from outside, members.
function makeGraph() {
  const callees = functions.map(() => []);
  for (const arc of arcs)
    if (arc.caller >= 0)
      callees[arc.caller].push(arc);
  const { cycle, cycles } = findCycles(callees);
  const members = Array.from({ length: cycles }, () => []), calls = new Float64Array(cycles);
  functions.forEach((f, i) => members[cycle[i]].push(i));
  for (const { caller, callee, count } of arcs)
    if (caller < 0 || cycle[caller] !== cycle[callee])
      calls[cycle[callee]] += count;
  const outward = callees.map((list, i) => list.filter(({ callee }) => cycle[callee] !== cycle[i]));
  return { cycle, members, calls, outward };
}

// What each cycle counted with all that it called; a number for each cycle.
function sumCycles({ cycle, members, calls, outward }, key) {
  const totals = new Float64Array(members.length);
  members.forEach((list, c) => {
    for (const i of list) {
      totals[c] += functions[i][key];
      for (const { callee, count } of outward[i])
        totals[c] += totals[cycle[callee]] * count / calls[cycle[callee]];
    }
  });
  return totals;
}

// A tree like that of the sampled stacks, of KEY: calls or executions.  A node is assumed, unless
// all calls of its function are on this path.  What is left out is [unknown].
function estimate(key) {
  const graph = makeGraph(), { cycle, members, calls, outward } = graph;
  const totals = sumCycles(graph, key), queue = [];
  const parent = [-1], code = [0], self = [0], assumed = [0], rest = new Map();
  const add = (above, what, counted, unsure) => {
    parent.push(above);
    code.push(what);
    self.push(counted);
    assumed.push(unsure ? 1 : 0);
    return parent.length - 1;
  };
  const enter = (above, f, share) => queue.push({ above, f, share });
  for (const { caller, callee, count } of arcs)
    if (caller < 0)
      enter(0, callee, count / calls[cycle[callee]]);
  members.forEach((list, c) => calls[c] === 0 && totals[c] > 0 && enter(0, list[0], 1));
  const all = totals.reduce((sum, n, c) => calls[c] === 0 ? sum + n : sum, 0)
    + arcs.reduce((sum, { caller, callee, count }) => caller < 0
      ? sum + totals[cycle[callee]] * count / calls[cycle[callee]] : sum, 0);
  const visit = (node, i, share) => {
    for (const { callee, count } of outward[i])
      enter(node, callee, share * count / calls[cycle[callee]]);
  };
  for (let next = 0; next < queue.length; next++) {
    const { above, f, share } = queue[next], c = cycle[f], list = members[c];
    if (totals[c] === 0)
      continue;
    if (totals[c] * share < LEAST_SHARE * all || parent.length + list.length > MOST_ESTIMATED) {
      if (!rest.has(above))
        rest.set(above, add(above, UNKNOWN, 0, true));
      self[rest.get(above)] += totals[c] * share;
      continue;
    }
    const unsure = share < 1 - 1e-9 || list.length > 1;
    const node = add(above, 1 + 2 * f, functions[f][key] * share, unsure);
    visit(node, f, share);
    for (const i of list)
      if (i !== f)
        visit(add(node, 1 + 2 * i, functions[i][key] * share, unsure), i, share);
  }
  return { count: parent.length, parent, code, self, assumed,
           thread: new Int32Array(parent.length) };
}

if (!hasWidths(TIME))
  view.widths = usualWidths = hasWidths("executions") ? "executions" : "calls";

const estimates = new Map();
function shownStacks() {
  if (!isEstimated())
    return sampled;
  if (!estimates.has(view.widths))
    estimates.set(view.widths, estimate(view.widths));
  return estimates.get(view.widths);
}

function showWidth(n) {
  return isEstimated() ? showCount(Math.round(n)) + " " + view.widths : showTicks(n);
}

const COLOURINGS = [["object", "colour by object"], ["trust", "colour by trust"],
                    ["change", "colour by change"]].filter(([key]) => key !== "change"
  || comparison);

function trustColour(node) {
  return tree.assumed[node] ? colours.assumed : colours.measured;
}

function fillColouring() {
  const used = view.tab === "flame";
  byId("colouring").hidden = !used;
  byId("colouring").value = view.colour;
  byId("thread").hidden ||= used && isEstimated();
  byId("side").hidden ||= isEstimated();
  const estimated = isEstimated(), lines = [];
  if (estimated)
    lines.push(cell("span", `Estimated: the functions' ${view.widths} are exact; they are split `
      + "among the callers by their calls, as gprof does."));
  if (view.colour === "trust")
    for (const [name, text] of [
      ["measured", estimated ? "exact: all calls of the function are on this path"
        : "measured: sampled stacks"],
      ["assumed", "assumed: split by calls"]].slice(0, estimated ? 2 : 1)) {
      const box = cell("i", "");
      box.style.background = colours[name];
      lines.push(box, cell("span", text));
    }
  byId("estimated").replaceChildren(...lines);
  byId("estimated").hidden = !used || !lines.length;
}

function listenToColouring() {
  byId("colouring").append(...COLOURINGS.map(([key, title]) => new Option(title, key)));
  byId("colouring").addEventListener("change", (event) => {
    view.colour = event.target.value;
    changed();
  });
}
