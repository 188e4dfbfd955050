// SPDX-License-Identifier: GPL-3.0-or-later
// Source and machine code side by side: executions, time, probabilities of branches, loops.
const SIDES = { source: makeLongList(byId("code-source")),
                machine: makeLongList(byId("code-machine")) };
const shownCode = { f: -2, code: null, side: "source", at: -1, lit: [], links: null };

// The functions to choose from; ID: of the select element.
function fillFunctionChoice(id, f) {
  const select = byId(id);
  if (select.options.length === 0)
    select.append(...functionsWithCode.map((i) => new Option(shorten(functions[i].name), i)));
  const extra = select.querySelector("[data-extra]");
  if (extra)
    extra.remove();
  if (f >= 0 && !functionsWithCode.includes(f)) { // a part, or without code
    const option = new Option(shorten(functions[f].name), f);
    option.dataset.extra = "1";
    select.prepend(option);
  }
  select.value = f;
  select.hidden = select.options.length === 0;
}

const shorten = (name) => name.length > 80 ? name.slice(0, 79) + "\u2026" : name;

function chooseListed(event) {
  view.chosen = Number(event.target.value);
  changed();
}

// Where it is, how often it was entered, its time.
function describeCode(f, { code, samples }) {
  const entries = entriesOf(code), parts = [placeOf(functions[f])];
  if (entries !== null)
    parts.push(`entered ${showCount(entries)} time${entries === 1 ? "" : "s"}`);
  if (samples > 0 && data.sampleTime) {
    const [low, high] = interval(samples);
    parts.push(`self ${showSamples(samples)} (95 %: ${showSamples(low) || 0} to `
      + `${showSamples(high)})`);
  } else if (samples > 0)
    parts.push(`${showSamples(samples)} samples`);
  return parts.filter(Boolean).join("; ");
}

const isOfLanguage = (blocks) => blocks.some(({ kind }) => kind === "lines");

// What is missing, in sentences.
function codeNotes({ code, samples, blocks }) {
  const notes = [];
  if (code.file === undefined)
    notes.push("The object has no debug information (compile with -g): machine code only.");
  else if (code.missing)
    notes.push(`The source ${data.texts[code.file]} is missing: line numbers only. `
      + "bbprof annotate -I finds it in other folders.");
  else if (!code.text)
    notes.push("The page was made with --source=none: line numbers only.");
  if (isOfLanguage(blocks))
    notes.push("A function of a language: it has no machine code, and its lines have the time of "
      + "the native functions that they call.");
  else if (!blocks.some((block) => block.count !== null))
    notes.push("No counts: compile with -pg -fplugin=bbprof to have executions.");
  else if (!data.edgesKnown)
    notes.push("The profile has no counts of edges, so branches have no probabilities.");
  if (samples === 0)
    notes.push("No samples are in this code: bbprof record takes them.");
  if (view.thread >= 0)
    notes.push("Counts and samples are those of all threads.");
  return notes.join(" ");
}

// Cells of time and executions; the bar is the share of the function's time, else of the most
// executions.
function heatCells(samples, count, most, code) {
  const timed = code.samples > 0;
  const share = timed ? samples / code.samples : most > 0 && count ? count / most : 0;
  const time = cell("span", showSamples(samples), "number");
  const executions = cell("span", count === null ? "" : showCount(count), "number");
  if (count === 0)
    executions.classList.add("never");
  const hot = timed ? time : executions;
  if (share > 0) {
    hot.classList.add("heat");
    hot.style.setProperty("--share", Math.max(100 * share, 1).toFixed(1) + "%");
    hot.title = showPercent(share, 1);
  }
  return [time, executions];
}

function makeRow(cells, kind) {
  const row = document.createElement("div");
  row.setAttribute("role", "listitem");
  row.className = "code-row " + kind;
  row.append(...cells);
  return row;
}

