// SPDX-License-Identifier: Apache-2.0
// The tables are there already: this makes them grids to move in, filters them, and says more of a box in a panel.
// Whatever comes from the data is put into the page as text, never as markup.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// ---- the two tables ---------------------------------------------------------------------------------------------------

// columns: what stands in the box at this place of a row; arch is null for components.
const columnsOf = {
  ops: data.columns.flatMap((d) => d.archs.map((a) => ({ device: d.device, arch: a.arch, platform: a.platform }))),
  components: data.columns.map((d) => ({ device: d.device, arch: null, platform: d.platform, archs: d.archs.map((a) => a.arch) })),
};
const grids = Object.keys(columnsOf).map((name) => {
  const table = $(name);
  return {
    name, table, columns: columnsOf[name], section: $("section-" + name),
    heads: [...table.tHead.rows].at(-1).cells,
    rows: [...table.tBodies[0].rows].map((row, i) => ({ element: row, data: data[name][i], boxes: [...row.cells].slice(1) })),
  };
});
const boxes = new Map(); // key: {grid, row, column, element}
for (const grid of grids)
  for (const row of grid.rows)
    row.boxes.forEach((box, i) => boxes.set(box.dataset.key, { grid, row, column: grid.columns[i], element: box }));

// ---- filters ----------------------------------------------------------------------------------------------------------

const fields = { op: $("filter-op"), device: $("filter-device"), arch: $("filter-arch"), state: $("filter-state") };

function offer(select, names) {
  const kept = select.value;
  select.length = 1;
  for (const name of names) select.add(new Option(name, name));
  select.value = names.includes(kept) ? kept : "";
}

function offerArchs() {
  const device = fields.device.value;
  const archs = columnsOf.ops.filter((c) => device === "" || c.device === device).map((c) => c.arch);
  offer(fields.arch, [...new Set(archs)]);
}

function inColumn(column) {
  const device = fields.device.value, arch = fields.arch.value;
  if (device !== "" && column.device !== device) return false;
  return arch === "" || (column.arch !== null ? column.arch === arch : column.archs.includes(arch));
}

function filter() {
  const state = fields.state.value, text = fields.op.value.trim().toLowerCase();
  const filtered = state !== "" || text !== "" || fields.device.value !== "" || fields.arch.value !== "";
  let matching = 0, rows = 0;
  for (const grid of grids) {
    const shown = grid.columns.map(inColumn);
    const first = grid.heads.length - grid.columns.length; // the heads of one row have one over the names
    shown.forEach((show, i) => { grid.heads[i + first].hidden = !show; });
    if (grid.name === "ops") {
      let at = 0;
      data.columns.forEach((d, i) => {
        const span = shown.slice(at, at + d.archs.length).filter(Boolean).length;
        const head = grid.table.tHead.rows[0].cells[i + 1];
        head.hidden = span === 0;
        head.colSpan = Math.max(span, 1);
        at += d.archs.length;
      });
    }
    let some = false;
    for (const row of grid.rows) {
      let matches = 0;
      row.boxes.forEach((box, i) => {
        const matchesState = state === "" || box.dataset.state === state || box.dataset.proof === state;
        box.hidden = !shown[i];
        box.classList.toggle("off", !matchesState);
        if (shown[i] && matchesState) matches++;
      });
      const named = (row.data.name + " " + row.data.variant).toLowerCase().includes(text);
      row.element.hidden = !named || matches === 0;
      if (row.element.hidden) continue;
      some = true;
      rows++;
      matching += matches;
    }
    grid.section.hidden = !some;
    settle(grid);
  }
  const plural = (n, one, many) => n + " " + (n === 1 ? one : many);
  $("count").textContent = !filtered ? "" : matching === 0 ? "Nothing matches." :
    plural(matching, "box matches", "boxes match") + ", in " + plural(rows, "row", "rows") + ".";
}

// ---- moving in a grid -------------------------------------------------------------------------------------------------

const seen = (grid) => grid.rows.filter((r) => !r.element.hidden).map((r) => r.boxes.filter((b) => !b.hidden));

