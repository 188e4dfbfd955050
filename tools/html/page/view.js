// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown: all views share it.  The page's address has it, so that a view can be linked to.
const byId = (id) => document.getElementById(id);

const view = {
  tab: "flame",     // the name of one of VIEWS
  shape: "flame",   // or icicle, inverted
  thread: -1,       // index; -1: all
  folded: false,    // direct recursion in one frame
  find: "",         // text in names
  chosen: -1,       // function
  zoom: [],         // codes from the root to the frame that has the whole width
  sort: "self",
  without: [],      // keys of columns that are not shown
  widths: data.wall ? "wall" : "cpu", // one of WIDTHS
  from: -1, to: -1, // range of time that counts, in ns; -1: all
  window: null,     // the part of the timeline that is shown: two times; null: all
  colour: "object", // of frames; or change
  side: "new",      // or old: whose stacks, where profiles are compared
  metric: "time",   // that is compared
  order: "difference",
};
let usualWidths = view.widths;
let tree = null, summed = null;

// Each view's file adds itself: { name, title, fill, press }.  The page has a section view-NAME;
// fill (remade) shows the present view in it (remade: the tree is another one), press (key) returns
// true if the view took the key, takes (key) whether it wants a key that is the page's elsewhere.
// Tabs stand in the order of the files.
const VIEWS = [];

const SHAPES = ["flame", "icicle", "inverted"];

function remake() {
  if (comparison)
    sampled = comparison.stacks[view.side];
  weigh();
  tree = makeTree({ stacks: shownStacks(), thread: isEstimated() ? -1 : view.thread,
                    inverted: view.shape === "inverted",
                    folded: view.folded });
  summed = null;
}

// Of the functions, by the stacks of the chosen thread; made when a view asks.
function sums() {
  summed = summed || sumFunctions(view.thread);
  return summed;
}

// The node that is zoomed to; the root, if this tree does not have it.
function zoomed() {
  let node = 0;
  for (const code of view.zoom) {
    const next = arrangeChildren(tree, node).find((child) => tree.code[child] === code);
    if (next === undefined)
      break;
    node = next;
  }
  return node;
}

function zoomTo(node) {
  const path = [];
  for (; node > 0; node = tree.parent[node])
    path.unshift(tree.code[node]);
  view.zoom = path;
  changed();
}

// By function, at last of unknown code: does its name have the text?  Made once for each text.
const foundNames = { text: "", flags: null };
function matches(code) {
  if (view.find === "")
    return false;
  if (foundNames.text !== view.find) {
    const isFound = (name) => name.toLowerCase().includes(view.find.toLowerCase());
    foundNames.flags = [...functions.map(({ name }) => isFound(name)), isFound(nameOf(UNKNOWN))];
    foundNames.text = view.find;
  }
  return foundNames.flags[code === UNKNOWN ? functions.length : (code - 1) >> 1];
}

// Samples with a match on their stack.
function matched() {
  let sum = 0;
  const visit = [0];
  while (visit.length) {
    const node = visit.pop();
    if (node > 0 && matches(tree.code[node])) {
      sum += tree.total[node];
      continue;
    }
    for (let i = tree.first[node]; i < tree.first[node + 1]; i++)
      visit.push(tree.order[i]);
  }
  return sum;
}

function writeAddress() {
  const words = new URLSearchParams();
  words.set("view", view.tab);
  if (view.shape !== "flame")
    words.set("shape", view.shape);
  if (view.thread >= 0)
    words.set("thread", view.thread);
  if (view.folded)
    words.set("folded", 1);
  if (view.find)
    words.set("find", view.find);
  if (view.chosen >= 0)
    words.set("function", view.chosen);
  if (view.zoom.length)
    words.set("zoom", view.zoom.join("."));
  if (view.sort !== "self")
    words.set("sort", view.sort);
  if (view.without.length)
    words.set("without", view.without.join("."));
  if (view.widths !== usualWidths)
    words.set("widths", view.widths);
  if (view.from >= 0) {
    words.set("from", view.from);
    words.set("to", view.to);
  }
  if (view.window)
    words.set("window", view.window.map(Math.round).join("."));
  if (comparison)
    for (const name of ["side", "metric", "order"])
      words.set(name, view[name]);
  if (view.colour !== "object")
    words.set("colour", view.colour);
  const hash = "#" + words;
  if (hash !== location.hash)
    try {
      history.replaceState(null, "", hash);
    } catch (refused) { // a browser that sees too many changes
      console.info(refused.message);
    }
}

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (name, most) => {
    const n = /^\d+$/.test(words.get(name) || "") ? Number(words.get(name)) : -1;
    return n < most ? n : -1;
  };
  view.tab = VIEWS.some(({ name }) => name === words.get("view")) ? words.get("view") : "flame";
  view.shape = SHAPES.includes(words.get("shape")) ? words.get("shape") : "flame";
  view.thread = number("thread", data.threads.length);
  view.folded = words.has("folded");
  view.find = words.get("find") || "";
  view.chosen = number("function", functions.length);
  view.zoom = (words.get("zoom") || "").split(".").filter((code) => /^\d+$/.test(code))
    .map(Number);
  if (COLOURINGS.some(([key]) => key === words.get("colour")))
    view.colour = words.get("colour");
  if (comparison) {
    const choose = (name, all) => {
      view[name] = all.includes(words.get(name)) ? words.get(name) : view[name];
    };
    choose("side", Object.keys(comparison.stacks));
    choose("metric", compared.map(({ key }) => key));
    choose("order", DIFF_COLUMNS.map(({ key }) => key));
  }
  view.sort = COLUMNS.some((column) => column.key === words.get("sort")) ? words.get("sort")
    : "self";
  view.without = (words.get("without") || "").split(".")
    .filter((key) => key !== "name" && COLUMNS.some((column) => column.key === key));
  view.widths = WIDTHS[words.get("widths")] && hasWidths(words.get("widths")) ? words.get("widths")
    : usualWidths;
  const [from, to] = [number("from", Infinity), number("to", Infinity)];
  [view.from, view.to] = timed.data && from >= 0 && from < to ? [from, to] : [-1, -1];
  const edges = /^(-?\d+)\.(-?\d+)$/.exec(words.get("window") || "");
  view.window = timed.data && edges ? edges.slice(1).map(Number) : null;
}
