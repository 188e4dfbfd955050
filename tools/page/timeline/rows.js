// SPDX-License-Identifier: GPL-3.0-or-later
// The rows: the chosen thread's, those of processors, those of threads.
let cpuRows = null; // made when they are asked for

// The threads that ran on each processor: codes have the thread's index in place of the processor.
function makeCpuRows() {
  const runs = [];
  for (const thread of threads)
    for (let i = 0; i < thread.codes.length; i++)
      if (cpuOf(thread.codes[i]) >= 0)
        (runs[cpuOf(thread.codes[i])] ||= [])
          .push([thread.starts[i], thread.starts[i + 1], thread.index]);
  const rows = runs.map((list, cpu) =>
    ({ ...joinRuns(list.sort((a, b) => a[0] - b[0])), cpu, name: "processor " + cpu }));
  return rows.filter(Boolean);
}

function joinRuns(list) {
  const starts = [], codes = [];
  let end = whole.from;
  for (const [from, to, index] of list) {
    if (from > end) {
      starts.push(end);
      codes.push(SLEEPING);
    }
    if (to > end) {
      starts.push(Math.max(from, end));
      codes.push(RUNNING | (index + 1) << 3);
      end = to;
    }
  }
  starts.push(end);
  return { starts: Float64Array.from(starts), codes: Uint32Array.from(codes) };
}

// From above; the chosen thread comes first, and again in its own place.
function rowsBelow() {
  if (view.byCpu && !cpuRows)
    cpuRows = makeCpuRows();
  return view.byCpu ? cpuRows.concat(threads) : threads;
}

const ROW = 24, BAR = 16, AXIS = 44, MPI = 3;
const namesWidth = () => picture.clientWidth < 600 ? 100 : 190;
const headHeight = () => AXIS + (view.chosen >= 0 ? ROW : 0);
const contentHeight = () => headHeight() + rowsBelow().length * ROW;

// What row is at Y of the picture; null: none.
function rowAt(y) {
  if (y < AXIS)
    return null;
  if (y < headHeight())
    return threads[view.chosen];
  return rowsBelow()[Math.floor((y - headHeight() + frame.scrollTop) / ROW)] || null;
}

const barsWidth = () => picture.clientWidth - namesWidth();
const timeAt = (x) => view.from + (x - namesWidth()) / barsWidth() * (view.to - view.from);
const xOf = (time) => namesWidth() + (time - view.from) / (view.to - view.from) * barsWidth();

function choose(wanted) {
  const index = Math.min(wanted, threads.length - 1);
  view.chosen = index;
  view.cursor = null;
  if (index >= 0) {
    const top = (rowsBelow().length - threads.length + index) * ROW;
    const height = frame.clientHeight - headHeight();
    if (top < frame.scrollTop || top + ROW > frame.scrollTop + height)
      frame.scrollTop = top - height / 2;
    say(threads[index].name + " (" + threads[index].tid + ") is chosen.");
  }
  changed();
}

// The first thread from index FROM on, in a circle, with TEXT in its name or tid.
function find(text, from) {
  for (let i = 0; text && i < threads.length; i++) {
    const thread = threads[(from + i) % threads.length];
    if (thread.name.toLowerCase().includes(text.toLowerCase()) || String(thread.tid).includes(text))
      return choose(thread.index);
  }
  if (text)
    say("No thread has " + text + " in its name.");
}