// One box of a grid is in the order of the Tab key: this one, or where it is given none that is seen.
function settle(grid, box) {
  const all = seen(grid).flat();
  const stop = box || all.find((b) => b.tabIndex === 0) || all.find((b) => !b.classList.contains("off")) || all[0];
  for (const row of grid.rows) for (const b of row.boxes) b.tabIndex = b === stop ? 0 : -1;
}

function move(grid, box, key, whole) {
  const rows = seen(grid);
  let r = rows.findIndex((row) => row.includes(box)), c = rows[r].indexOf(box);
  const lastRow = rows.length - 1, lastColumn = rows[0].length - 1;
  if (key === "ArrowLeft") c = Math.max(c - 1, 0);
  else if (key === "ArrowRight") c = Math.min(c + 1, lastColumn);
  else if (key === "ArrowUp") r = Math.max(r - 1, 0);
  else if (key === "ArrowDown") r = Math.min(r + 1, lastRow);
  else if (key === "PageUp") r = Math.max(r - 5, 0);
  else if (key === "PageDown") r = Math.min(r + 5, lastRow);
  else if (key === "Home") [r, c] = [whole ? 0 : r, 0];
  else if (key === "End") [r, c] = [whole ? lastRow : r, lastColumn];
  else return false;
  settle(grid, rows[r][c]);
  rows[r][c].focus();
  return true;
}

function setUp(grid) {
  grid.table.setAttribute("role", "grid");
  grid.table.setAttribute("aria-readonly", "true");
  grid.table.classList.add("grid");
  for (const row of grid.rows)
    for (const box of row.boxes) {
      box.setAttribute("role", "gridcell");
      box.setAttribute("aria-haspopup", "dialog");
    }
  grid.table.addEventListener("click", (event) => {
    const box = event.target.closest("td");
    if (box) open(box.dataset.key);
  });
  grid.table.addEventListener("keydown", (event) => {
    const box = event.target.closest("td");
    if (!box || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") open(box.dataset.key);
    else if (!move(grid, box, event.key, event.ctrlKey)) return;
    event.preventDefault();
  });
}

// ---- the panel --------------------------------------------------------------------------------------------------------

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
  return m.processor + ", " + m.level + ", " + m.system;
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
  const run = p.run === null ? (proofs.runs.length === 1 ? proofs.runs[0] : null) : proofs.runs[p.run];
  const part = (x) => x === null ? "not known" : number(x) + " of what is allowed";
  const pairs = [["State", p.state], ["How", p.how]];
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
  to.append(element("h3", "Bench"), wide, element("p", "On " + machine(data.bench.machine) + "."));
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
  box.focus();
});
panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
$("panel-close").addEventListener("click", () => panel.close());

// ---- what the address keeps -------------------------------------------------------------------------------------------

let saved = null;

function save() {
  const parts = new URLSearchParams();
  for (const [name, field] of Object.entries(fields)) if (field.value !== "") parts.set(name, field.value);
  if (opened !== null) parts.set("cell", opened);
  saved = parts.toString().replaceAll("%2F", "/");
  history.replaceState(null, "", saved === "" ? location.pathname + location.search : "#" + saved);
}

function load() {
  const text = location.hash.slice(1);
  if (text === saved) return;
  const parts = new URLSearchParams(text), cell = parts.get("cell");
  fields.op.value = parts.get("op") || "";
  for (const name of ["device", "arch", "state"]) {
    const asked = parts.get(name) || "";
    if (name === "arch") offerArchs();
    fields[name].value = [...fields[name].options].some((o) => o.value === asked) ? asked : "";
  }
  filter();
  if (boxes.has(cell)) open(cell);
  else if (panel.open) panel.close();
}

offer(fields.device, data.columns.map((d) => d.device));
grids.forEach(setUp);
for (const field of Object.values(fields))
  field.addEventListener("input", () => {
    if (field === fields.device) offerArchs();
    filter();
    save();
  });
$("filter-none").addEventListener("click", () => {
  for (const field of Object.values(fields)) field.value = "";
  offerArchs();
  filter();
  save();
});
for (const id of ["filters", "count", "help"]) $(id).hidden = false;
if (matchMedia("(max-width: 40rem)").matches) document.querySelector(".legend").open = false;
addEventListener("beforeprint", () => { document.querySelector(".legend").open = true; });
addEventListener("hashchange", load);
load();
