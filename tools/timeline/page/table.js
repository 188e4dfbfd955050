// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of the window, one line a thread.
const sums = document.getElementById("sums");
const MOST_LINES = 1000;
let cells = []; // by thread: those of its line

function makeTable() {
  const names = ["thread", "tid", "running", "%", "ready", "%", "sleeping", "%", "not known", "voluntary", "involuntary",
                 "migrations", "slept for"];
  const head = document.createElement("tr");
  for (const name of names) {
    head.append(line("th", name));
    head.lastChild.scope = "col";
  }
  sums.tHead.replaceChildren(head);
  cells = threads.slice(0, MOST_LINES).map((thread) => {
    const row = document.createElement("tr");
    row.addEventListener("click", () => choose(view.chosen === thread.index ? -1 : thread.index));
    row.append(...names.map(() => document.createElement("td")));
    return [...row.cells];
  });
  sums.tBodies[0].replaceChildren(...cells.map((list) => list[0].parentNode));
  if (threads.length > MOST_LINES)
    sums.caption.textContent += " (of the first " + MOST_LINES + " threads)";
}

const percent = (part, all) => all > 0 ? (part / all * 100).toFixed(1) : "";

function reasonsText(reasons) {
  return [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 3)
    .map(([reason, time]) => (data.reasons[reason] || "not known") + " " + showLength(time)).join(", ");
}

function fillTable() {
  const from = Math.max(view.from, whole.from), to = Math.min(view.to, whole.to);
  for (let i = 0; i < cells.length; i++) {
    const { name, tid } = threads[i], of = sumsOf(threads[i], from, to);
    const life = of.time.reduce((sum, time) => sum + time);
    const texts = [name, tid, ...[RUNNING, READY, SLEEPING].flatMap((s) => [showLength(of.time[s]), percent(of.time[s], life)]),
                   of.time[UNKNOWN] ? showLength(of.time[UNKNOWN]) : "",
                   ...of.switches, reasonsText(of.reasons)];
    texts.forEach((text, n) => { cells[i][n].textContent = text; });
    cells[i][0].parentNode.className = i === view.chosen ? "chosen" : "";
  }
}
