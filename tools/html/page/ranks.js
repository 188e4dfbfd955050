// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a program of MPI: a row of colours for each function, and the calls of MPI.
const RANK_CELLS = 64; // at most; of more ranks neighbours share a cell, which has the most of them

const rankValue = (value) => data.ranks.unit === "seconds"
  ? (value / data.ranks.per).toFixed(3) : showCount(value);
const rankMean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

// The values of the cells of a row, each with its ranks.
function rankCells(values) {
  const count = Math.min(values.length, RANK_CELLS), cells = [];
  for (let i = 0; i < count; i++) {
    const from = Math.floor(i * values.length / count),
          to = Math.floor((i + 1) * values.length / count);
    cells.push({ value: Math.max(...values.slice(from, to)), from, to: to - 1 });
  }
  return cells;
}

function makeStrip(values) {
  const strip = cell("td", "", "strip"), most = Math.max(...values);
  for (const { value, from, to } of rankCells(values)) {
    const part = document.createElement("i"), [first, last] = [from, to]
      .map((i) => data.ranks.numbers[i]);
    part.style.opacity = most ? value / most : 0;
    part.title = (first === last ? `rank ${first}: ` : `ranks ${first} to ${last}: at most `)
      + rankValue(value);
    const frame = cell("span", "");
    frame.append(part);
    strip.append(frame);
  }
  return strip;
}

function fillRankTable(table, titles, rows) {
  const head = document.createElement("tr");
  head.append(...titles.map((title) => cell("th", title)));
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((content) => typeof content === "object" ? content
      : cell("td", content, typeof content === "number" ? "number" : "")));
    return row;
  }));
}

const numberCell = (text) => cell("td", text, "number");

function fillRanks() {
  const { numbers, rows, calls, unit } = data.ranks;
  const found = (name) => !view.find || name.toLowerCase().includes(view.find.toLowerCase());
  fillRankTable(byId("rank-rows"),
    [unit, "least", "rank", "mean", "most", "rank", "imbalance", "ranks", "function", "object"],
    rows.filter(([name]) => found(name)).map(([name, object, least, most, imbalance, values]) => [
      numberCell(rankValue(values.reduce((sum, value) => sum + value, 0))),
      numberCell(rankValue(values[least])), numberCell(numbers[least]),
      numberCell(rankValue(Math.round(rankMean(values)))), numberCell(rankValue(values[most])),
      numberCell(numbers[most]), numberCell((100 * imbalance).toFixed(1) + "%"),
      makeStrip(values), cell("td", visible(name)), cell("td", visible(object))]));
  fillRankTable(byId("rank-calls"),
    ["seconds", "most", "rank", "calls", "bytes", "waited", "last rank", "times", "late by", "call",
     "from"],
    calls.map(([call, from, count, bytes, seconds, longest, most, waited, last, late, spread]) => [
      numberCell(seconds.toFixed(3)), numberCell(longest.toFixed(3)), numberCell(numbers[most]),
      numberCell(showCount(count)), numberCell(showCount(bytes)),
      numberCell(last ? waited.toFixed(3) : ""), numberCell(last ? numbers[late] : ""),
      numberCell(last ? showCount(last) : ""), numberCell(last ? spread.toFixed(3) : ""),
      cell("td", call), cell("td", visible(from))]));
}

if (data.ranks)
  VIEWS.push({ name: "ranks", title: "Ranks", fill: fillRanks });
