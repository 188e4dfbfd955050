// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of the window, one line a thread.
const sums = part("sums");
const MOST_LINES = 1000;
let cells = []; // by thread: those of its line

function makeTable() {
  const names = ["thread", "tid", "running", "%", "ready", "%", "sleeping", "%", "not known",
                 "voluntary", "involuntary", "migrations", "slept for"];
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
    .map(([reason, time]) => (data.reasons[reason] || "not known") + " " + showLength(time))
    .join(", ");
}

function fillTable() {
  const from = Math.max(view.from, whole.from), to = Math.min(view.to, whole.to);
  for (let i = 0; i < cells.length; i++) {
    const { name, tid } = threads[i], of = sumsOf(threads[i], from, to);
    const life = of.time.reduce((sum, time) => sum + time);
    const states = [RUNNING, READY, SLEEPING]
      .flatMap((s) => [showLength(of.time[s]), percent(of.time[s], life)]);
    const texts = [name, tid, ...states,
                   of.time[UNKNOWN] ? showLength(of.time[UNKNOWN]) : "",
                   ...of.switches, reasonsText(of.reasons)];
    texts.forEach((text, n) => { cells[i][n].textContent = text; });
    cells[i][0].parentNode.className = i === view.chosen ? "chosen" : "";
  }
  fillLocks(from, to);
}

// Locks: how long threads waited for each in the window.
const locks = part("locks");
const LOCK_COLUMNS = ["lock", "kind", "waits", "waited", "longest", "mostly held by", "known",
  "inferred", "waits in"];

function addWait(of, wait, length) {
  of.waits++;
  of.time += length;
  if (length > of.longest) {
    of.longest = length;
    of.name = wait.name || of.name;
  }
  if (wait.holder < 0)
    return;
  const held = of.holders.get(wait.holder) || { time: 0, known: 0, inferred: 0 };
  held.time += length;
  held[wait.holderInferred ? "inferred" : "known"]++;
  of.holders.set(wait.holder, held);
}

function lockSums(from, to) {
  const sums = new Map();
  for (const { starts, waits } of threads)
    for (const [i, wait] of waits) {
      const length = Math.min(starts[i + 1], to) - Math.max(starts[i], from);
      if (length <= 0)
        continue;
      if (!sums.has(wait.lock))
        sums.set(wait.lock, { waits: 0, time: 0, longest: 0, name: "", holders: new Map() });
      addWait(sums.get(wait.lock), wait, length);
    }
  return [...sums].sort((a, b) => b[1].time - a[1].time);
}

function lockRow([lock, of]) {
  const [holder, held] = [...of.holders].sort((a, b) => b[1].time - a[1].time)[0] || [-1, null];
  const row = document.createElement("tr");
  row.append(...[...data.lockList[lock], of.waits, showLength(of.time), showLength(of.longest),
    held ? data.people[holder] : "", held ? held.known : "", held ? held.inferred : "", of.name]
    .map((text) => line("td", text)));
  return row;
}

function fillLocks(from, to) {
  const sums = lockSums(from, to).slice(0, MOST_LINES);
  locks.hidden = sums.length === 0;
  locks.tBodies[0].replaceChildren(...sums.map(lockRow));
}

function makeLocks() {
  const head = document.createElement("tr");
  for (const name of LOCK_COLUMNS) {
    head.append(line("th", name));
    head.lastChild.scope = "col";
  }
  locks.tHead.replaceChildren(head);
}
