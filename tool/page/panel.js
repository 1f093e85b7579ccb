// SPDX-License-Identifier: Apache-2.0
// The second part: what is known of one box.

const panel = $("panel");
let opened = null; // the key of the box that the panel is about

function number(x) {
  return x === null ? "–" : String(Number(x.toPrecision(3)));
}

function time(seconds) {
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) if (seconds >= size) return number(seconds / size) + " " + unit;
  return number(seconds / 1e-9) + " ns";
}

function list(pairs) {
  const made = element("dl");
  for (const [head, text] of pairs) made.append(element("dt", head), element("dd", text));
  return made;
}

// Index of the kernels and builders of the matrix by the key of their box.
const cells = new Map();
for (const c of data.matrix.cells) cells.set([c.op, c.device, c.arch, c.variant].join("/"), c);
for (const c of data.matrix.components) cells.set([c.kind, c.device, c.variant].join("/"), c);

function ladderOf(box, platform) {
  const made = element("ol", undefined, "ladder");
  const own = box.element.dataset.key.slice(box.row.data.name.length + 1);
  for (const [key, verdict, mark] of box.row.data.ladders[platform] || []) {
    const name = data.texts[key], cell = cells.get(box.row.data.name + "/" + name);
    const taken = mark === 1 || mark === 2;
    const line = element("li", undefined, (taken ? "taken" : "") + (name === own ? " asked" : ""));
    if (name === own) line.setAttribute("aria-current", "true");
    const sign = element("span", taken ? "→" : "");
    sign.setAttribute("aria-hidden", "true");
    const cut = name.lastIndexOf("/"), variant = name.slice(cut + 1);
    const named = element("span", name.slice(0, cut) + (variant === "default" ? "" : " " + variant), "name");
    if (cell && cell.source) named.append(element("span", cell.source, "source"));
    line.append(sign, named, element("span", data.texts[verdict], "verdict"));
    made.append(line);
  }
  return made;
}

function ladders(box, to) {
  if (data.platforms.length === 0) {
    to.append(element("p", "This page was made without a platform: there are no ladders in it."));
    return;
  }
  const shown = data.matrix.chain.find((d) => d.device === box.column.device);
  const within = shown && (box.column.arch === null || shown.archs.includes(box.column.arch));
  const other = box.column.platform;
  if (!within && other !== null) {
    to.append(element("h3", "Ladder of " + data.platforms[other].platform),
      element("p", "By what the registry and this build have, on a machine with such a device."), ladderOf(box, other));
  }
  to.append(element("h3", "Ladder of " + data.platforms[0].platform + ", this platform"), ladderOf(box, 0));
}

function machine(m) {
  const devices = (m.devices || []).map((d) =>
    `, ${d.name} (${d.device}/${d.arch}${d.driver === "" ? "" : ", driver " + d.driver})`);
  return m.processor + ", " + m.level + devices.join("") + ", " + m.system;
}

function proof(box, to) {
  const proofs = data.selftest;
  if (proofs === null || box.column.arch === null || !cells.has(box.element.dataset.key)) return;
  to.append(element("h3", "Selftest"));
  const p = proofs.cells[box.element.dataset.key];
  if (!p) {
    to.append(element("p", "Unproven: the results do not have it."));
    return;
  }
  const run = p.run === null ? null : proofs.runs[p.run];
  const part = (x) => x === null ? "not known" : number(x) + " of what is allowed";
  const state = p.state + (p.quick && p.state === "passed" ? ", quick" : "");
  const pairs = p.state === "unproven" ? [["State", state]] : [["State", state], ["How", p.how]];
  if (p.why !== "") pairs.push(["Why", p.why]);
  if (p.state !== "unproven")
    pairs.push(["Checks", p.checks + " in " + p.cases + " cases, " + p.failures + " failed"], ["Worst error", part(p.worst)],
      ["Against wider numbers", part(p.worst_wide)], ["Values from outside", String(p.examples)],
      ["Registers", p.registers ? "checked" : "not checked"]);
  if (run) pairs.push(["Seed", run.seed], ["Machine", machine(run.machine)]);
  const made = list(pairs);
  for (const dd of made.querySelectorAll("dd")) if (dd.textContent === p.why && p.why !== "") dd.className = "why";
  to.append(made);
}

function bench(box, to) {
  const results = data.bench && data.bench.results[box.element.dataset.key];
  if (!results) return;
  const table = element("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const text of ["sizes", "median", "quartiles", "GFLOP/s", "GB/s", "of the roof"]) {
    const th = element("th", text);
    th.scope = "col";
    head.append(th);
  }
  for (const r of results) {
    const sizes = Object.entries(r.sizes).map(([name, n]) => name + " " + n).join(", ");
    const roof = r.roof_fraction === null ? "–" : number(100 * r.roof_fraction) + " % (" + (r.bound || "–") + ")";
    const row = body.insertRow();
    for (const text of [sizes, time(r.seconds.median), time(r.seconds.low) + " to " + time(r.seconds.high), number(r.gflops),
      number(r.gb_per_second), roof]) row.append(element("td", text));
  }
  const wide = element("div", undefined, "wide");
  wide.tabIndex = 0;
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", "Times");
  wide.append(table);
  const { machine: on, roof } = data.bench;
  const roofs = !roof ? "" : "; its roofs: " + number(roof.copy_bytes_per_second / 1e9) + " GB/s copied, " +
    number(roof.f32_flops / 1e9) + " GFLOP/s in float, " + number(roof.f64_flops / 1e9) + " in double";
  to.append(element("h3", "Bench"), wide, element("p", "On " + machine(on) + roofs + "."));
}

function fillPanel(box) {
  const row = box.row.data, cell = cells.get(box.element.dataset.key);
  const place = box.column.device + (box.column.arch === null ? "" : "/" + box.column.arch);
  $("panel-title").textContent = row.name + (row.variant === "default" ? "" : " " + row.variant) + " on " + place;
  const body = $("panel-body");
  const state = box.element.querySelector(".state").textContent;
  const pairs = [["State", state]];
  const falls = row.boxes[box.grid.columns.indexOf(box.column)].falls;
  if (cell) {
    if (cell.reason !== null) pairs.push(["Reason", cell.reason + (cell.detail === "" ? "" : ": " + cell.detail)]);
    if (falls !== null) pairs.push(["Falls to", falls]);
    pairs.push(["Source", cell.source], ["Symbol", cell.symbol]);
    if ("workspace" in cell) pairs.push(["Workspace", cell.workspace === 0 ? "none" : cell.workspace + " bytes"]);
    if (cell.experimental) pairs.push(["Experimental", "yes"]);
  } else if (falls !== null) {
    pairs[0] = ["State", "not declared"];
    pairs.push(["Falls to", falls]);
  }
  body.replaceChildren(element("p", row.summary), list(pairs));
  ladders(box, body);
  proof(box, body);
  bench(box, body);
  body.scrollTop = 0;
}

function open(key) {
  const box = boxes.get(key);
  if (opened !== null) boxes.get(opened).element.classList.remove("open");
  opened = key;
  fillPanel(box);
  settle(box.grid, box.element);
  box.element.classList.add("open");
  if (!panel.open) panel.showModal();
  save();
}

panel.addEventListener("close", () => {
  const box = opened === null ? null : boxes.get(opened).element;
  opened = null;
  save();
  if (!box) return;
  box.classList.remove("open");
  // otherwise the browser has brought it back already, or a person has moved on
  const active = document.activeElement;
  if (active === document.body || panel.contains(active)) box.focus();
});
panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
$("panel-close").addEventListener("click", () => panel.close());
