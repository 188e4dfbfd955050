// SPDX-License-Identifier: GPL-3.0-or-later
// The call graph around the chosen function, as a picture; dagre places it.
const MOST_NODES = 50, MOST_EDGES = 150, NODE = { width: 196, height: 46 };
const graph = { edges: null, thread: null, root: -1, drawn: null, scale: 1, x: 0, y: 0,
                shape: null };

function svg(kind, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const name in attributes)
    element.setAttribute(name, attributes[name]);
  if (text !== undefined)
    element.textContent = text;
  return element;
}

function cutInMiddle(text, most) {
  const letters = Array.from(text), half = (most - 1) / 2;
  return letters.length <= most ? text : letters.slice(0, Math.ceil(half)).join("") + "\u2026"
    + letters.slice(letters.length - Math.floor(half)).join("");
}

// The chosen function; else the hottest by total time, or the one with the most calls.
function rootOfGraph() {
  if (view.chosen >= 0)
    return view.chosen;
  let best = -1;
  const { self, total } = sums();
  const more = (a, b) => total[a] - total[b] || self[a] - self[b]
    || functions[a].calls - functions[b].calls;
  for (let i = 0; i < functions.length; i++)
    if (best < 0 || more(i, best) > 0)
      best = i;
  return best;
}

const showCalls = (n) => showCount(n) + (n === 1 ? " call" : " calls");

function linesOfNode(f) {
  const { calls } = functions[f], again = graph.edges.out(f).find((edge) => edge.callee === f);
  const { self, total, all } = sums();
  const time = stacked || all > 0
    ? `self ${showPercent(self[f], all)}, total ${showPercent(total[f], all)}` : "";
  return [time, (calls ? showCalls(calls) : exact ? "no counted calls" : "")
    + (again ? " \u21bb" : "")].filter((line) => line);
}

function tipOfNode(f) {
  const { name, calls, executions } = functions[f];
  const again = graph.edges.out(f).find((edge) => edge.callee === f);
  const { self, total, all } = sums();
  return [name, all > 0 ? `self ${showTicks(self[f])}, total ${showTicks(total[f])}` : "",
          calls ? showCalls(calls) + ", exact, of all threads" : "",
          executions ? showCount(executions) + " executions of its blocks" : "",
          again ? "calls itself: " + textOfEdge(again) : "", placeOf(functions[f])]
    .filter((line) => line).join("\n");
}

const textOfEdge = ({ calls, time }) => [calls ? showCalls(calls) : "",
                                         time ? showTicks(time) : ""]
  .filter((part) => part).join(", ");

const weightOf = ({ time, calls }) => stacked ? time : calls;

// What is drawn: functions and edges with the coordinates that dagre gives them.
function layOut(root) {
  const { found, left } = neighbourhood(graph.edges, root, MOST_NODES);
  const between = [...found].flatMap(graph.edges.out)
    .filter(({ caller, callee }) => found.has(callee) && caller !== callee)
    .sort(heavier);
  // Those of the chosen function are shown in any case.
  const near = between.filter(({ caller, callee }) => caller === root || callee === root);
  const edges = [...new Set([...near, ...between])].slice(0, Math.max(MOST_EDGES, near.length));
  const most = Math.max(1, ...edges.map(weightOf)), all = new dagre.Graph();
  all.setGraph({ rankdir: "LR", nodesep: 10, edgesep: 8, ranksep: 24, marginx: 8, marginy: 8 });
  for (const f of found)
    all.setNode(String(f), { ...NODE });
  for (const edge of edges)
    all.setEdge(String(edge.caller), String(edge.callee),
      { width: 6.2 * textOfEdge(edge).length + 24, height: 14, labelpos: "c",
        weight: 1 + Math.round(20 * weightOf(edge) / most) }); // heavy edges are straight
  dagre.layout(all);
  return {
    width: all.graph().width, height: all.graph().height,
    left: left || edges.length < between.length,
    nodes: [...found].map((f) => ({ f, ...all.node(String(f)) })),
    edges: edges.map((edge) => ({
      ...edge, ...all.edge(String(edge.caller), String(edge.callee)),
    })),
  };
}

