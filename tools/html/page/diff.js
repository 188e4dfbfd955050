// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison with an old profile: page_diff.c says what is written.  Rows are functions of both
// builds, as bbprof diff compares them.
const METRICS = [
  { key: "time", title: "self time", show: (seconds) => showTime(seconds * 1e9) },
  { key: "calls", title: "calls", show: (n) => showMean(n) },
  { key: "executions", title: "executions", show: (n) => showMean(n) },
];
const showMean = (n) => Number.isInteger(n) ? showCount(n) : n.toFixed(1);

function readRow([name, file, object, ...numbers]) {
  const row = { name: visible(name), file: visible(file), object: visible(object), functions: [],
                p: numbers[9] };
  METRICS.forEach(({ key }, i) => {
    const [old, now, same] = numbers.slice(3 * i, 3 * i + 3);
    row[key] = old === null ? null : { old, now, same: same === 1 };
  });
  return row;
}

// The old functions that the new profile does not have are added to the list of functions, and
// their objects to that of objects.
function addOld(rows, rowOf, { before, rowOfOld }) {
  const objectOf = before.objects.map((object, i) => {
    const found = i === 0 ? 0 : data.objects.findIndex(([name]) => name === object[0]);
    return found < 0 ? data.objects.push(object) - 1 : found;
  });
  const byName = new Map(functions.map((f, i) => [f.object + " " + f.name, i]));
  const rowNumbers = readNumbers(rowOfOld);
  return readFunctions(before.functions).map((f, i) => {
    const row = rowNumbers[i] - 1, object = objectOf[f.object];
    let found = byName.get(object + " " + f.name);
    if (found === undefined && row >= 0)
      found = rows[row].functions[0];
    if (found !== undefined && (row < 0 || rowOf[found] < 0 || rowOf[found] === row)) {
      if (rowOf[found] < 0 && row >= 0) {
        rowOf[found] = row;
        rows[row].functions.push(found);
      }
      return found;
    }
    rowOf.push(row);
    functions.push({ ...f, object, calls: 0, executions: 0 });
    if (row >= 0)
      rows[row].functions.push(functions.length - 1);
    return functions.length - 1;
  });
}

// The old stacks, with the new numbers of functions; a sample has the length of a new one.
function oldStacks(tree, numbers, tick) {
  for (let i = 0; i < tree.count; i++) {
    if (tree.parent[i] >= 0 && tree.code[i] !== UNKNOWN)
      tree.code[i] = 1 + 2 * numbers[(tree.code[i] - 1) >> 1] + (tree.code[i] - 1) % 2;
    if (tick > 0 && data.tick > 0)
      tree.self[i] *= tick / data.tick;
  }
  return tree;
}

// { old, now: the run sets; total; rows; rowOf: of each function, -1: none; stacks: old and new };
// null: nothing is compared.
const comparison = (() => {
  if (!data.diff)
    return null;
  const { total, before } = data.diff, rows = data.diff.rows.map(readRow);
  const rowOf = Array.from(readNumbers(data.diff.rowOf), (row) => row - 1);
  rowOf.forEach((row, i) => row >= 0 && rows[row].functions.push(i));
  const made = { old: data.diff.old, now: data.diff.new, total: readRow(total), rows, rowOf,
                 stacks: { new: sampled } };
  if (before)
    made.stacks.old = oldStacks(readTree(before.tree), addOld(rows, rowOf, data.diff), before.tick);
  return made;
})();
const compared = comparison ? METRICS.filter(({ key }) => {
  const change = comparison.total[key];
  return change && (change.old > 0 || change.now > 0);
}) : [];
if (compared.length)
  view.metric = (compared.find(({ key }) => key !== "calls") || compared[0]).key;
if (comparison)
  view.colour = "change";

const showP = (p) => p === null ? "" : p < 0.0001 ? "< 0.0001" : p.toFixed(4);

