// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts of the timeline ask of this page.
const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const nameFrames = (stack) => [...readNumbers(data.stacks[stack])].map((name) => data.names[name]);

function stackAt(row, i, time) {
  const n = sampleAt(row, i, time);
  return n < 0 ? -1 : row.stacks[n];
}

function say(text) {
  part("said").textContent = text;
}
