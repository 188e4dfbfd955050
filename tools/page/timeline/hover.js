// SPDX-License-Identifier: GPL-3.0-or-later
// What is below the pointer, in words.  Names come from the program, so they are only put in as
// text.
const tip = part("tip");
const hover = { x: null, y: null };

function line(kind, text, of = "") {
  const element = document.createElement(kind);
  element.textContent = text;
  element.className = of;
  return element;
}

const nameOf = (row) => row.tid === undefined ? row.name : row.name + " (" + row.tid + ")";

// The thread of the stack that is shown for interval I of ROW; null: none.
function ownerOf(row, i) {
  if (row.cpu === undefined)
    return row;
  return stateOf(row.codes[i]) === RUNNING ? threads[detailOf(row.codes[i]) - 1] : null;
}

// "sleeping: futex (lock)", "running on processor 1", ...
function stateText(row, i) {
  const code = row.codes[i], detail = detailOf(code);
  if (row.cpu !== undefined)
    return stateOf(code) === RUNNING ? nameOf(threads[detail - 1]) + " runs"
      : "none of the threads runs";
  let text = STATES[stateOf(code)];
  if (stateOf(code) === RUNNING && detail)
    text += " on processor " + (detail - 1);
  else if (stateOf(code) === READY)
    text += detail ? ", preempted" : ", woken up";
  else if (stateOf(code) === SLEEPING && data.reasons[detail])
    text += ": " + data.reasons[detail];
  return text + (isEstimated(code) ? " (estimated)" : "");
}

function intervalTexts(row, i) {
  const from = row.starts[i], to = row.starts[i + 1], fine = to - from < 1e4 ? 1 : 1000;
  return [stateText(row, i), showLength(to - from) + ", from " + showTime(from, fine) + " to "
    + showTime(to, fine)];
}

// Which lock, holder and waker the thread has in interval I.
function lockLines(row, i) {
  const wait = row.waits && row.waits.get(i), lines = [];
  if (!wait)
    return lines;
  const [text, kind] = data.lockList[wait.lock];
  lines.push(kind + " " + text + (wait.inferred ? " (inferred)" : ""));
  if (wait.name)
    lines.push("waits in " + wait.name);
  if (wait.holder >= 0 && kind !== "thread end")
    lines.push("held by " + data.people[wait.holder]
      + (wait.holderInferred ? " (inferred: the last to get it)" : " (known: the lock names it)"));
  if (wait.waker >= 0)
    lines.push("woken by " + data.people[wait.waker] + " (inferred: "
      + data.wakers[wait.wakerSource] + ")");
  return lines.map((words) => line("span", words, "lock"));
}

function mpiLines(row, time) {
  const i = mpiAt(row, time);
  if (i < 0)
    return [];
  const from = row.mpi.starts[i], name = data.names[row.mpi.names[i]];
  return [line("span", "in " + name + " for " + showLength(row.mpi.ends[i] - from) + ", from "
    + showTime(from, 1000))];
}

function stackLines(row, i, time) {
  const lines = [], thread = ownerOf(row, i);
  const at = thread ? intervalAt(thread, time) : -1;
  const found = at >= 0 ? stackAt(thread, at, time) : -1;
  const stack = found >= 0 ? nameFrames(found) : [];
  if (!stack.length)
    return lines;
  lines.push(line("span", "Last sample in it, the innermost function first:", "faint"));
  for (const name of stack.slice(0, 16))
    lines.push(line("span", name, "frame"));
  if (stack.length > 16)
    lines.push(line("span", "and " + (stack.length - 16) + " more", "faint"));
  return lines;
}

// Marks within three pixels of X.
function marksNear(x) {
  const near = data.marks.filter((mark) => Math.abs(xOf(mark[0]) - x) <= 3).slice(0, 8);
  return near.map(([time, index, text]) =>
    line("span", "mark \u201c" + text + "\u201d at " + showTime(time)
      + (index >= 0 ? " by " + nameOf(threads[index]) : "")));
}

function tipLines() {
  const row = rowAt(hover.y), time = timeAt(hover.x), lines = [];
  if (row) {
    lines.push(line("b", nameOf(row)));
    const i = hover.x >= namesWidth() ? intervalAt(row, time) : -1;
    if (i >= 0)
      lines.push(...intervalTexts(row, i).map((text) => line("span", text)), ...mpiLines(row, time),
        ...lockLines(row, i),
        ...stackLines(row, i, time));
    else if (hover.x >= namesWidth())
      lines.push(line("span", "not there at " + showTime(time)));
  }
  if (hover.x >= namesWidth())
    lines.push(...marksNear(hover.x));
  return lines;
}

function showTip(clientX, clientY) {
  const lines = tipLines();
  tip.hidden = lines.length === 0;
  tip.replaceChildren(...lines);
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(clientX + 14, innerWidth - width - 8)) + "px";
  const fits = clientY + 18 + height <= innerHeight;
  tip.style.top = Math.max(4, fits ? clientY + 18 : clientY - height - 12) + "px";
}

function hideTip() {
  hover.x = hover.y = null;
  tip.hidden = true;
  drawAbove();
}
