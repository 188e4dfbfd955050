// SPDX-License-Identifier: GPL-3.0-or-later
// The tree that is drawn: stacks of the chosen threads, united, from their roots or, inverted, from
// the functions that ran.

// Nodes by number, 0 is the root: parent, code, self and total samples, depth, and where it begins
// (LEFT, in samples).  Children are sorted, the largest first: node I's are order[first[I]] ...
// order[first[I + 1]] of ORDER.
function makeTree({ thread, inverted, folded }) {
  const parent = [-1], code = [UNKNOWN], self = [0], places = new Map();
  const most = 2 * functions.length + 2;
  const enter = (above, what) => {
    if (folded && above > 0 && functionOf(code[above]) === functionOf(what) && what !== UNKNOWN)
      return above;
    const key = above * most + what;
    let node = places.get(key);
    if (node === undefined) {
      node = parent.length;
      places.set(key, node);
      parent.push(above);
      code.push(what);
      self.push(0);
    }
    return node;
  };
  const entered = new Int32Array(sampled.count);
  for (let i = 0; i < sampled.count; i++) {
    if (thread >= 0 && sampled.thread[i] !== thread)
      continue;
    const up = sampled.parent[i];
    if (!inverted) {
      entered[i] = up < 0 ? 0 : enter(entered[up], sampled.code[i]);
      self[entered[i]] += sampled.self[i];
    } else if (sampled.self[i] > 0) {
      let node = 0;
      for (let k = i; sampled.parent[k] >= 0; k = sampled.parent[k])
        node = enter(node, sampled.code[k]);
      self[node] += sampled.self[i];
    }
  }
  return arrange({ count: parent.length, parent, code, self });
}

function arrange(tree) {
  const { count, parent, self } = tree, total = Float64Array.from(self);
  const depth = new Int32Array(count), first = new Int32Array(count + 2);
  for (let i = count - 1; i > 0; i--)
    total[parent[i]] += total[i];
  for (let i = 1; i < count; i++) {
    depth[i] = depth[parent[i]] + 1;
    first[parent[i] + 2]++;
  }
  for (let i = 2; i < count + 2; i++)
    first[i] += first[i - 1];
  const order = new Int32Array(count), left = new Float64Array(count);
  for (let i = 1; i < count; i++)
    order[first[parent[i] + 1]++] = i;
  for (let i = 0; i < count; i++) {
    const children = order.subarray(first[i], first[i + 1]);
    children.sort((a, b) => total[b] - total[a] || a - b);
    let at = left[i];
    for (const child of children) {
      left[child] = at;
      at += total[child];
    }
  }
  let deepest = 0;
  for (let i = 0; i < count; i++)
    deepest = Math.max(deepest, depth[i]);
  return { ...tree, total, depth, first, order, left, deepest };
}

// Of each function, by the stacks of a thread (-1: of all): self and total samples.  In its total a
// sample counts once.
function sumFunctions(thread) {
  const self = new Float64Array(functions.length), total = new Float64Array(functions.length);
  const samples = Float64Array.from(sampled.self);
  for (let i = sampled.count - 1; i >= 0; i--)
    if (sampled.parent[i] >= 0)
      samples[sampled.parent[i]] += samples[i];
  const within = new Int32Array(functions.length), path = [];
  let all = 0;
  for (let i = 0; i < sampled.count; i++) {
    while (path.length && path[path.length - 1] !== sampled.parent[i]) {
      const left = path.pop();
      if (sampled.parent[left] >= 0 && sampled.code[left] !== UNKNOWN)
        within[(sampled.code[left] - 1) >> 1]--;
    }
    path.push(i);
    if (sampled.parent[i] < 0 || sampled.code[i] === UNKNOWN) {
      if (sampled.parent[i] < 0 && (thread < 0 || sampled.thread[i] === thread))
        all += samples[i];
      continue;
    }
    const f = (sampled.code[i] - 1) >> 1;
    if (within[f]++ === 0 && (thread < 0 || sampled.thread[i] === thread))
      total[f] += samples[i];
    if (thread < 0 || sampled.thread[i] === thread)
      self[f] += sampled.self[i];
  }
  return { self, total, all };
}