function showChange({ old, now }) {
  if (old === now)
    return "=";
  const percent = 100 * (now - old) / old;
  return old === 0 ? "new" : percent >= 999.5 ? "\u00d7 " + (now / old).toPrecision(4)
    : (percent > 0 ? "+" : "\u2212") + Math.abs(percent).toFixed(2) + " %";
}

// Red became more, blue less, the stronger the more (up to four times); grey is no difference.
function changeColour(row) {
  const change = row && row[view.metric];
  if (!change || change.same)
    return colours.same;
  const ratio = change.old > 0 && change.now > 0 ? Math.abs(Math.log2(change.now / change.old)) : 2;
  const strength = Math.min(1, 0.2 + 0.8 * ratio / 2);
  const light = colours.dark ? 26 + 14 * strength : 86 - 24 * strength;
  return `hsl(${change.now > change.old ? 6 : 214} ${40 + 45 * strength}% ${light}%)`;
}

// The row of a frame.  The time of an inlined function belongs to the one that it is inlined into.
function rowOfNode(node) {
  if (view.shape !== "inverted")
    while (node > 0 && isInlined(tree.code[node]))
      node = tree.parent[node];
  const code = tree.code[node];
  return node > 0 && code !== UNKNOWN ? comparison.rows[comparison.rowOf[(code - 1) >> 1]] : null;
}

const metricOf = () => METRICS.find(({ key }) => key === view.metric);

function describeChange(row) {
  const { title, show } = metricOf(), change = row && row[view.metric];
  if (!change)
    return [];
  return [`${title} of ${row.name}: old ${show(change.old)}, new ${show(change.now)}, `
    + showChange(change)
    + (view.metric !== "time" ? ", exact"
      : row.p === null ? ", too few samples to test" : ", p " + showP(row.p)
        + (change.same ? ": not significant" : ""))];
}

const DIFF_COLUMNS = [
  { key: "difference", title: "difference", of: (row, change) => change.now - change.old,
    order: (change) => change.same ? 0 : Math.abs(change.now - change.old) },
  { key: "old", title: "old", of: (row, change) => change.old },
  { key: "new", title: "new", of: (row, change) => change.now },
  { key: "change", title: "change", of: (row, change) => change.old === change.now ? 0
    : (change.now - change.old) / change.old, show: (n, change) => showChange(change) },
  { key: "p", title: "p", of: (row) => row.p, show: (p) => showP(p),
    order: (change, row) => row.p === null ? -2 : -row.p, time: true },
  { key: "name", title: "function", of: (row) => row.name, text: true },
  { key: "object", title: "object", of: (row) => row.object || visible(data.objects[0][0]),
    text: true },
  { key: "file", title: "file of a static function", of: (row) => row.file, text: true },
];
const diffColumns = () => DIFF_COLUMNS.filter(({ time }) => !time || view.metric === "time");

// The rows that match and have a value, sorted.
function listChanges() {
  const column = diffColumns().find(({ key }) => key === view.order) || DIFF_COLUMNS[0];
  const find = view.find.toLowerCase();
  const value = (row) => {
    const change = row[view.metric];
    return column.order ? column.order(change, row) : column.of(row, change);
  };
  return comparison.rows.filter((row) => row[view.metric]
      && (row[view.metric].old > 0 || row[view.metric].now > 0)
      && (!find || row.name.toLowerCase().includes(find)))
    .sort((a, b) => (column.text ? value(a).localeCompare(value(b))
      : value(a) === value(b) ? 0 : value(b) - value(a))
      || b[view.metric].now - a[view.metric].now || a.name.localeCompare(b.name));
}

function showDifference(n) {
  const { show } = metricOf();
  return n === 0 ? "0" : (n > 0 ? "+" : "\u2212") + show(Math.abs(n));
}

function diffCell(column, row) {
  const change = row[view.metric], value = column.of(row, change);
  const text = column.text ? value : column.show ? column.show(value, change)
    : column.key === "difference" ? showDifference(value) : metricOf().show(value);
  return cell("td", text, column.text ? "" : "number");
}

