// SPDX-License-Identifier: GPL-3.0-or-later
// The entry of the chosen function as gprof prints it: callers above, callees below.
const showEntryTime = (samples) => {
  const seconds = samples * data.gprof.tick / 1e9;
  return seconds.toFixed(seconds >= 100 || seconds === 0 ? 2 : 4);
};

function nameOfEntry(entry) {
  const name = entry.whole ? `<cycle ${entry.cycle} as a whole>`
    : entry.name + (entry.cycle ? ` <cycle ${entry.cycle}>` : "");
  const shown = `${cutInMiddle(name, 120)} [${entry.index}]`;
  if (entry.function < 0)
    return cell("td", shown);
  const line = cell("td", ""), button = cell("button", shown);
  button.addEventListener("click", () => chooseFunction(entry.function));
  line.append(button);
  return line;
}

function rowOfEntry(cells, name, of) {
  const row = document.createElement("tr");
  row.className = of;
  row.append(...cells.map((text) => cell("td", text, "number")), name);
  return row;
}

// A caller (OTHER is FROM) or a callee.  By recursion and in a cycle no time is passed.
function rowOfArc(arc, other) {
  const { from, to } = arc, close = from === to || (to.cycle > 0 && from.cycle === to.cycle);
  const whole = to.cycle ? gprof.whole(to.cycle) || to : to;
  return rowOfEntry(close ? ["", "", "", "", showCount(arc.count)]
    : ["", "", showEntryTime(arc.self), showEntryTime(arc.children),
       showCount(arc.count) + "/" + showCount(whole.calls)],
  nameOfEntry(arc[other]), "relative");
}

function fillEntry(f) {
  const entry = gprof.of.get(f), table = byId("entry");
  table.hidden = !entry;
  byId("entry-note").textContent = entry ? data.gprof.estimated
    ? "gprof's entry; its calls are estimated from the stacks."
    : "gprof's entry: callers share the time by their calls."
    : "gprof has no entry for it: it has neither calls nor samples of its own, or is inlined.";
  if (!entry)
    return;
  const all = data.gprof.samples, called = entry.calls || entry.selfCalls
    ? showCount(entry.calls) + (entry.selfCalls ? "+" + showCount(entry.selfCalls) : "") : "";
  const own = rowOfEntry([`[${entry.index}]`,
                          (all > 0 ? 100 * (entry.self + entry.children) / all : 0).toFixed(1),
                          showEntryTime(entry.self), showEntryTime(entry.children), called],
  nameOfEntry(entry), "chosen");
  const callers = entry.callers.map((arc) => rowOfArc(arc, "from"));
  if (!callers.length)
    callers.push(rowOfEntry(["", "", "", "", ""], cell("td", "<spontaneous>"), "relative"));
  table.tBodies[0].replaceChildren(...callers, own,
    ...entry.callees.map((arc) => rowOfArc(arc, "to")));
}
