// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the views: what the reader does changes the view, then all is drawn anew.
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

const present = () => VIEWS.find(({ name }) => name === view.tab);

function refresh() {
  const now = [view.thread, view.shape === "inverted", view.folded, view.widths,
               view.from, view.to, view.side].join();
  const remade = now !== made;
  if (remade)
    remake();
  made = now;
  for (const { name } of VIEWS) {
    byId("view-" + name).hidden = name !== view.tab;
    byId("tab-" + name).setAttribute("aria-selected", name === view.tab);
  }
  byId("shape").value = view.shape;
  byId("thread").value = view.thread;
  byId("folded").checked = view.folded;
  fillRange();
  if (byId("find").value !== view.find)
    byId("find").value = view.find;
  byId("share").textContent = view.find && tree.total[0] > 0
    ? showPercent(matched(), tree.total[0]) + " of the "
      + (isEstimated() ? view.widths : "samples") : "";
  fillDiffTools();
  fillColouring();
  present().fill(remade);
  writeAddress();
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open)
    return;
  const inField = event.target.matches("input, select");
  if (!inField && present().takes && present().takes(event.key)) {
    present().press(event.key);
    return event.preventDefault();
  }
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
  } else if (/^[1-9]$/.test(event.key) && event.key <= VIEWS.length) {
    view.tab = VIEWS[event.key - 1].name;
    changed();
  } else if (event.key === "i") {
    view.shape = SHAPES[(SHAPES.indexOf(view.shape) + 1) % SHAPES.length];
    view.zoom = [];
    changed();
  } else if (!present().press || !present().press(event.key))
    return;
  event.preventDefault();
}

function listen() {
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
  listenToRange();
  byId("copy").addEventListener("click", copyTable);
  byId("keys").addEventListener("click", () => byId("help").showModal());
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

function makeTab({ name, title }) {
  const tab = cell("button", title);
  tab.id = "tab-" + name;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", "view-" + name);
  tab.addEventListener("click", () => {
    view.tab = name;
    changed();
  });
  return tab;
}

function begin() {
  const all = data.threads.length;
  byId("title").textContent = visible(data.objects[0][0]);
  byId("thread").append(new Option(all === 1 ? "1 thread" : `all ${all} threads`, -1),
    ...data.threads.map((thread, i) => new Option(visible(thread.name)
      + (thread.tid ? " (" + thread.tid + ")" : ""), i)));
  byId("tabs").append(...VIEWS.map(makeTab));
  readColours();
  readAddress();
  listen();
  listenDiff();
  listenToColouring();
  refresh();
}

begin();