// What is compared, and what is not, with the way to it.
function diffFacts() {
  const describe = (name, set) => `${name}: ${visible(set.program)}, ${set.runs} `
    + (set.runs === 1 ? "run" : "runs") + (set.build ? ", build " + set.build.slice(0, 12) : "")
    + (set.inexact ? "; NOT EXACT: " + visible(set.inexact) : "");
  const facts = [describe("old", comparison.old), describe("new", comparison.now)];
  if (comparison.total[view.metric])
    facts.push(...describeChange({ ...comparison.total, name: "the program" }));
  const lacks = METRICS.filter((metric) => !compared.includes(metric)).map(({ title }) => title);
  if (lacks.length)
    facts.push(`Not compared: ${lacks.join(", ")}. Both profiles need samples (bbprof record), or `
      + "counts (compile with -pg -fplugin=bbprof).");
  if (!comparison.stacks.old)
    facts.push("The old run set is a baseline, which has no stacks.");
  return facts.map((text) => cell("p", text));
}

function fillDiff() {
  byId("diff-facts").replaceChildren(...diffFacts());
  const list = compared.length ? listChanges() : [], columns = diffColumns();
  const head = document.createElement("tr");
  for (const { key, title } of columns) {
    const element = cell("th", ""), button = cell("button", title);
    element.setAttribute("aria-sort", key === view.order ? "descending" : "none");
    button.addEventListener("click", () => {
      view.order = key;
      changed();
    });
    element.append(button);
    head.append(element);
  }
  document.querySelector("#changes thead").replaceChildren(head);
  document.querySelector("#changes tbody").replaceChildren(...list.slice(0, ROWS).map((row) => {
    const line = document.createElement("tr"), of = row.functions;
    line.className = (row[view.metric].same ? "same" : "")
      + (of.includes(view.chosen) ? " chosen" : "");
    line.append(...columns.map((column) => diffCell(column, row)));
    line.firstChild.style.borderLeft = "6px solid " + changeColour(row);
    line.addEventListener("click", () => {
      view.chosen = of.includes(view.chosen) || !of.length ? -1 : of[0];
      changed();
    });
    return line;
  }));
  byId("changed-rows").textContent = list.length > ROWS
    ? `${ROWS} of ${list.length} functions; find narrows them` : `${list.length} functions`;
}

// The choices and the legend, which the flame graph has, too.
function fillDiffTools() {
  const used = comparison && (view.tab === "flame" || view.tab === "diff");
  byId("metric").hidden = !used || compared.length < 2;
  byId("side").hidden = !comparison || !comparison.stacks.old || view.tab !== "flame";
  byId("metric").value = view.metric;
  byId("side").value = view.side;
  byId("thread").hidden = view.side === "old";
  const legend = byId("legend");
  legend.hidden = !used || !compared.length || (view.tab === "flame" && view.colour !== "change");
  if (legend.hidden)
    return;
  const swatch = (old, now, same) => {
    const box = cell("i", "");
    box.style.background = changeColour({ [view.metric]: { old, now, same } });
    return box;
  };
  const time = view.metric === "time";
  legend.replaceChildren(
    cell("span", metricOf().title + ", new against old:"), swatch(1, 4), swatch(1, 2),
    swatch(1, 1.1), cell("span", time ? "slower" : "more"), swatch(1, 0.25), swatch(1, 0.5),
    swatch(1, 0.9), cell("span", time ? "faster" : "fewer"), swatch(1, 1, true),
    cell("span", time ? `not significant (p \u2265 ${data.diff.significant})` : "equal"));
}

function listenDiff() {
  byId("metric").append(...compared.map(({ key, title }) => new Option("compare " + title, key)));
  byId("metric").addEventListener("change", (event) => {
    view.metric = event.target.value;
    changed();
  });
  byId("side").addEventListener("change", (event) => {
    view.side = event.target.value;
    view.thread = -1;
    changed();
  });
}

if (comparison)
  VIEWS.push({ name: "diff", title: "Comparison", fill: fillDiff });
