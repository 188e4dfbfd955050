// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out a control flow graph in layers: each edge that is not a back edge leads downward.  It
// knows numbers only: nodes are 0 to COUNT - 1, 0 is the entry; EDGES are [from, to, weight].

// Back edges, and the nodes in reverse post-order: depth first from the entry, then from the nodes
// that it does not reach.
function orderNodes(count, edges) {
  const out = Array.from({ length: count }, () => []), state = new Uint8Array(count);
  edges.forEach(([from], i) => out[from].push(i));
  const back = new Set(), order = [];
  for (let root = 0; root < count; root++) {
    if (state[root])
      continue;
    const path = [[root, 0]];
    state[root] = 1;
    while (path.length) {
      const top = path[path.length - 1], [node, next] = top;
      if (next === out[node].length) {
        state[node] = 2;
        order.push(node);
        path.pop();
        continue;
      }
      top[1]++;
      const to = edges[out[node][next]][1];
      if (state[to] === 1)
        back.add(out[node][next]);
      else if (state[to] === 0) {
        state[to] = 1;
        path.push([to, 0]);
      }
    }
  }
  return { order: order.reverse(), back, out };
}

// The layer of each node: one below the lowest of those that lead to it.
function layerNodes(count, edges) {
  const { order, back, out } = orderNodes(count, edges), layer = new Int32Array(count);
  for (const node of order)
    for (const i of out[node])
      if (!back.has(i))
        layer[edges[i][1]] = Math.max(layer[edges[i][1]], layer[node] + 1);
  return { order, back, layer };
}

// Layers of points: nodes, and the places at which long edges cross a layer.
function makeLayers(count, edges) {
  const { order, back, layer } = layerNodes(count, edges), layers = [], points = [];
  const add = (at, wide, node) => {
    (layers[at] = layers[at] || []).push(points.length);
    return points.push({ layer: at, wide, node, up: [], down: [], x: 0 }) - 1;
  };
  const pointOf = new Int32Array(count);
  for (const node of order)
    pointOf[node] = add(layer[node], true, node);
  const ways = edges.map(([from, to, weight], i) => {
    if (back.has(i))
      return null;
    const way = [pointOf[from]];
    for (let at = layer[from] + 1; at < layer[to]; at++)
      way.push(add(at, false, -1));
    way.push(pointOf[to]);
    for (let k = 1; k < way.length; k++) {
      points[way[k - 1]].down.push([way[k], weight]);
      points[way[k]].up.push([way[k - 1], weight]);
    }
    return way;
  });
  return { layers, points, pointOf, ways, back };
}

// Fewer crossings: each layer in the order of the mean of its neighbours, downward and upward.
function sortLayers(layers, points) {
  const place = new Float64Array(points.length);
  const number = (row) => row.forEach((p, i) => {
    place[p] = i;
  });
  layers.forEach(number);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      const mean = new Map(row.map((p) => {
        const near = down ? points[p].up : points[p].down;
        return [p, near.length ? near.reduce((sum, [q]) => sum + place[q], 0) / near.length
          : place[p]];
      }));
      row.sort((a, b) => mean.get(a) - mean.get(b) || place[a] - place[b]);
      number(row);
    }
  }
}

// Where each point wants to be: below and above its neighbours, the heavy edges first.  Two runs,
// from the left and from the right, keep the distances; their mean keeps them, too.
function placePoints(layers, points, gap) {
  const half = (p) => points[p].wide ? gap.width / 2 : gap.edge / 2;
  const apart = (a, b) => half(a) + half(b) + gap.between;
  for (const row of layers)
    row.forEach((p, i) => {
      points[p].x = i ? points[row[i - 1]].x + apart(row[i - 1], p) : 0;
    });
  for (let sweep = 0; sweep < 12; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? layers : [...layers].reverse()) {
      const wanted = row.map((p) => {
        const near = down ? points[p].up : points[p].down;
        const sum = near.reduce((all, [, weight]) => all + weight, 0);
        return near.length ? near.reduce((all, [q, weight]) => all + points[q].x * weight, 0) / sum
          : points[p].x;
      });
      const left = [], right = [];
      for (let i = 0; i < row.length; i++)
        left[i] = i ? Math.max(wanted[i], left[i - 1] + apart(row[i - 1], row[i])) : wanted[i];
      for (let i = row.length - 1; i >= 0; i--)
        right[i] = i + 1 < row.length
          ? Math.min(wanted[i], right[i + 1] - apart(row[i], row[i + 1])) : wanted[i];
      row.forEach((p, i) => {
        points[p].x = (left[i] + right[i]) / 2;
      });
    }
  }
}

// Parts of the graph that no edge joins stand side by side: that of FIRST, then the others.
function packParts(points, first, gap) {
  const part = new Int32Array(points.length).fill(-1), offset = [];
  let next = 0;
  for (const start of [first, ...points.keys()]) {
    if (part[start] >= 0)
      continue;
    const visit = [start], half = (p) => (points[p].wide ? gap.width : gap.edge) / 2;
    let least = Infinity, most = -Infinity;
    part[start] = offset.length;
    while (visit.length) {
      const p = visit.pop();
      least = Math.min(least, points[p].x - half(p));
      most = Math.max(most, points[p].x + half(p));
      for (const [q] of [...points[p].up, ...points[p].down])
        if (part[q] < 0) {
          part[q] = part[start];
          visit.push(q);
        }
    }
    offset.push(next - least);
    next += most - least + gap.between;
  }
  points.forEach((point, p) => {
    point.x += offset[part[p]];
  });
}

// The layout: { nodes: [{ x, y }], ways: [[x, y] ...] of each edge, isBack: of each edge, width,
// height }; x and y are a node's middle and its top.  GAP: { width, height, between, below, edge,
// lane }, in pixels.  Back edges run at the right side, each in a lane of its own.
function layOutLayers(count, edges, gap) {
  const { layers, points, pointOf, ways, back } = makeLayers(count, edges);
  sortLayers(layers, points);
  placePoints(layers, points, gap);
  packParts(points, pointOf[0], gap);
  const least = Math.min(...points.map((p) => p.x - (p.wide ? gap.width / 2 : 0)));
  const most = Math.max(...points.map((p) => p.x + (p.wide ? gap.width / 2 : 0)));
  const top = (p) => gap.below + points[p].layer * (gap.height + gap.below);
  const left = (p) => points[p].x - least + gap.edge;
  let lane = most - least + gap.edge;
  const lines = edges.map(([from, to], i) => {
    const a = pointOf[from], b = pointOf[to];
    if (!back.has(i))
      return ways[i].flatMap((p, k) => [
        ...k > 0 ? [[left(p), top(p)]] : [],
        ...k + 1 < ways[i].length ? [[left(p), top(p) + gap.height]] : []]);
    lane += gap.lane;
    const side = (p) => left(p) + gap.width / 2;
    return [[side(a), top(a) + gap.height * 0.7], [lane, top(a) + gap.height * 0.7],
            [lane, top(b) + gap.height * 0.3], [side(b), top(b) + gap.height * 0.3]];
  });
  return { nodes: Array.from(pointOf, (p) => ({ x: left(p), y: top(p) })), ways: lines,
           isBack: edges.map((_, i) => back.has(i)), width: lane + 2 * gap.edge + gap.lane,
           height: layers.length * (gap.height + gap.below) + gap.below };
}
