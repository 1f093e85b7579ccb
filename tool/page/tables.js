// SPDX-License-Identifier: Apache-2.0
// The first of the three parts of the page's script, which stand one behind the other in it. The tables are there already:
// this makes them grids to move in, and filters them. What comes from the data becomes text of the page, never markup.
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
  // Out from under the heads that stay; not for a click, which would then miss.
  grid.table.addEventListener("focusin", (event) => {
    if (event.target.matches("td:focus-visible")) event.target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  grid.table.addEventListener("keydown", (event) => {
    const box = event.target.closest("td");
    if (!box || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") open(box.dataset.key);
    else if (!move(grid, box, event.key, event.ctrlKey)) return;
    event.preventDefault();
  });
}
