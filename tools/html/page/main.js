// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the views: what the reader does changes the view, then all is drawn anew.
const byId = (id) => document.getElementById(id);
let waits = false, made = "";

function say(text) {
  byId("said").textContent = text;
}

// Draws once before the next picture, however often the view changes.
function changed() {
  if (waits)
    return;
  waits = true;
  requestAnimationFrame(() => {
    waits = false;
    refresh();
  });
}

function refresh() {
  const now = [view.thread, view.shape === "inverted", view.folded].join();
  const remade = now !== made;
  if (remade)
    remake();
  made = now;
  for (const tab of TABS) {
    byId("view-" + tab).hidden = tab !== view.tab;
    byId("tab-" + tab).setAttribute("aria-selected", tab === view.tab);
  }
  byId("shape").value = view.shape;
  byId("thread").value = view.thread;
  byId("folded").checked = view.folded;
  if (byId("find").value !== view.find)
    byId("find").value = view.find;
  byId("share").textContent = view.find && tree.total[0] > 0
    ? showPercent(matched(), tree.total[0]) + " of the samples" : "";
  if (view.tab === "flame") {
    draw();
    if (remade) {
      scrollToRoot();
      draw();
    }
  } else if (view.tab === "functions")
    fillFunctions();
  else
    fillRun();
  writeAddress();
}

function tipLines(node) {
  const code = tree.code[node], total = tree.total[node], all = tree.total[0];
  const [low, high] = interval(total);
  const lines = [cell("b", labelOf(node)),
                 cell("span", `total ${showTicks(total)}, ${showPercent(total, all)}`
                   + (data.tick ? ` (95 %: ${showTicks(low)} to ${showTicks(high)})` : "")),
                 cell("span", `self ${showTicks(tree.self[node])}, `
                   + showPercent(tree.self[node], all))];
  const f = node > 0 ? functionOf(code) : null;
  if (!f)
    return lines;
  if (isInlined(code))
    lines.push(cell("span", "inlined by the compiler"));
  if (f.calls)
    lines.push(cell("span", showCount(f.calls) + " calls, exact, of all threads"));
  if (f.executions)
    lines.push(cell("span", showCount(f.executions) + " executions of its blocks"));
  lines.push(cell("span", visible(data.objects[f.object][1])
    + (f.file ? ", " + placeOf(f) : ""), "faint"));
  return lines;
}

function showTip(event) {
  const node = nodeAt(event.clientX, event.clientY), tip = byId("tip");
  if (node !== hover.node) {
    hover.node = node;
    draw();
  }
  tip.hidden = node < 0;
  if (node < 0)
    return;
  tip.replaceChildren(...tipLines(node));
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8)) + "px";
  const fits = event.clientY + 18 + height <= innerHeight;
  tip.style.top = Math.max(4, fits ? event.clientY + 18 : event.clientY - height - 12) + "px";
}

function hideTip() {
  hover.node = -1;
  byId("tip").hidden = true;
  draw();
}

// The keyboard walks: from the frame that is zoomed to, to its largest callee, its caller, its
// neighbours.
function walk(key) {
  const node = zoomed(), up = tree.parent[node];
  const children = tree.order.subarray(tree.first[node], tree.first[node + 1]);
  const away = view.shape === "flame" ? "ArrowUp" : "ArrowDown";
  if (key === away && children.length)
    return zoomTo(children[0]);
  if ((key === "ArrowUp" || key === "ArrowDown") && key !== away && up >= 0)
    return zoomTo(up);
  if (up < 0)
    return undefined;
  const beside = Array.from(tree.order.subarray(tree.first[up], tree.first[up + 1]));
  const next = beside[beside.indexOf(node) + (key === "ArrowRight" ? 1 : -1)];
  return next === undefined ? undefined : zoomTo(next);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open)
    return;
  const inField = event.target.matches("input, select");
  if (event.key === "Escape") {
    view.find = "";
    view.chosen = -1;
    view.zoom = [];
    event.target.blur();
    return changed();
  }
  if (inField)
    return;
  if (event.key === "/") {
    byId("find").focus();
  } else if (event.key === "?") {
    byId("help").showModal();
  } else if (event.key === "0" || event.key === "Home") {
    view.zoom = [];
    changed();
  } else if (event.key === "Backspace" && view.zoom.length) {
    view.zoom.pop();
    changed();
  } else if (/^[123]$/.test(event.key)) {
    view.tab = TABS[event.key - 1];
    changed();
  } else if (event.key === "i") {
    view.shape = SHAPES[(SHAPES.indexOf(view.shape) + 1) % SHAPES.length];
    view.zoom = [];
    changed();
  } else if (event.key.startsWith("Arrow") && view.tab === "flame") {
    walk(event.key);
  } else
    return;
  event.preventDefault();
}

function listen() {
  for (const tab of TABS)
    byId("tab-" + tab).addEventListener("click", () => {
      view.tab = tab;
      changed();
    });
  byId("shape").addEventListener("change", (event) => {
    view.shape = event.target.value;
    view.zoom = [];
    changed();
  });
  byId("thread").addEventListener("change", (event) => {
    view.thread = Number(event.target.value);
    changed();
  });
  byId("folded").addEventListener("change", (event) => {
    view.folded = event.target.checked;
    view.zoom = [];
    changed();
  });
  byId("find").addEventListener("input", (event) => {
    view.find = event.target.value;
    changed();
  });
  byId("copy").addEventListener("click", copyTable);
  byId("keys").addEventListener("click", () => byId("help").showModal());
  picture.addEventListener("mousemove", showTip);
  picture.addEventListener("mouseleave", hideTip);
  picture.addEventListener("click", (event) => {
    const node = nodeAt(event.clientX, event.clientY);
    if (node < 0)
      return;
    view.chosen = node > 0 && tree.code[node] !== UNKNOWN ? (tree.code[node] - 1) >> 1 : -1;
    zoomTo(node);
  });
  frame.addEventListener("scroll", draw);
  document.addEventListener("keydown", press);
  window.addEventListener("resize", changed);
  window.addEventListener("hashchange", () => {
    readAddress();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColours();
    changed();
  });
}

function begin() {
  const all = data.threads.length;
  byId("title").textContent = visible(data.objects[0][0]);
  byId("thread").append(new Option(all === 1 ? "1 thread" : `all ${all} threads`, -1),
    ...data.threads.map((thread, i) => new Option(visible(thread.name)
      + (thread.tid ? " (" + thread.tid + ")" : ""), i)));
  readColours();
  readAddress();
  listen();
  refresh();
}

begin();