// A smooth line through the points.
function pathOf(points) {
  const at = ({ x, y }) => x.toFixed(1) + " " + y.toFixed(1), last = points.length - 1;
  let path = "M" + at(points[0]);
  for (let i = 1; i < last; i++) {
    const end = i + 1 === last ? points[last]
      : { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    path += `Q${at(points[i])} ${at(end)}`;
  }
  return path;
}

function drawEdge(edge, share) {
  const group = svg("g", { class: "edge" }), { points } = edge;
  const end = points[points.length - 1], before = points[points.length - 2];
  const angle = Math.atan2(end.y - before.y, end.x - before.x) * 180 / Math.PI;
  const thick = 1 + 5 * share, head = (0.75 + 0.9 * share).toFixed(2);
  group.append(
    svg("path", { d: pathOf(points), "stroke-width": thick.toFixed(2) }),
    svg("path", { d: "M0 0L-10 -5L-10 5Z", class: "arrow",
                  transform: `translate(${end.x.toFixed(1)} ${end.y.toFixed(1)}) rotate(`
                    + `${angle.toFixed(1)}) scale(${head})` }),
    svg("text", { x: edge.x, y: edge.y - thick / 2 - 6 }, textOfEdge(edge)),
    svg("title", {}, `${functions[edge.caller].name}\n\u2192 ${functions[edge.callee].name}\n`
      + textOfEdge(edge)));
  return group;
}

// The box cuts what is too long for it.
function drawNode({ f, x, y, width, height }) {
  const group = svg("g", { class: f === graph.root ? "node chosen" : "node", role: "button",
                           "data-function": f, "aria-label": functions[f].name });
  const box = svg("svg", { x: x - width / 2, y: y - height / 2, width, height });
  const code = 1 + 2 * f, isFound = view.find && matches(code);
  box.append(svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: 3,
                           fill: isFound ? colours.found : colourOf(code) }));
  const name = svg("text", { x: 8, y: 15, class: "name" }, cutInMiddle(functions[f].name, 27));
  box.append(name, ...linesOfNode(f).map((line, i) => svg("text", { x: 8, y: 28 + 12 * i }, line)));
  if (view.find && !isFound)
    group.setAttribute("opacity", 0.5);
  group.append(box, svg("title", {}, tipOfNode(f)));
  return group;
}

function moveGraph() {
  byId("graph-all").setAttribute("transform",
    `translate(${graph.x.toFixed(2)} ${graph.y.toFixed(2)}) scale(${graph.scale.toFixed(4)})`);
}

// The chosen function with its callers and callees, as far as they can be read; or WHOLE, all.
function placeGraph(whole) {
  const { clientWidth: wide, clientHeight: high } = byId("graph"), { nodes, edges } = graph.drawn;
  const near = new Set([graph.root, ...edges.filter(({ caller, callee }) => caller === graph.root
    || callee === graph.root).flatMap(({ caller, callee }) => [caller, callee])]);
  const shown = nodes.filter(({ f }) => whole || near.has(f));
  const box = (at, size) => [Math.min(...shown.map((n) => n[at] - n[size] / 2)) - 8,
                             Math.max(...shown.map((n) => n[at] + n[size] / 2)) + 8];
  const [left, right] = box("x", "width"), [top, bottom] = box("y", "height");
  const fit = Math.min(1, wide / (right - left), high / (bottom - top));
  const root = nodes.find(({ f }) => f === graph.root);
  const side = (at, from, to, size) => (to - from) * graph.scale <= size
    ? size / 2 - (from + to) / 2 * graph.scale : size / 2 - at * graph.scale;
  graph.scale = whole ? fit : Math.max(fit, 0.75);
  graph.x = side(root.x, left, right, wide);
  graph.y = side(root.y, top, bottom, high);
  moveGraph();
}

function zoomGraph(by, x = byId("graph").clientWidth / 2, y = byId("graph").clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.05, graph.scale * by));
  graph.x = x - (x - graph.x) * scale / graph.scale;
  graph.y = y - (y - graph.y) * scale / graph.scale;
  graph.scale = scale;
  moveGraph();
}

