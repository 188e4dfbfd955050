// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph's pointer and keys: what a frame is, the way to other frames.
function tipLines(node) {
  const code = tree.code[node], total = tree.total[node], all = tree.total[0];
  const [low, high] = interval(total);
  const lines = [cell("b", labelOf(node)),
                 cell("span", `total ${showWidth(total)}, ${showPercent(total, all)}`
                   + (data.tick && view.widths !== "off" && !isEstimated()
                     ? ` (95 %: ${showTicks(low)} to ${showTicks(high)})` : "")),
                 cell("span", `self ${showWidth(tree.self[node])}, `
                   + showPercent(tree.self[node], all))];
  if (comparison)
    lines.push(...describeChange(node > 0 ? rowOfNode(node) : { ...comparison.total,
      name: "the program" }).map((text) => cell("span", text)));
  if (tree.assumed[node])
    lines.push(cell("span", "assumed: split among callers by their calls"));
  if (tree.byPointer[node])
    lines.push(cell("span", "found by the frame pointer: less certain"));
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
  const children = arrangeChildren(tree, node);
  const away = view.shape === "flame" ? "ArrowUp" : "ArrowDown";
  if (key === away && children.length)
    return zoomTo(children[0]);
  if ((key === "ArrowUp" || key === "ArrowDown") && key !== away && up >= 0)
    return zoomTo(up);
  if (up < 0)
    return undefined;
  const beside = arrangeChildren(tree, up);
  const next = beside[beside.indexOf(node) + (key === "ArrowRight" ? 1 : -1)];
  return next === undefined ? undefined : zoomTo(next);
}

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
VIEWS.push({
  name: "flame", title: "Flame graph",
  fill: (remade) => {
    draw();
    if (remade) {
      scrollToRoot();
      draw();
    }
  },
  press: (key) => {
    if (key.startsWith("Arrow"))
      walk(key);
    return key.startsWith("Arrow");
  },
});
