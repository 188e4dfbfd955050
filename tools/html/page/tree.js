// SPDX-License-Identifier: GPL-3.0-or-later
// The tree that is drawn: stacks of the chosen threads, united, from their roots or, inverted, from
// the functions that ran.

// Finds and adds nodes by parent and code: a hash table with open addressing, half of it free.
// The slots of children are near those of their parent's neighbours, which come soon after it.
// FOLDED: a function that calls itself stays in one node.  DISTINCT: no node is entered twice.
// EXPECTED: about how many nodes there will be.
function makeNodes(folded, distinct, expected) {
  let room = 2 ** Math.ceil(Math.log2(expected + 2));
  let table = new Int32Array(distinct ? 0 : 2 * room);
  const of = { count: 1, parent: new Int32Array(room), code: new Int32Array(room),
               self: new Float64Array(room), assumed: new Uint8Array(room),
               byPointer: new Uint8Array(room) };
  const find = (above, what) => {
    const { parent, code } = of, mask = table.length - 1;
    let i = (2 * above + (Math.imul(what, 0x9e3779b1) >>> 16)) & mask;
    while (table[i] !== 0 && (parent[table[i]] !== above || code[table[i]] !== what))
      i = (i + 1) & mask;
    return i;
  };
  const grow = () => {
    room *= 2;
    for (const name of ["parent", "code", "self", "assumed", "byPointer"]) {
      const longer = new of[name].constructor(room);
      longer.set(of[name]);
      of[name] = longer;
    }
    table = new Int32Array(distinct ? 0 : 2 * room);
    for (let node = 1; node < of.count && !distinct; node++)
      table[find(of.parent[node], of.code[node])] = node;
  };
  const enter = (above, what) => {
    if (folded && above > 0 && functionOf(of.code[above]) === functionOf(what) && what !== UNKNOWN)
      return above;
    if (of.count === room)
      grow();
    const place = distinct ? -1 : find(above, what);
    if (place >= 0 && table[place] !== 0)
      return table[place];
    if (place >= 0)
      table[place] = of.count;
    of.parent[of.count] = above;
    of.code[of.count] = what;
    return of.count++;
  };
  of.parent[0] = -1;
  return { of, enter };
}

// Nodes by number, 0 is the root: parent, code, self and total samples, depth, and where it begins
// (LEFT, in samples).  Node I's children are order[first[I]] ... order[first[I + 1]] of ORDER.
// arrangeChildren sorts them.
function makeTree({ stacks, thread, inverted, folded }) {
  // The sampled stacks of one thread are a tree already.
  const distinct = !inverted && !folded && !stacks.assumed && !comparison
    && (thread >= 0 || data.threads.length === 1);
  const { of, enter } = makeNodes(folded, distinct, stacks.count);
  const entered = new Int32Array(stacks.count);
  for (let i = 0; i < stacks.count; i++) {
    if (thread >= 0 && stacks.thread[i] !== thread)
      continue;
    const up = stacks.parent[i];
    if (!inverted) {
      entered[i] = up < 0 ? 0 : enter(entered[up], stacks.code[i]);
      of.assumed[entered[i]] ||= stacks.assumed ? stacks.assumed[i] : 0;
      of.byPointer[entered[i]] ||= stacks.byPointer ? stacks.byPointer[i] : 0;
      of.self[entered[i]] += stacks.self[i];
    } else if (stacks.self[i] > 0) {
      let node = 0;
      for (let k = i; stacks.parent[k] >= 0; k = stacks.parent[k]) {
        node = enter(node, stacks.code[k]);
        of.assumed[node] ||= stacks.assumed ? stacks.assumed[k] : 0;
        of.byPointer[node] ||= stacks.byPointer ? stacks.byPointer[k] : 0;
      }
      of.self[node] += stacks.self[i];
    }
  }
  const { count } = of;
  return arrange({ count, parent: of.parent.subarray(0, count), code: of.code.subarray(0, count),
                   self: of.self.subarray(0, count), assumed: of.assumed.subarray(0, count),
                   byPointer: of.byPointer.subarray(0, count) });
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
  let deepest = 0;
  for (let i = 0; i < count; i++)
    if (total[i] > 0 && depth[i] > deepest)
      deepest = depth[i];
  return { ...tree, total, depth, first, order, left, deepest, arranged: new Uint8Array(count) };
}

// Sorts the children of a node whose own place is known, the largest first, and places them: when
// they are looked at, because most of a large tree's never are.  Returns them.
function arrangeChildren({ first, order, total, left, arranged }, node) {
  const children = order.subarray(first[node], first[node + 1]);
  if (arranged[node])
    return children;
  arranged[node] = 1;
  children.sort((a, b) => total[b] - total[a] || a - b);
  let at = left[node];
  for (const child of children) {
    left[child] = at;
    at += total[child];
  }
  return children;
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
