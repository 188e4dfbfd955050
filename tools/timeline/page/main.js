// SPDX-License-Identifier: GPL-3.0-or-later
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
