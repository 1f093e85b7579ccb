// SPDX-License-Identifier: Apache-2.0
// The last part: the address keeps the filters and the open box, behind its #; and the start.

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
