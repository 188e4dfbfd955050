// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph, on a canvas as high as the window lets it be; the frame around it scrolls.
const picture = document.getElementById("picture"), frame = document.getElementById("frame");
const pen = picture.getContext("2d", { alpha: false });
const ROW = 18, LEAST = 0.4; // pixels: of a row, of a frame that is drawn
const hover = { node: -1 };
let colours = {}, letter = 7;
const colourOfCode = new Map(); // made once: colourOf

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["back", "text", "faint", "found", "chosen", "kernel", "unknown", "same",
                      "measured", "assumed"])
    colours[name] = style.getPropertyValue("--" + name).trim();
  colourOfCode.clear();
  colours.dark = style.getPropertyValue("--dark").trim() === "1";
}

// Objects have hues of their own, the program the warm one; functions of an object differ a little.
const HUES = [28, 140, 205, 265, 320, 175, 85, 235];
function makeColour(code) {
  if (code === UNKNOWN)
    return colours.unknown;
  const f = functionOf(code), object = data.objects[f.object][0];
  if (object === "[kernel]")
    return colours.kernel;
  let hash = 0;
  for (let i = 0; i < f.name.length; i++)
    hash = (hash * 31 + f.name.charCodeAt(i)) | 0;
  const light = (colours.dark ? 34 : 68) + ((hash >>> 3) % 9);
  return `hsl(${HUES[f.object % HUES.length] + (hash >>> 8) % 12} 62% ${light}%)`;
}

function colourOf(code) {
  let colour = colourOfCode.get(code);
  if (!colour)
    colourOfCode.set(code, colour = makeColour(code));
  return colour;
}

function frameColour(node) {
  if (view.colour === "trust" && tree.code[node] !== UNKNOWN)
    return trustColour(node);
  return view.colour === "change" ? changeColour(rowOfNode(node)) : colourOf(tree.code[node]);
}

// The window in samples.
function window_() {
  const node = zoomed();
  return { node, from: tree.left[node], length: tree.total[node] || 1 };
}

function rowTop(depth) {
  return (view.shape === "flame" ? tree.deepest - depth : depth) * ROW;
}

// Calls DO (node, x, width, depth) for each frame that is wide enough to be seen.
function eachFrame(todo) {
  const win = window_(), width = picture.clientWidth, scale = width / win.length;
  for (let node = win.node; node >= 0; node = tree.parent[node])
    todo(node, 0, width, tree.depth[node]);
  const visit = [win.node];
  while (visit.length) {
    const node = visit.pop();
    for (const child of arrangeChildren(tree, node)) {
      const wide = tree.total[child] * scale;
      if (wide < LEAST)
        break; // the others are smaller
      todo(child, (tree.left[child] - win.from) * scale, wide, tree.depth[child]);
      visit.push(child);
    }
  }
}

// PART is what can be seen: its top, its height, and of each row the pixel that was drawn last.
// Frames that share a pixel are drawn once, unless they are found.
function drawFrame(node, x, wide, depth, { top, high, pixels }) {
  const y = rowTop(depth) - top, code = tree.code[node];
  if (y + ROW < 0 || y > high)
    return;
  if (wide < 1 && pixels[depth] === Math.floor(x) && !matches(code))
    return;
  pixels[depth] = Math.floor(x);
  const isChosen = node > 0 && view.chosen >= 0 && code !== UNKNOWN
    && (code - 1) >> 1 === view.chosen;
  pen.globalAlpha = view.find && node > 0 && !matches(code) ? 0.35 : 1;
  pen.fillStyle = node === 0 ? colours.faint
    : view.find && matches(code) ? colours.found : frameColour(node);
  pen.fillRect(x, y, Math.max(wide - (wide > 3 ? 1 : 0), 0.5), ROW - 1);
  if (isChosen || node === hover.node) {
    pen.globalAlpha = 1;
    pen.strokeStyle = isChosen ? colours.chosen : colours.text;
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.max(wide - 3, 1), ROW - 3);
  }
  const letters = Math.floor((wide - 8) / letter);
  if (letters < 3)
    return;
  pen.globalAlpha = 1;
  pen.fillStyle = node === 0 ? colours.back : colours.text;
  const name = labelOf(node);
  pen.fillText(name.length > letters ? name.slice(0, letters - 1) + "\u2026" : name, x + 4,
    y + ROW / 2);
}

function labelOf(node) {
  if (node === 0)
    return view.thread >= 0 && !isEstimated()
      ? visible(data.threads[view.thread].name) : "all";
  const code = tree.code[node];
  return (isInlined(code) ? "\u21b3 " : "")
    + (code === UNKNOWN && isEstimated() ? "[small ones]" : nameOf(code));
}

function draw() {
  const empty = tree.total[0] === 0;
  const hasNone = empty && !isEstimated() && allTicks() === 0;
  document.getElementById("none").hidden = !empty || !hasNone;
  document.getElementById("none-here").hidden = !empty || hasNone;
  frame.hidden = empty;
  if (empty)
    return;
  const height = (tree.deepest + 1) * ROW, ratio = window.devicePixelRatio || 1;
  document.getElementById("spacer").style.height = height + "px";
  const wide = frame.clientWidth, high = Math.min(height, frame.clientHeight);
  if (picture.width !== Math.round(wide * ratio) || picture.height !== Math.round(high * ratio)) {
    picture.width = Math.round(wide * ratio);
    picture.height = Math.round(high * ratio);
    picture.style.width = wide + "px";
    picture.style.height = high + "px";
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, wide, high);
  pen.font = "11px ui-monospace, 'DejaVu Sans Mono', monospace";
  pen.textBaseline = "middle";
  pen.direction = "ltr";
  letter = pen.measureText("MMMMMMMMMM").width / 10;
  const part = { top: frame.scrollTop, high,
                 pixels: new Int32Array(tree.deepest + 1).fill(-1) };
  eachFrame((node, x, width, depth) => drawFrame(node, x, width, depth, part));
  pen.globalAlpha = 1;
}

// The frame at a point of the window; -1: none.
function nodeAt(clientX, clientY) {
  const box = picture.getBoundingClientRect(), x = clientX - box.left;
  const row = Math.floor((clientY - box.top + frame.scrollTop) / ROW);
  const depth = view.shape === "flame" ? tree.deepest - row : row;
  let found = -1;
  eachFrame((node, left, wide, at) => {
    if (at === depth && x >= left && x < left + wide)
      found = node;
  });
  return found;
}

// A new picture begins where its root is.
function scrollToRoot() {
  frame.scrollTop = view.shape === "flame" ? frame.scrollHeight : 0;
}
