// SPDX-License-Identifier: GPL-3.0-or-later
// The picture.  If several states share a column of one pixel, each colour is as high as its share;
// a run or a wait in it is always higher than the line of a sleep.
const picture = part("picture"), above = part("above");
const frame = part("frame"), spacer = part("spacer");
const LEAST = 5;
const COLOURS = ["back", "text", "faint", "rule", "band", "chosen", "running", "ready", "sleeping",
                 "locked", "unknown", "cursor", "mark", "mpi"];
const colours = {};

// The style sheet is the one place that knows them.
function readColours() {
  const style = getComputedStyle(picture);
  for (const name of COLOURS)
    colours[name] = style.getPropertyValue("--" + name).trim();
  const tile = document.createElement("canvas"), hatch = tile.getContext("2d");
  tile.width = tile.height = 6;
  hatch.strokeStyle = colours.unknown;
  hatch.lineWidth = 1.5;
  for (const shift of [-6, 0, 6]) {
    hatch.moveTo(shift - 1, 7);
    hatch.lineTo(shift + 7, -1);
  }
  hatch.stroke();
  colours.hatch = picture.getContext("2d").createPattern(tile, "repeat");
}

// Threads on a processor differ in these colours, and in the name if there is room.
const threadColour = (index) => view.chosen < 0 ? "hsl(" + (index * 137 + 160) % 360 + " 55% 45%)"
  : index === view.chosen ? colours.running : colours.sleeping;

function sizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.font = "12px system-ui, 'DejaVu Sans', sans-serif";
  ctx.textBaseline = "middle";
  return ctx;
}

// WIDTH pixels from X on, of which each state has its SHARES; BOTTOM of the bar.
function drawShares(ctx, x, width, bottom, shares, runs) {
  const total = shares.reduce((sum, share) => sum + share);
  let y = bottom;
  if (shares[SLEEPING] > 0) {
    ctx.fillStyle = colours.sleeping;
    ctx.fillRect(x, bottom - 2, width, 2);
  }
  for (const [state, height, least, colour] of [[RUNNING, BAR, LEAST, runs],
                                                [READY, BAR / 2, LEAST, colours.ready],
                                                [LOCKED, BAR / 4, 2, colours.locked],
                                                [UNKNOWN, BAR, LEAST, colours.hatch]])
    if (shares[state] > 0) {
      const high = Math.min(Math.max(shares[state] / total * height, least), y - bottom + BAR);
      ctx.fillStyle = colour;
      ctx.fillRect(x, y - high, width, high);
      y -= high;
    }
}

// One row's part in the window; TOP of its bar.
function drawBars(ctx, row, top) {
  const { starts, codes } = row, left = namesWidth(), width = picture.clientWidth - left;
  const scale = width / (view.to - view.from);
  const colourOf = (code) =>
    row.cpu === undefined ? colours.running : threadColour(detailOf(code) - 1);
  const isLock = (code) =>
    stateOf(code) === SLEEPING && row.cpu === undefined && data.locks[detailOf(code)];
  const shares = [0, 0, 0, 0, 0];
  let column = -1, runs = colours.running;
  const flush = () => {
    if (column >= 0)
      drawShares(ctx, left + column, 1, top + BAR, shares, runs);
    shares.fill(0);
    column = -1;
  };
  const add = (at, state, part, code) => {
    if (at !== column)
      flush();
    column = at;
    shares[state] += part;
    if (state === RUNNING)
      runs = colourOf(code);
  };
  const start = Math.max(countUpTo(starts, view.from) - 1, 0);
  for (let i = start; i < codes.length && starts[i] < view.to; i++) {
    const from = Math.max((starts[i] - view.from) * scale, 0);
    const to = Math.min((starts[i + 1] - view.from) * scale, width);
    const state = isLock(codes[i]) ? LOCKED : stateOf(codes[i]);
    const first = Math.floor(from), last = Math.floor(to);
    if (first === last) {
      add(first, state, to - from, codes[i]);
      continue;
    }
    if (from > first)
      add(first, state, first + 1 - from, codes[i]);
    const begin = from > first ? first + 1 : first;
    if (begin < last) {
      flush();
      const block = [0, 0, 0, 0, 0];
      block[state] = 1;
      drawShares(ctx, left + begin, last - begin, top + BAR, block, colourOf(codes[i]));
      if (state === RUNNING && row.cpu !== undefined)
        drawText(ctx, threads[detailOf(codes[i]) - 1].name, left + begin + 3, top + BAR / 2,
          last - begin - 6, "#ffffff", 30);
    }
    if (to > last)
      add(last, state, to - last, codes[i]);
  }
  flush();
}

// A line above the bar where the thread was in a function of MPI, with its name if there is room.
function drawMpi(ctx, row, top) {
  const { starts, ends, names } = row.mpi, left = namesWidth();
  let drawn = left; // up to here
  for (let i = Math.max(countUpTo(starts, view.from) - 1, 0);
    i < starts.length && starts[i] < view.to; i++) {
    const from = Math.max(xOf(starts[i]), drawn), to = Math.min(xOf(ends[i]), picture.clientWidth);
    if (to <= from && drawn > left)
      continue;
    ctx.fillStyle = colours.mpi;
    ctx.fillRect(from, top, Math.max(to - from, 1), MPI);
    drawText(ctx, data.names[names[i]], from + 3, top + BAR / 2 + MPI, to - from - 6, colours.text,
      40);
    drawn = Math.max(to, from + 1);
  }
}

