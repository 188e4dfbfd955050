// SPDX-License-Identifier: GPL-3.0-or-later
// The control flow graph of the chosen function: executions of blocks and edges, time, hot path.
const MOST_BLOCKS = 300;
const GAP = { width: 250, height: 58, between: 18, below: 50, edge: 12, lane: 12 };
const shownBlocks = { f: -2, scale: 1 };

function makeShape(kind, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  if (text !== undefined)
    element.textContent = text;
  return element;
}

// From the entry, always the edge that was passed most often: blocks by number, and edges.
function hotPath(code, first) {
  const blocks = new Set(), edges = new Set();
  for (let at = first; at >= 0 && !blocks.has(at);) {
    blocks.add(at);
    const best = code.blocks[at].out.reduce((most, edge) => (
      edge.count > (most ? most.count : 0) ? edge : most), null);
    if (!best)
      break;
    edges.add(best);
    at = best.to;
  }
  return { blocks, edges };
}

// The blocks that are drawn, the entry first: all, or those that ran most often.
function drawnBlocks(code) {
  const others = code.blocks.filter(({ kind, index }) => kind === "block" && index !== code.entry);
  if (others.length >= MOST_BLOCKS)
    others.sort((a, b) => b.count - a.count || a.index - b.index).length = MOST_BLOCKS - 1;
  return [code.blocks[code.entry], ...others.sort((a, b) => a.index - b.index)];
}

// Time of a block's samples, with the 95 % interval.
function blockTime(block) {
  if (block.samples === 0)
    return "";
  const [low, high] = interval(block.samples);
  return `${showSamples(block.samples)} (95 %: ${showSamples(low) || 0} to ${showSamples(high)})`
    + (data.sampleTime ? "" : " samples");
}

// LINE: TEXT of the block's first line.
function blockPlace(code, block) {
  const row = code.rows[block.line];
  return row ? `${row.line}${row.text === null ? "" : ": " + visible(row.text.trim())}`
    : showAddress(block.address);
}

const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

function drawBlock(code, block, { x, y }, most, hot) {
  const share = code.samples > 0 ? block.samples / code.samples
    : most > 0 ? block.count / most : 0;
  const left = x - GAP.width / 2, group = makeShape("g", { class: "block"
    + (hot ? " on-path" : "") + (block.count === 0 ? " never" : ""), "data-block": block.index });
  const line = (i, text, kind) => (
    makeShape("text", { x: left + 8, y: y + 17 * i, class: kind }, text));
  const rect = { x: left, y, width: GAP.width, height: GAP.height, rx: 4 };
  const heat = Math.min(share, 1).toFixed(3);
  const count = showCount(block.count) + (block.count === 1 ? " execution" : " executions");
  const tag = block.target || (block.cleanup ? "clean-up" : "");
  group.append(makeShape("title", {}, [blockPlace(code, block), showAddress(block.address),
    count, blockTime(block), tag].filter(Boolean).join("\n")),
  makeShape("rect", { ...rect, class: "block-back" }),
  makeShape("rect", { ...rect, class: "block-heat", "fill-opacity": heat }),
  line(1, cut(blockPlace(code, block), 30), "block-place"),
  line(2, count + (tag ? ` \u00b7 ${tag}` : ""), "block-count"),
  line(3, blockTime(block), "block-time"));
  return group;
}

