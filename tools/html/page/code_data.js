// SPDX-License-Identifier: GPL-3.0-or-later
// Code of functions, as page_code.c writes it; each is read when it is shown.
const codeOf = new Map(); // of a function: the index of its code
data.code.forEach((code, i) => code.functions.forEach((f) => {
  if (!codeOf.has(f))
    codeOf.set(f, i);
}));
const readCode = [];
const KINDS = { plain: 0, padding: 1, branch: 2, jump: 3, call: 4, end: 5 };
const BLOCK_KINDS = ["block", "entry", "plain", "lines", "outline"];
const EDGE_KINDS = ["jump", "next", "entry", "out", "exception", "longjmp", "goto"];
const TARGETS = { exception: "landing pad", longjmp: "longjmp target", goto: "goto target" };
const known = (n) => n > 0 ? n - 1 : null; // a count; null: unknown

function groups(text, size, make) {
  const numbers = readNumbers(text || ""), list = [];
  for (let i = 0; i < numbers.length; i += size)
    list.push(make(numbers.subarray(i, i + size), i / size));
  return list;
}

function readLines(code) {
  const { text = [], others = [], first, last } = code, rows = [], places = [];
  const lines = groups(code.lines, 4, ([file, line, count, samples]) => (
    { file, line, count: known(count), samples: samples / 1000, text: null, code: true }));
  for (let i = first; i <= last && text.length; i++)
    rows.push({ file: code.file, line: i, count: null, samples: 0, text: text[i - first],
                code: false });
  let other = 0;
  for (const line of lines) {
    const inside = line.file === code.file && line.line >= first && line.line <= last;
    if (inside && text.length) {
      Object.assign(rows[line.line - first], line, { text: text[line.line - first] });
      places.push(line.line - first);
    } else {
      line.text = inside ? null : others[other++] ?? null;
      places.push(rows.push(line) - 1);
    }
  }
  return { rows, places };
}

// The pieces of a function stand in the order of their addresses: the cold one may be the first.
const entriesOf = ({ pieces }) => known((pieces.find(([, entries]) => entries) || [0, 0])[1]);

// The block that calls of the function enter.
function entryOf({ pieces }, blocks, edges) {
  const entry = edges.filter(({ kind }) => kind === "entry")
    .reduce((best, edge) => !best || edge.count > best.count ? edge : best, null);
  const piece = Math.max(0, pieces.findIndex(([, entries]) => entries));
  const first = pieces.slice(0, piece).reduce((sum, [count]) => sum + count, 0);
  return entry ? entry.to
    : Math.max(first, blocks.findIndex(({ kind, index }) => kind === "block" && index >= first));
}

// { rows, instructions, blocks, edges, loops } of a function; null: the page does not have them.
function codeOfFunction(f) {
  const index = codeOf.get(f);
  if (index === undefined || data.code[index].why)
    return null;
  if (readCode[index])
    return readCode[index];
  const code = data.code[index], { rows, places } = readLines(code);
  const blocks = groups(code.blocks, 6, ([kind, address, length, count, samples, flags], i) => (
    { index: i, kind: BLOCK_KINDS[kind], address, length, count: known(count),
      samples: samples / 1000, target: flags & 1 ? TARGETS[EDGE_KINDS[code.enters]] : "",
      cleanup: (flags & 2) > 0, copied: (flags & 4) > 0, first: 0, line: -1, out: [] }));
  const instructions = groups(code.instructions, 8,
    ([size, kind, text, line, count, samples, way, to]) => (
      { size, kind, text: visible(data.instructions[text]), line: line ? places[line - 1] : -1,
        count: known(count), samples: samples / 1000, way: way - 1, to: to - 1 }));
  let next = 0;
  for (const block of blocks) {
    block.first = next;
    for (let address = block.address, i = 0; i < block.length; i++, next++) {
      Object.assign(instructions[next], { address, block: block.index });
      address += instructions[next].size;
      if (block.line < 0)
        block.line = instructions[next].line;
    }
  }
  const edges = groups(code.edges, 4, ([from, to, count, kind]) => (
    { from: from - 1, to: to - 1, count, kind: EDGE_KINDS[kind] }));
  for (const edge of edges)
    if (edge.from >= 0)
      blocks[edge.from].out.push(edge);
  const loops = groups(code.loops, 4, ([head, entered, iterations, depth]) => (
    { head, entered, iterations, depth }));
  readCode[index] = { index, code, entry: entryOf(code, blocks, edges), rows, instructions, blocks,
                      edges, loops,
                      samples: blocks.reduce((sum, block) => sum + block.samples, 0) };
  return readCode[index];
}

// Functions that have code here, the hottest first; of the parts of one, that with the shortest
// name.
const functionsWithCode = data.code.filter((code) => !code.why && code.functions.length)
  .map((code) => code.functions.reduce((best, f) => (
    functions[f].name.length < functions[best].name.length ? f : best)));

// What is shown: the chosen function; if none is, the hottest.
const shownFunction = () => view.chosen >= 0 ? view.chosen : functionsWithCode[0] ?? -1;

// A branch's { taken, all }, both exact; null: it is none, or not known.
function branchOf(code, instruction) {
  if (instruction.kind !== KINDS.branch || instruction.way < 0 || !data.edgesKnown
      || instruction.count === null)
    return null;
  const edge = code.blocks[instruction.block].out.find((e) => e.to === instruction.way);
  return edge ? { taken: edge.count, all: instruction.count } : null;
}

// Samples as time of the profile's clock.
function showSamples(samples) {
  if (samples === 0)
    return "";
  if (!data.sampleTime)
    return samples.toFixed(samples < 10 ? 1 : 0);
  const ns = samples * data.sampleTime, [size, unit] = UNITS.find(([s]) => ns >= s) || UNITS[3];
  return (ns / size).toPrecision(3) + " " + unit;
}

const showAddress = (address) => "0x" + address.toString(16);

// Why a function has no code here, and what to do.
function whyNoCode(f) {
  if (f < 0)
    return "The page has no code: no function of a file has samples or counts. "
      + "bbprof record takes samples; -pg -fplugin=bbprof compiles programs that count.";
  const { name, object } = functions[f], index = codeOf.get(f);
  if (index !== undefined)
    return `${name}: no code, because ${data.code[index].why}`;
  if (!data.withCode[object])
    return `${name}: its code is in no file that bbprof could read `
      + `(${visible(data.objects[object][1] || data.objects[object][0])}).`;
  if (sums().self[f] > 0 || functions[f].executions > 0)
    return `${name}: the page has the code of hot functions only. `
      + "bbprof html --source=all takes in all that ran; bbprof annotate shows this one. "
      + "If the compiler inlined it, its code is in its callers.";
  return `${name}: no code of its own ran. If the compiler inlined it, its code is in its callers; `
    + "bbprof html --source=all takes in all functions that ran.";
}