const showIterations = (n) => n >= 1000 || Number.isInteger(n) ? showCount(Math.round(n))
  : n.toFixed(2);

// Iterations, entries, and their ratio.
function loopText({ entered, iterations }) {
  const text = `\u21bb ${showCount(iterations)} iterations, ${showCount(entered)} `
    + `entr${entered === 1 ? "y" : "ies"}`;
  return entered > 0 ? `${text}, ${showIterations(iterations / entered)} each` : text;
}

// Of each row of source: does it begin inside of a comment?
function beginInComments(rows) {
  const state = { comment: false };
  return rows.map((row, i) => {
    state.comment = state.comment && follows(row, rows[i - 1]);
    const begins = state.comment;
    if (row.text !== null && (begins || row.text.includes("/*")))
      tokens(row.text, state);
    return begins;
  });
}

const follows = (row, before) => row.file === before.file && row.line === before.line + 1;

function fillSource(code) {
  const inComments = beginInComments(code.rows), loops = new Map();
  for (const loop of code.loops) {
    const { line } = code.blocks[loop.head];
    loops.set(line, [...loops.get(line) || [], loop]);
  }
  const most = Math.max(...code.rows.map((row) => row.count || 0), 0);
  SIDES.source.fill(code.rows.length, (i) => {
    const row = code.rows[i], text = cell("code", "", "code-text");
    if (i > 0 && row.file !== code.rows[i - 1].file)
      text.append(cell("span", data.texts[row.file] + ": ", "faint"));
    if (row.text !== null)
      text.append(...colourLine(row.text, { comment: inComments[i] }));
    for (const loop of loops.get(i) || [])
      text.append(cell("span", loopText(loop), "code-loop"));
    return makeRow([...heatCells(row.samples, row.code ? row.count : null, most, code),
                    cell("span", row.line, "number faint"), text], row.code ? "with-code" : "");
  });
}

function instructionCells(code, instruction, most, i) {
  const text = cell("code", instruction.text, "code-text"), branch = branchOf(code, instruction);
  if (instruction.to >= 0) {
    const to = cell("button", "\u2192 " + showAddress(code.instructions[instruction.to].address),
      "code-jump");
    to.tabIndex = -1;
    to.dataset.to = instruction.to;
    text.append(" ", to);
  }
  if (branch)
    text.append(" ", cell("span", `taken ${showCount(branch.taken)} of ${showCount(branch.all)}`
      + (branch.all > 0 ? `, ${showPercent(branch.taken, branch.all)}` : ""), "code-branch"));
  const block = code.blocks[instruction.block];
  if (block.first === i) {
    if (block.target)
      text.append(" ", cell("span", block.target, "code-tag"));
    for (const loop of code.loops.filter(({ head }) => head === block.index))
      text.append(" ", cell("span", loopText(loop), "code-loop"));
  }
  return [...heatCells(instruction.samples, instruction.count, most, code),
          cell("span", showAddress(instruction.address), "number faint"), text];
}

function fillMachine(code) {
  const most = Math.max(...code.blocks.map((block) => block.count || 0), 0);
  SIDES.machine.fill(code.instructions.length, (i) => {
    const instruction = code.instructions[i], first = code.blocks[instruction.block].first === i;
    return makeRow(instructionCells(code, instruction, most, i), first ? "begins-block" : "");
  });
}

// For each row of a side, those of the other side.
function makeLinks(code) {
  const source = code.rows.map(() => []);
  code.instructions.forEach(({ line }, i) => line >= 0 && source[line].push(i));
  return { source, machine: code.instructions.map(({ line }) => line >= 0 ? [line] : []) };
}

function rowsLike(side, at) {
  const other = side === "source" ? "machine" : "source", { links } = shownCode;
  const there = links[side][at] || [];
  const here = side === "machine" && there.length ? links.source[there[0]] : [at];
  return { [side]: here, [other]: there };
}