function pathAlong(points, isBack) {
  if (isBack)
    return "M" + points.map((p) => p.join(" ")).join("L");
  let path = `M${points[0].join(" ")}`;
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i - 1], [toX, toY] = points[i], middle = (y + toY) / 2;
    path += `C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
  }
  return path;
}

function drawBlockEdge(edge, { points, isBack, most, hot, all, beside = 0 }) {
  const group = makeShape("g", { class: `edge is-${edge.kind}`
    + (edge.kind in TARGETS ? " is-from-outside" : "") + (hot ? " on-path" : "")
    + (edge.count === 0 ? " never" : ""), "data-edge": `${edge.from} ${edge.to}` });
  const width = 1 + 4 * (most > 0 ? edge.count / most : 0);
  group.append(makeShape("path", { d: pathAlong(points, isBack), "stroke-width": width.toFixed(2),
                               "marker-end": "url(#arrow)" }));
  const [x, y] = points[0], [toX, toY] = points[1];
  const label = (edge.kind in TARGETS || edge.kind === "out" ? edge.kind + " " : "")
    + showCount(edge.count)
    + (all > edge.count && edge.count > 0 ? ` (${showPercent(edge.count, all)})` : "");
  group.append(isBack ? makeShape("text", { x: x + 5, y: y - 4 }, label)
    : makeShape("text", {
      x: x + (toX - x) * (beside ? 0 : 0.65) + beside, y: y + (toY - y) * 0.56 + 4,
      "text-anchor": beside ? "start" : "middle" }, label));
  return group;
}

function drawBlocks(code) {
  const blocks = drawnBlocks(code), numbers = new Map(blocks.map(({ index }, i) => [index, i]));
  const edges = code.edges.filter(({ from, to }) => numbers.has(from) && numbers.has(to));
  const most = Math.max(...code.blocks.map(({ count }) => count || 0), 0);
  const mostEdge = Math.max(...code.edges.map(({ count }) => count), 0);
  const layout = layOutLayers(blocks.length, edges.map(({ from, to, count }) => (
    [numbers.get(from), numbers.get(to), 1 + 4 * (mostEdge > 0 ? count / mostEdge : 0)])), GAP);
  const hot = hotPath(code, code.entry);
  const width = layout.width + (layout.isBack.includes(true) ? 150 : 60); // for labels at the side
  const svg = makeShape("svg", { viewBox: `0 0 ${width} ${layout.height}` });
  const arrow = makeShape("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4,
                                      markerWidth: 8, markerHeight: 8, orient: "auto",
                                      markerUnits: "userSpaceOnUse" });
  arrow.append(makeShape("path", { d: "M0 0L8 4L0 8z" }));
  const defs = makeShape("defs", {});
  defs.append(arrow);
  const outOf = ({ from }) => from < 0 ? 0
    : code.blocks[from].out.reduce((sum, edge) => sum + edge.count, 0);
  svg.append(defs, ...edges.map((edge, i) => drawBlockEdge(edge, {
    points: layout.ways[i], isBack: layout.isBack[i], most: mostEdge, hot: hot.edges.has(edge),
    all: outOf(edge) })));
  for (const edge of code.edges) {
    const inside = numbers.get(edge.from < 0 ? edge.to : edge.from);
    if ((edge.from >= 0 && edge.to >= 0) || inside === undefined || edge.count === 0)
      continue;
    const { x, y } = layout.nodes[inside], into = edge.from < 0;
    const at = into ? x - GAP.width / 2 + 20 : x + GAP.width / 2 - 72;
    const bottom = y + GAP.height, points = into ? [[at, y - 30], [at, y]]
      : [[at, bottom], [at, bottom + 24]];
    svg.append(drawBlockEdge(edge, { points, isBack: false, most: mostEdge,
                                     hot: hot.edges.has(edge),
                                     all: outOf(edge), beside: 6 }));
  }
  svg.append(...blocks.map((block, i) => drawBlock(code, block, layout.nodes[i], most,
    hot.blocks.has(block.index))));
  svg.dataset.width = width;
  svg.dataset.height = layout.height;
  return svg;
}

function scaleGraph() {
  const svg = byId("blocks-graph").querySelector("svg");
  if (!svg)
    return;
  svg.setAttribute("width", svg.dataset.width * shownBlocks.scale);
  svg.setAttribute("height", svg.dataset.height * shownBlocks.scale);
}

// The same numbers as a table.
function fillBlockTable(code) {
  const head = document.createElement("tr");
  const all = code.blocks.filter(({ kind }) => kind === "block");
  const waysOf = new Map(all.map(({ index }) => [index, []]));
  for (const edge of code.edges) {
    const { from, to, kind } = edge;
    if (waysOf.has(from))
      waysOf.get(from).push(edge);
    if (kind in TARGETS && to !== from && waysOf.has(to))
      waysOf.get(to).push(edge);
  }
  head.append(...["block", "line", "executions", "time", "edges"].map((text) => cell("th", text)));
  byId("blocks-table").tHead.replaceChildren(head);
  byId("blocks-table").tBodies[0].replaceChildren(...all.map((block) => {
    const row = document.createElement("tr"), ways = waysOf.get(block.index);
    row.append(cell("td", showAddress(block.address)), cell("td", blockPlace(code, block)),
      cell("td", showCount(block.count), "number"), cell("td", blockTime(block)),
      cell("td", ways.map(({ to, count, kind }) => `${kind in TARGETS ? `by ${kind}`
        : kind === "out" ? "out" : showAddress(code.blocks[to].address)}: ${showCount(count)}`)
        .join("; ")));
    return row;
  }));
  return all.length;
}

const hasBlocks = (code) => code.blocks.some(({ kind }) => kind === "block");

// The chosen function; if none is, the hottest of which the blocks are known.
function functionOfBlocks() {
  if (view.chosen >= 0)
    return view.chosen;
  return functionsWithCode.find((f) => hasBlocks(codeOfFunction(f))) ?? shownFunction();
}

function whyNoBlocks(f, code) {
  if (!code)
    return whyNoCode(f);
  return hasBlocks(code) ? ""
    : `${functions[f].name}: it has no counters, so its blocks are not known. `
      + "Compile with -pg -fplugin=bbprof to have them.";
}

function fillBlocks() {
  const f = functionOfBlocks(), code = f >= 0 ? codeOfFunction(f) : null;
  const why = whyNoBlocks(f, code);
  fillFunctionChoice("blocks-function", f);
  byId("blocks-none").hidden = why === "";
  byId("blocks-none").textContent = why;
  for (const id of ["graph", "details", "notes", "sum"])
    byId("blocks-" + id).hidden = why !== "";
  if (why)
    return;
  byId("blocks-sum").textContent = describeCode(f, code);
  if (shownBlocks.f === f)
    return;
  shownBlocks.f = f;
  const count = fillBlockTable(code), graph = byId("blocks-graph");
  byId("blocks-notes").textContent = [
    count > MOST_BLOCKS ? `Drawn: the ${MOST_BLOCKS} blocks that ran most often, of ${count}; the `
      + "table below has all." : "",
    data.edgesKnown ? "" : "The profile has no counts of edges: those of blocks only.",
    code.samples === 0 ? "No samples are in this code: bbprof record takes them." : "",
  ].filter(Boolean).join(" ");
  graph.replaceChildren(drawBlocks(code));
  scaleGraph();
  const first = graph.querySelector(".block rect");
  graph.scrollTop = 0;
  graph.scrollLeft = Number(first.getAttribute("x")) * shownBlocks.scale
    - (graph.clientWidth - GAP.width) / 2;
}

function pressInBlocks(key) {
  const graph = byId("blocks-graph"), step = 60;
  const moves = { ArrowUp: [0, -step], ArrowDown: [0, step], ArrowLeft: [-step, 0],
                  ArrowRight: [step, 0] };
  if (key in moves)
    graph.scrollBy(...moves[key]);
  else if (key === "+" || key === "-") {
    shownBlocks.scale = Math.min(2, Math.max(0.25, shownBlocks.scale * (key === "+" ? 1.25 : 0.8)));
    scaleGraph();
  } else
    return false;
  return true;
}

byId("blocks-function").addEventListener("change", chooseListed);
// A click on a block shows its code.
byId("blocks-graph").addEventListener("click", (event) => {
  const block = event.target.closest(".block");
  if (!block)
    return;
  const { first } = codeOfFunction(shownBlocks.f).blocks[Number(block.dataset.block)];
  view.chosen = shownBlocks.f;
  view.tab = "code";
  changed();
  requestAnimationFrame(() => goToRow("machine", first, "center"));
});
VIEWS.push({ name: "blocks", title: "Blocks", fill: fillBlocks, press: pressInBlocks });