// Cut to WIDTH; nothing if that is less than LEAST pixels.
function drawText(ctx, text, x, y, width, colour, least = 0) {
  if (width < least)
    return;
  let shown = text;
  if (ctx.measureText(shown).width > width) {
    let from = 0, to = text.length;
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (ctx.measureText(text.slice(0, middle) + "\u2026").width <= width)
        from = middle;
      else
        to = middle - 1;
    }
    shown = text.slice(0, from) + "\u2026";
  }
  ctx.fillStyle = colour;
  ctx.fillText(shown, x, y);
}

function drawRow(ctx, row, y, width) {
  if (row.index === view.chosen) {
    ctx.fillStyle = colours.chosen;
    ctx.fillRect(0, y, width, ROW);
  }
  ctx.fillStyle = colours.rule;
  ctx.fillRect(0, y + ROW - 1, width, 1);
  const withTid = row.tid !== undefined && namesWidth() > 150;
  drawText(ctx, row.name, 6, y + ROW / 2, namesWidth() - (withTid ? 60 : 10), colours.text);
  if (withTid) {
    ctx.textAlign = "right";
    drawText(ctx, String(row.tid), namesWidth() - 6, y + ROW / 2, 60, colours.faint);
    ctx.textAlign = "left";
  }
  drawBars(ctx, row, y + (ROW - BAR) / 2);
  if (row.mpi)
    drawMpi(ctx, row, y);
}

function drawAxis(ctx, width) {
  ctx.fillStyle = colours.back;
  ctx.fillRect(0, 0, width, headHeight());
  ctx.fillStyle = colours.band;
  ctx.fillRect(0, 0, width, 22);
  let free = namesWidth();
  for (const [time, text] of ticksOf((width - namesWidth()) / 90)) {
    const x = xOf(time);
    ctx.fillStyle = colours.rule;
    ctx.fillRect(x, 15, 1, 7);
    if (x >= free && x + ctx.measureText(text).width < width) {
      drawText(ctx, text, x + 3, 11, 200, colours.faint);
      free = x + ctx.measureText(text).width + 10;
    }
  }
}

// Flags below the axis, with their texts where there is room, and lines through the rows.
function drawMarks(ctx, width, height) {
  const first = data.marks.findIndex((mark) => mark[0] >= view.from);
  let free = namesWidth(); // where the text before ends
  const isShown = (i) => i >= 0 && i < data.marks.length && data.marks[i][0] <= view.to;
  for (let i = first, end; isShown(i); i = end) {
    const x = Math.round(xOf(data.marks[i][0]));
    for (end = i + 1; end < data.marks.length && Math.round(xOf(data.marks[end][0])) === x;)
      end++;
    const next = end < data.marks.length ? xOf(data.marks[end][0]) : Infinity;
    const text = data.marks[i][2] + (end - i > 1 ? " (+" + (end - i - 1) + ")" : "");
    ctx.fillStyle = colours.mark;
    ctx.globalAlpha = 0.4; // it crosses what it is not about
    ctx.fillRect(x, 24, 1, height - 24);
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.moveTo(x, 25);
    ctx.lineTo(x + 8, 29);
    ctx.lineTo(x, 33);
    ctx.fill();
    const room = Math.min(next, width) - x - 14, length = ctx.measureText(text).width;
    if (length > room && length <= x - free - 8)
      drawText(ctx, text, x - length - 4, 33, length, colours.mark);
    else
      drawText(ctx, text, x + 10, 33, room, colours.mark, 24);
    free = x + 10 + (room < 24 ? 0 : Math.min(room, length));
  }
}

function layOut() {
  const most = Math.max(Math.round(window.innerHeight * 0.62), 160), content = contentHeight();
  frame.style.height = Math.min(content, most) + 2 + "px";
  const height = Math.min(content, most), width = frame.clientWidth;
  spacer.style.height = content - height + "px";
  return [width, height];
}

function draw() {
  const [width, height] = layOut(), ctx = sizeCanvas(picture, width, height);
  const rows = rowsBelow(), head = headHeight();
  const first = Math.floor(frame.scrollTop / ROW);
  ctx.fillStyle = colours.back; // not left to the page's: on paper that is another one
  ctx.fillRect(0, 0, width, height);
  for (let i = first; i < rows.length && head + i * ROW - frame.scrollTop < height; i++)
    drawRow(ctx, rows[i], head + i * ROW - frame.scrollTop, width);
  drawAxis(ctx, width);
  if (view.chosen >= 0) {
    drawRow(ctx, threads[view.chosen], AXIS, width);
    ctx.fillStyle = colours.cursor;
    ctx.fillRect(0, head - 2, width, 2);
  }
  drawMarks(ctx, width, height);
  drawAbove();
}

// What moves with the pointer, so that all else need not be drawn again.
function drawAbove() {
  const width = picture.clientWidth, height = picture.clientHeight;
  const ctx = sizeCanvas(above, width, height);
  ctx.fillStyle = colours.cursor;
  if (hover.x !== null && hover.x >= namesWidth()) {
    ctx.globalAlpha = 0.5;
    ctx.fillRect(hover.x, 0, 1, height);
  }
  for (const times of [view.range, view.drag]) {
    if (!times)
      continue;
    const [from, to] = times.map((time) => Math.max(xOf(time), namesWidth()));
    ctx.globalAlpha = times === view.drag ? 0.2 : 0.12;
    ctx.fillRect(Math.min(from, to), 0, Math.abs(to - from), height);
  }
  ctx.globalAlpha = 1;
  if (view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to)
    ctx.fillRect(Math.round(xOf(view.cursor)) - 1, 22, 2, height - 22);
}