function drawGraph() {
  const { drawn } = graph, all = svg("g", { id: "graph-all" });
  const most = Math.max(1, ...drawn.edges.map(weightOf));
  all.append(...drawn.edges.map((edge) => drawEdge(edge, weightOf(edge) / most)),
    ...drawn.nodes.map(drawNode));
  byId("graph").replaceChildren(all);
}

// What is not there, and which command gives it.
function noteOfGraph() {
  if (!exact && !stacked)
    return "The profile has neither counted calls nor stacks: it knows no callers. bbprof record "
      + "takes stacks; compile with -pg -fplugin=bbprof to count calls.";
  if (!exact)
    return "Measured time only: no calls are counted. Compile with -pg -fplugin=bbprof to have "
      + "them.";
  if (!stacked)
    return "Exact calls only: the profile has no stacks, so no measured time of calls. "
      + "BBPROF_OPTIONS=stacks=1 takes them.";
  return "";
}

function fillGraph() {
  const root = rootOfGraph(), left = root >= 0;
  byId("graph-frame").hidden = !left;
  byId("graph-note").textContent = left ? noteOfGraph() : "The profile has no functions: it has "
    + "neither samples nor counts. bbprof record takes samples.";
  if (!left)
    return;
  if (graph.thread !== view.thread)
    graph.edges = makeEdges(view.thread);
  if (graph.thread !== view.thread || graph.root !== root)
    graph.drawn = layOut(root);
  graph.thread = view.thread;
  graph.root = root;
  drawGraph();
  byId("graph-of").textContent = graph.drawn.left
    ? `${graph.drawn.nodes.length} functions around it; others are left out`
    : graph.drawn.nodes.length === 1 ? "no callers and callees are known"
      : `all ${graph.drawn.nodes.length} functions around it`;
  fillEntry(root);
  const { clientWidth, clientHeight } = byId("graph");
  const shape = [root, view.thread, clientWidth, clientHeight].join();
  if (shape !== graph.shape)
    placeGraph(false);
  else
    moveGraph();
  graph.shape = shape;
}

function chooseFunction(f) {
  view.chosen = f;
  changed();
}

// The keyboard walks: to the caller or the callee with the heaviest edge.
function pressGraph(key) {
  if (graph.root < 0 || !graph.drawn)
    return false;
  const back = key === "ArrowLeft" || key === "ArrowUp";
  if (key.startsWith("Arrow")) {
    const edge = (back ? graph.edges.into(graph.root) : graph.edges.out(graph.root))
      .find(({ caller, callee }) => caller !== callee);
    if (edge)
      chooseFunction(back ? edge.caller : edge.callee);
  } else if (key === "+" || key === "-") {
    zoomGraph(key === "+" ? 1.25 : 0.8);
  } else if (key === "f") {
    placeGraph(true);
  } else if ("hjkl".includes(key)) {
    graph.x += key === "h" ? 80 : key === "l" ? -80 : 0;
    graph.y += key === "k" ? 80 : key === "j" ? -80 : 0;
    moveGraph();
  } else
    return false;
  return true;
}

function listenToGraph() {
  const picture = byId("graph");
  let drag = null;
  picture.addEventListener("wheel", (event) => {
    const box = picture.getBoundingClientRect();
    event.preventDefault();
    zoomGraph(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left,
      event.clientY - box.top);
  }, { passive: false });
  picture.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX - graph.x, y: event.clientY - graph.y, from: event, moved: false };
  });
  picture.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons)
      return;
    if (!drag.moved && Math.hypot(event.clientX - drag.from.clientX,
      event.clientY - drag.from.clientY) < 4)
      return;
    if (!drag.moved)
      picture.setPointerCapture(event.pointerId);
    drag.moved = true;
    graph.x = event.clientX - drag.x;
    graph.y = event.clientY - drag.y;
    moveGraph();
  });
  picture.addEventListener("click", (event) => {
    const node = event.target.closest("[data-function]");
    if (node && !(drag && drag.moved))
      chooseFunction(Number(node.dataset.function));
  });
}

listenToGraph();
VIEWS.push({ name: "graph", title: "Call graph", fill: fillGraph, press: pressGraph });
