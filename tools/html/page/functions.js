// SPDX-License-Identifier: GPL-3.0-or-later
// The table of functions, and its copy as tab-separated values.
const showKnown = (n) => n ? showCount(n) : ""; // 0: not counted, or none
const placeOf = (f) => f.line ? f.file + ":" + f.line : f.file;
const COLUMNS = [
  { key: "self", title: "self", of: (f, i) => sums().self[i], show: showTicks, time: true },
  { key: "share", title: "self %", of: (f, i) => sums().self[i],
    show: (n) => showPercent(n, sums().all), time: true },
  { key: "total", title: "total", of: (f, i) => sums().total[i], show: showTicks, time: true },
  { key: "totalShare", title: "total %", of: (f, i) => sums().total[i],
    show: (n) => showPercent(n, sums().all), time: true },
  { key: "calls", title: "calls", of: (f) => f.calls, show: showKnown, count: true },
  { key: "executions", title: "executions", of: (f) => f.executions, show: showKnown,
    count: true },
  { key: "name", title: "function", of: (f) => f.name, show: (name) => cutInMiddle(name, 90) },
  { key: "object", title: "object", of: (f) => data.objects[f.object][0],
    show: (name) => visible(name) },
  { key: "file", title: "file", of: placeOf, show: (name) => name.replace(/^.*\//, "") },
];
const ROWS = 500;

// Those that the profile has values for.
const possibleColumns = () => COLUMNS.filter((column) =>
  (!column.count || data.counts || functions.some((f) => f.calls))
  && (!column.time || sampled.count > 0));
const shownColumns = () => possibleColumns().filter(({ key }) => !view.without.includes(key));

// A box for each column; the names stay.
function makeChoice() {
  byId("columns").replaceChildren(...possibleColumns().filter(({ key }) => key !== "name")
    .map(({ key, title }) => {
      const label = cell("label", ""), box = document.createElement("input");
      box.type = "checkbox";
      box.value = key;
      box.addEventListener("change", () => {
        view.without = box.checked ? view.without.filter((other) => other !== key)
          : [...view.without, key];
        changed();
      });
      label.append(box, " " + title);
      return label;
    }));
}

// The boxes stay the same ones, so that the keyboard's place is kept.
function fillChoice() {
  if (!byId("columns").childElementCount)
    makeChoice();
  for (const box of document.querySelectorAll("#columns input"))
    box.checked = !view.without.includes(box.value);
}

// Indexes of functions that ran and match, sorted.
function listFunctions() {
  const column = COLUMNS.find((column) => column.key === view.sort), list = [];
  for (let i = 0; i < functions.length; i++) {
    const f = functions[i];
    if ((sums().total[i] > 0 || f.calls > 0 || f.executions > 0)
        && (!view.find || f.name.toLowerCase().includes(view.find.toLowerCase())))
      list.push(i);
  }
  const values = new Map(list.map((i) => [i, column.of(functions[i], i)]));
  const text = list.length > 0 && typeof values.get(list[0]) === "string";
  return list.sort((a, b) => text ? values.get(a).localeCompare(values.get(b))
    : values.get(b) - values.get(a) || sums().total[b] - sums().total[a] || a - b);
}

function cell(kind, text, of = "") {
  const element = document.createElement(kind);
  element.textContent = text;
  element.className = of;
  return element;
}

function fillFunctions() {
  fillChoice();
  const columns = shownColumns(), list = listFunctions();
  const head = document.createElement("tr");
  for (const column of columns) {
    const element = cell("th", ""), button = cell("button", column.title);
    element.setAttribute("aria-sort", column.key === view.sort ? "descending" : "none");
    button.addEventListener("click", () => {
      view.sort = column.key;
      changed();
    });
    element.append(button);
    head.append(element);
  }
  document.querySelector("#functions thead").replaceChildren(head);
  document.querySelector("#functions tbody").replaceChildren(...list.slice(0, ROWS).map((i) => {
    const row = document.createElement("tr");
    row.className = i === view.chosen ? "chosen" : "";
    row.append(...columns.map((column) => cell("td", column.show(column.of(functions[i], i)),
      column.time || column.count ? "number" : column.key)));
    row.title = functions[i].name.length > 90 ? functions[i].name : "";
    row.addEventListener("click", () => {
      view.chosen = view.chosen === i ? -1 : i;
      changed();
    });
    return row;
  }));
  document.getElementById("rows").textContent = list.length > ROWS
    ? `${ROWS} of ${list.length} functions; find narrows them` : `${list.length} functions`;
}

// All rows that match, as they are sorted.
function tabSeparated() {
  const columns = shownColumns();
  const lines = [columns.map((column) => column.title)];
  for (const i of listFunctions())
    lines.push(columns.map((column) => String(column.of(functions[i], i)).replace(/[\t\n]/g, " ")));
  return lines.map((line) => line.join("\t")).join("\n") + "\n";
}

// A page from a file may have no clipboard of the new kind.
function copyTable() {
  const area = document.createElement("textarea");
  area.value = tabSeparated();
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  say(done ? "copied" : "this browser does not let a page copy");
}

VIEWS.push({ name: "functions", title: "Functions", fill: fillFunctions });
