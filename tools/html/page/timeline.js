// SPDX-License-Identifier: GPL-3.0-or-later
// The view: draws, and gives the page its samples and sleeps with their times.
let waits = false, later = 0;

// The page's thread of each row: that of its samples; -2: it has none.
const pageThreads = threads.map((row) => row.stacks.length ? sampled.thread[row.stacks[0]] : -2);

// The sample that was taken in sleep I: of the sleeping thread; on the wall clock also that which
// woke it, the first in the run behind it.
function sampleOf(row, i, isWall) {
  const n = sampleAt(row, i, row.starts[i + 1] - 1);
  if (n >= 0 && row.sleeps[n])
    return n;
  let run = i + 1;
  while (run < row.codes.length && stateOf(row.codes[run]) === READY)
    run++;
  if (!isWall || run >= row.codes.length || stateOf(row.codes[run]) !== RUNNING)
    return -1;
  const first = countUpTo(row.times, row.starts[run] - 1);
  return first < row.times.length && row.times[first] < row.starts[run + 1]
    && isInKernel(row.stacks[first]) ? first : -1;
}

function addSamples(row, woken) {
  for (let n = 0; n < row.times.length; n++) {
    timed.samples.push({ time: row.times[n], node: row.stacks[n], ticks: row.ticks[n],
      asleep: row.sleeps[n] === 1 || woken.has(n) });
    timed.known += row.ticks[n];
  }
}

// Sleeps with their stacks; of others the reason.
function addSleeps(isWall) {
  const unknown = [], byThread = new Map();
  threads.forEach((row, index) => {
    const woken = new Set();
    row.slept = new Map();
    for (let i = 0; i < row.codes.length; i++) {
      if (stateOf(row.codes[i]) !== SLEEPING)
        continue;
      const n = sampleOf(row, i, isWall), owner = pageThreads[index];
      const sleep = { from: row.starts[i], to: row.starts[i + 1], node: row.stacks[n] };
      timed.sleeps.push(sleep);
      if (n >= 0) {
        row.slept.set(i, row.stacks[n]);
        woken.add(n);
        continue;
      }
      const reason = detailOf(row.codes[i]);
      if (!byThread.has(owner))
        byThread.set(owner, new Set());
      byThread.get(owner).add(reason);
      unknown.push([sleep, owner, reason]);
    }
    addSamples(row, woken);
  });
  const nodeOf = addReasons(byThread, data.reasons);
  for (const [sleep, owner, reason] of unknown)
    sleep.node = nodeOf(owner, reason);
}

// Small marks above the bars: samples with the chosen or found function on their stacks.
function drawSelected() {
  const has = selectedNodes(), rows = rowsBelow();
  if (!has)
    return;
  const ctx = picture.getContext("2d"), head = headHeight(), height = picture.clientHeight;
  ctx.fillStyle = getComputedStyle(picture).getPropertyValue("--found").trim();
  for (let i = Math.floor(frame.scrollTop / ROW); i < rows.length; i++) {
    const y = head + i * ROW - frame.scrollTop, row = rows[i];
    if (y > height)
      break;
    if (row.cpu !== undefined || y < head)
      continue;
    let last = -1;
    for (let n = countUpTo(row.times, view.from - 1); n < row.times.length; n++) {
      const x = Math.floor(xOf(row.times[n]));
      if (row.times[n] > view.to)
        break;
      if (x !== last && has[row.stacks[n]])
        ctx.fillRect(last = x, y, 1, 4);
    }
  }
}

function describe() {
  part("window").textContent = showTime(view.from) + " to " + showTime(view.to) + ", "
    + showLength(view.to - view.from);
  part("cpus").checked = view.byCpu;
  part("clear").disabled = timed.view.from < 0;
  picture.setAttribute("aria-label", threads.length + " threads: which ran when. The table below "
    + "has the sums.");
}

function redraw() {
  if (picture.getClientRects().length === 0)
    return; // another view is shown
  draw();
  drawSelected();
  describe();
}

// The window that the page's address names; all, if it is none of this run.
function takeWindow() {
  const [from, to] = timed.view.window || [whole.from, whole.to];
  const fits = to - from >= SHORTEST && from < whole.to && to > whole.from;
  [view.from, view.to] = fits ? [from, to] : [whole.from, whole.to];
}

// The window or the choice has changed: the page need not be made anew, unless a thread was chosen.
function changed() {
  const thread = view.chosen >= 0 ? pageThreads[view.chosen] : -1;
  if (Math.max(thread, -1) !== timed.view.thread) {
    timed.view.thread = Math.max(thread, -1);
    timed.changed();
  }
  timed.view.window = view.from === whole.from && view.to === whole.to ? null
    : [view.from, view.to];
  if (waits)
    return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    redraw();
  });
  clearTimeout(later); // what need not move with the pointer
  later = setTimeout(() => {
    timed.writeAddress();
    fillTable();
  }, 120);
}

const select = (from, to) => setRange(Math.max(from, whole.from), Math.min(to, whole.to));

function summarize() {
  const parts = [threads.length + (threads.length === 1 ? " thread" : " threads"),
                 showLength(whole.to - whole.from) + " watched"];
  parts.push(data.polled ? "by at most " + data.rate
    + " polls a second: between two of them only sums are known, and drawn as estimates"
    : "by the kernel's record of each switch");
  if (data.warning)
    parts.push("warning: " + data.warning);
  if (data.own)
    parts.push("bbprof's own thread, which has no row, ran " + showLength(data.own));
  if (data.lost)
    parts.push(data.lost + " switches lost: shown as not known");
  if (data.lostMarks)
    parts.push(data.lostMarks + " marks lost");
  part("summary").textContent = parts.join(" \u00b7 ");
  const missing = allTicks() - timed.known, all = timed.sleeps.length;
  const known = threads.reduce((sum, row) => sum + row.slept.size, 0);
  part("note").textContent = "A range of time filters the flame graph and the functions: samples "
    + "by their times" + (missing > 0 ? ` (${missing} ticks have none and are in no range)` : "")
    + `, sleeps by their part in it. ${known} of ${all} sleeps have a stack`
    + (known < all ? ", the others a wait reason" : "")
    + (known < all && !isWallClock ? "; bbprof record --timeline --clock=wall samples sleeps" : "")
    + ". Exact counts are those of the whole run.";
}

const isWallClock = timed.isWall;
if (timed.data) {
  addSleeps(isWallClock);
  summarize();
  makeTable();
  makeLocks();
  listenToPointer();
  frame.addEventListener("scroll", redraw);
  part("mark").addEventListener("click", () => select(view.from, view.to));
  part("clear").addEventListener("click", () => setRange(-1, -1));
} else {
  part("none").hidden = false;
  part("all").hidden = true;
  part("why").textContent = timed.why; // as the command line says it
}

VIEWS.push({
  name: "timeline", title: "Timeline",
  fill: () => {
    const { from, to, thread } = timed.view;
    if (!timed.data)
      return;
    if (Math.max(view.chosen >= 0 ? pageThreads[view.chosen] : -1, -1) !== thread)
      view.chosen = pageThreads.indexOf(thread);
    view.range = from < 0 ? null : [from, to];
    takeWindow();
    readColours();
    redraw();
    fillTable();
  },
  takes: (key) => timed.data
    && (key === "0" || key === "Home" || (key === "Escape" && view.chosen >= 0)),
  press: (key) => {
    if (!timed.data)
      return false;
    if (key === "r" && timed.view.from < 0)
      select(view.from, view.to);
    else if (key === "r")
      setRange(-1, -1);
    else if (actions[key])
      actions[key]();
    else
      return false;
    return true;
  },
});
