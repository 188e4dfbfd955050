// SPDX-License-Identifier: GPL-3.0-or-later
// A long list of rows that are equally high, in an element that scrolls: groups of rows, each made
// when it comes near to what is seen.
const GROUP = 200, ROW_HEIGHT = 18; // rows, pixels (code.css)

function makeLongList(element) {
  let count = 0, make = null;
  const fillGroup = (group) => {
    if (group.childElementCount > 0)
      return;
    for (let i = Number(group.dataset.first), n = 0; i < count && n < GROUP; i++, n++) {
      const row = make(i);
      row.dataset.at = i;
      group.append(row);
    }
    group.style.height = "";
  };
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting)
        fillGroup(target);
  }, { root: element, rootMargin: "1000px" });
  return {
    element,
    count: () => count,
    // MAKE: makes the element of row I.
    fill: (n, makeRow) => {
      count = n;
      make = makeRow;
      watcher.disconnect();
      element.replaceChildren();
      for (let first = 0; first < n; first += GROUP) {
        const group = document.createElement("div");
        group.dataset.first = first;
        group.setAttribute("role", "presentation");
        group.style.height = Math.min(GROUP, n - first) * ROW_HEIGHT + "px";
        element.append(group);
        watcher.observe(group);
      }
    },
    row: (i) => {
      const group = element.children[Math.floor(i / GROUP)];
      fillGroup(group);
      return group.children[i % GROUP];
    },
    // Of the row that an event is in; -1: none.
    indexOf: (target) => {
      const row = target.closest("[data-at]");
      return row ? Number(row.dataset.at) : -1;
    },
  };
}
