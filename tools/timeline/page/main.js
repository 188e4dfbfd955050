// SPDX-License-Identifier: GPL-3.0-or-later
// The page as a whole: its address, its keys, and when it is drawn.
let waits = false, later = 0;

// The window, the choice or the rows have changed: draws once before the next frame, however often
// they change.
function changed() {
  if (waits)
    return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    draw();
    describe();
  });
  clearTimeout(later); // what need not move with the pointer
  later = setTimeout(() => {
    fillTable();
    writeAddress();
  }, 120);
}

// The window in the page's address, in nanoseconds.
function writeAddress() {
  let hash = "#" + Math.round(view.from) + "-" + Math.round(view.to);
  if (view.chosen >= 0)
    hash += ",tid=" + threads[view.chosen].tid;
  if (view.byCpu)
    hash += ",cpus";
  if (hash !== location.hash)
    try {
      history.replaceState(null, "", hash);
    } catch (refused) { // a browser that sees too many changes
      console.info(refused.message);
    }
}

function readAddress() {
  const match = /^#(-?\d+)-(-?\d+)((?:,(?:tid=\d+|cpus))*)$/.exec(location.hash);
  if (!match || Number(match[1]) >= Number(match[2]))
    return;
  for (const word of match[3].split(","))
    if (word.startsWith("tid="))
      view.chosen = threads.findIndex((thread) => thread.tid === Number(word.slice(4)));
    else if (word === "cpus")
      view.byCpu = true;
  setWindow(Number(match[1]), Number(match[2]));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, dialog")
      || !actions[event.key])
    return;
  event.preventDefault();
  actions[event.key]();
}

const select = setWindow;

function listen() {
  document.addEventListener("keydown", onKey);
  listenToPointer();
  part("ask").addEventListener("click", actions["?"]);
  const text = part("find");
  text.addEventListener("input", () => find(text.value, Math.max(view.chosen, 0)));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter")
      find(text.value, view.chosen + 1);
    else if (event.key === "Escape")
      picture.focus();
  });
}

function describe() {
  const text = showTime(view.from) + " to " + showTime(view.to) + ", "
    + showLength(view.to - view.from);
  document.getElementById("window").textContent = text;
  document.getElementById("cpus").checked = view.byCpu;
  picture.setAttribute("aria-label", threads.length + " threads, " + text
    + ": which ran when. The table below has the sums.");
}

function summarize() {
  const intervals = threads.reduce((sum, thread) => sum + thread.codes.length, 0);
  const parts = [threads.length + (threads.length === 1 ? " thread" : " threads"),
                 intervals + " intervals",
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
  if (data.lostMpi)
    parts.push("the times of " + data.lostMpi + " calls of MPI lost");
  document.getElementById("title").textContent
    = (data.program || "Program") + ": which thread ran when";
  document.getElementById("summary").textContent = parts.join(" \u00b7 ");
}

// The reader's scheme has changed.
function recolour() {
  readColours();
  draw();
}

function begin() {
  summarize();
  readColours();
  makeTable();
  makeLocks();
  listen();
  readAddress();
  draw();
  describe();
  fillTable();
  frame.addEventListener("scroll", draw);
  window.addEventListener("resize", changed);
  window.addEventListener("hashchange", readAddress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
}

begin();
