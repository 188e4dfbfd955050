// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline's scripts stand in a block from here to timeline.js, so that their names are their
// own.  What they ask of this page:
const data = timed.data || { from: 0, to: 1, threads: [], marks: [], names: [], reasons: [],
                             locks: [], lockList: [], people: [], wakers: [] };
const part = (id) => byId("timeline-" + id) || byId(id);
const nameFrames = (node) => framesOf(node);
for (const thread of data.threads)
  thread.name = visible(thread.name);
for (const mark of data.marks)
  mark[2] = visible(mark[2]);
for (const lock of data.lockList)
  lock[0] = visible(lock[0]);
data.people = data.people.map(visible);
data.names = data.names.map(visible);

// A sleep has one stack, whenever it was sampled.
function stackAt(row, i, time) {
  const n = sampleAt(row, i, time);
  const slept = stateOf(row.codes[i]) === SLEEPING ? row.slept.get(i) : undefined;
  return slept !== undefined ? slept : n < 0 ? -1 : row.stacks[n];
}
