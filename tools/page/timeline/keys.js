// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, the pointer, and the buttons.
const runs = (thread, i) => i >= 0 && stateOf(thread.codes[i]) === RUNNING;
const isSwitch = (thread, i) => runs(thread, i) || runs(thread, i - 1);

// Moves the window's middle to the next time (STEP 1) or the one before (-1) at which the chosen
// thread gets or loses a processor; zooms in if the interval would be too narrow to be seen.
function jump(step) {
  if (view.chosen < 0)
    choose(0);
  if (view.chosen < 0)
    return;
  const thread = threads[view.chosen], { starts, codes } = thread;
  const inWindow = view.cursor !== null && view.cursor >= view.from && view.cursor <= view.to;
  const now = inWindow ? view.cursor : step > 0 ? view.from - 1 : view.to;
  let i = step > 0 ? countUpTo(starts, now) : countUpTo(starts, now) - 1;
  if (step < 0 && starts[i] === now)
    i--;
  while (i >= 0 && i < codes.length && !isSwitch(thread, i))
    i += step;
  if (i < 0 || i >= codes.length)
    return say("There is no " + (step > 0 ? "later" : "earlier") + " switch of " + thread.name
      + ".");
  view.cursor = starts[i];
  const width = picture.clientWidth - namesWidth();
  const pixel = (view.to - view.from) / width, length = starts[i + 1] - starts[i];
  const half = length < 3 * pixel ? length * width / 48 : (view.to - view.from) / 2;
  setWindow(starts[i] - half, starts[i] + half);
  say(thread.name + ": " + intervalTexts(thread, i).join(", "));
}

function toggleCpus() {
  view.byCpu = !view.byCpu;
  changed();
}

const middle = () => (view.from + view.to) / 2;
const isInView = (time) => time !== null && time >= view.from && time <= view.to;
const about = () => isInView(view.cursor) ? view.cursor : middle();
const actions = {
  "+": () => zoom(2, about()), "=": () => zoom(2, about()), "-": () => zoom(0.5, about()),
  ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
  0: () => setWindow(whole.from, whole.to), Home: () => setWindow(whole.from, whole.to),
  ArrowUp: () => choose(Math.max(view.chosen - 1, 0)), ArrowDown: () => choose(view.chosen + 1),
  n: () => jump(1), p: () => jump(-1), c: toggleCpus,
  "/": () => part("find").focus(),
  Escape: () => choose(-1), "?": () => part("help").showModal(),
};

function onWheel(event) {
  const x = event.offsetX;
  if (x < namesWidth() && !event.shiftKey)
    return; // the rows scroll
  event.preventDefault();
  const by = event.deltaMode === 1 ? 20 : 1;
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
    pan((event.deltaX || event.deltaY) * by / 1000);
  else
    zoom(Math.exp(-event.deltaY * by / 400), timeAt(x));
}

let press = null; // where the pointer went down

function onDown(event) {
  if (event.button !== 0 || event.offsetX < 0)
    return;
  picture.setPointerCapture(event.pointerId);
  const selects = event.shiftKey || event.offsetY < AXIS;
  press = { x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, selects,
    moved: false };
}

function onMove(event) {
  [hover.x, hover.y] = [event.offsetX, event.offsetY];
  if (press && Math.abs(event.offsetX - press.x) > 3)
    press.moved = true;
  if (press && press.moved && press.x >= namesWidth())
    drag(event.offsetX);
  showTip(event.clientX, event.clientY);
  drawAbove();
}

function drag(x) {
  if (press.selects) {
    view.drag = [timeAt(press.x), timeAt(Math.max(x, namesWidth()))];
    return;
  }
  const by = (x - press.x) / (picture.clientWidth - namesWidth()) * (press.to - press.from);
  setWindow(press.from - by, press.to - by);
}

function onUp(event) {
  const was = press, selected = view.drag;
  press = view.drag = null;
  if (!was)
    return;
  if (selected)
    select(Math.min(...selected), Math.max(...selected));
  else if (!was.moved) {
    const row = rowAt(event.offsetY);
    if (row && row.index !== undefined)
      choose(row.index === view.chosen ? -1 : row.index);
  }
}

function listenToPointer() {
  picture.addEventListener("wheel", onWheel, { passive: false });
  picture.addEventListener("pointerdown", onDown);
  picture.addEventListener("pointermove", onMove);
  picture.addEventListener("pointerup", onUp);
  picture.addEventListener("pointercancel", () => { press = view.drag = null; });
  picture.addEventListener("pointerleave", hideTip);
  const buttons = { in: "+", out: "-", earlier: "ArrowLeft", later: "ArrowRight", reset: 0,
    previous: "p", next: "n" };
  for (const [id, key] of Object.entries(buttons))
    part(id).addEventListener("click", actions[key]);
  part("cpus").addEventListener("change", toggleCpus);
}
