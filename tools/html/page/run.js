// SPDX-License-Identifier: GPL-3.0-or-later
// The run: how it was sampled, what was lost, which builds it had.
function fillRun() {
  const list = document.getElementById("facts"), seconds = (ns) => (ns / 1e9).toFixed(3) + " s";
  const facts = [["program", visible(data.program)],
                 ["profiles", data.profiles.map(visible).join(", ")]];
  if (data.run.processes)
    facts.push(["run", new Date(data.run.started).toISOString() + ", " + seconds(data.run.wall)
      + "; CPU " + seconds(data.run.cpu) + "; processes " + data.run.processes]);
  const machines = data.machines.map(([system, processor, processors]) =>
    [system, processor, processors === 1 ? "1 processor" : `${processors} processors`]
      .filter((part) => part && part !== "0 processors").map(visible).join(", "));
  for (const machine of new Set(machines))
    facts.push(["machine", machine]);
  for (const s of data.samplings) {
    const clock = data.wall ? "wall" : "CPU", of = data.wall ? s.wall : s.cpu;
    facts.push(["samples", `${s.samples} by ${visible(s.sampler)}, of ${clock} time; rate: `
      + `${s.asked} requested, ${s.rate} set, `
      + (of > 0 ? (s.ticks / (of / 1e9)).toFixed(1) : "?") + " achieved"]);
    facts.push(["stacks", s.cut ? `${s.cut} without their outermost frames` : "all complete"]);
  }
  for (const l of data.languages) {
    const parts = [`${visible(l.name)}: ${l.samples} samples`];
    if (l.collecting)
      parts.push(`${l.collecting} while it collected garbage`);
    if (l.cut)
      parts.push(`${l.cut} without the outermost frames`);
    if (l.late || l.missed)
      parts.push(`its frames came ${l.delay_ms.toFixed(3)} ms after the sample, `
        + `${l.delay_most_ms.toFixed(3)} ms at most; ${l.missed} samples without`);
    if (l.unknown || l.unlisted)
      parts.push(`${l.unknown} functions or frames that it does not know, ${l.unlisted} for which `
        + "there was no room");
    facts.push(["language", parts.join("; ")]);
  }
  if (!data.stacks)
    facts.push(["stacks", "none: each sample has one function; bbprof record takes stacks"]);
  facts.push(["counts", data.counts ? "exact calls and executions of blocks"
    : "none: compile with -pg -fplugin=bbprof to have them"]);
  facts.push(["lost", data.losses.length
    ? data.losses.map(([n, cause]) => n + " " + visible(cause)).join("; ") : "nothing"]);
  for (const warning of data.warnings)
    facts.push(["warning", visible(warning)]);
  for (const [name, path, id] of data.objects)
    facts.push(["object", visible(path || name) + (id ? ", build " + id : "")]);
  facts.push(["page", "made by " + data.made]);
  list.replaceChildren(...facts.flatMap(([what, text]) => [cell("dt", what), cell("dd", text)]));
}

VIEWS.push({ name: "run", title: "The run", fill: fillRun });