function light(side, at) {
  for (const row of shownCode.lit)
    row.classList.remove("lit", "current");
  shownCode.lit = [];
  if (at < 0)
    return;
  for (const [of, rows] of Object.entries(rowsLike(side, at)))
    for (const i of rows)
      shownCode.lit.push(SIDES[of].row(i));
  shownCode.lit.push(SIDES[side].row(at));
  for (const row of shownCode.lit)
    row.classList.add("lit");
  if (side === shownCode.side && at === shownCode.at)
    SIDES[side].row(at).classList.add("current");
}

function goToRow(side, at, where = "nearest") {
  Object.assign(shownCode, { side, at });
  light(side, at);
  SIDES[side].row(at).scrollIntoView({ block: where });
  const other = side === "source" ? "machine" : "source", there = rowsLike(side, at)[other];
  if (there.length)
    SIDES[other].row(there[0]).scrollIntoView({ block: where });
}

// The hottest row of a side: by samples, else by executions.
function hottest(side) {
  const { code } = shownCode, rows = side === "source" ? code.rows : code.instructions;
  const weight = (row) => code.samples > 0 ? row.samples : row.count || 0;
  return rows.reduce((best, row, i) => weight(row) > weight(rows[best]) ? i : best, 0);
}

function pressInCode(key) {
  const { code, side, at, links } = shownCode;
  if (!code || !SIDES[side].count())
    return false;
  const other = side === "source" ? "machine" : "source";
  if (key === "h")
    goToRow(side, hottest(side), "center");
  else if (key === "ArrowDown" || key === "ArrowUp")
    goToRow(side, Math.max(0, Math.min(SIDES[side].count() - 1,
      at + (key === "ArrowDown" ? 1 : -1))));
  else if (key === "ArrowRight" || key === "ArrowLeft") {
    const wanted = key === "ArrowRight" ? "machine" : "source";
    if (wanted === other && SIDES[other].count())
      goToRow(other, at >= 0 && links[side][at].length ? links[side][at][0] : 0);
  } else if (key === "Enter" && !document.activeElement.matches("button, summary")
             && side === "machine" && at >= 0 && code.instructions[at].to >= 0)
    goToRow(side, code.instructions[at].to);
  else
    return false;
  return true;
}

function fillCode() {
  const f = shownFunction(), code = f >= 0 ? codeOfFunction(f) : null;
  fillFunctionChoice("code-function", f);
  byId("code-none").hidden = code !== null;
  byId("code-none").textContent = code ? "" : whyNoCode(f);
  byId("code-columns").hidden = byId("code-notes").hidden = byId("code-sum").hidden = !code;
  if (!code)
    return;
  byId("code-sum").textContent = describeCode(f, code);
  byId("code-notes").textContent = codeNotes(code);
  byId("code-columns").classList.toggle("machine-only", code.rows.length === 0);
  byId("code-columns").classList.toggle("source-only", isOfLanguage(code.blocks));
  if (shownCode.f === f)
    return;
  Object.assign(shownCode, { f, code, links: makeLinks(code), lit: [], at: -1,
                             side: code.rows.length ? "source" : "machine" });
  fillSource(code);
  fillMachine(code);
  goToRow(shownCode.side, hottest(shownCode.side), "center");
}

for (const [side, rows] of Object.entries(SIDES)) {
  rows.element.addEventListener("mouseover", (event) => {
    const at = rows.indexOf(event.target);
    if (at >= 0)
      light(side, at);
  });
  rows.element.addEventListener("mouseleave", () => light(shownCode.side, shownCode.at));
  rows.element.addEventListener("click", (event) => {
    const at = rows.indexOf(event.target), to = event.target.dataset.to;
    if (at >= 0)
      goToRow(side, to === undefined ? at : Number(to));
  });
}
byId("code-function").addEventListener("change", chooseListed);
VIEWS.push({ name: "code", title: "Code", fill: fillCode, press: pressInCode });
