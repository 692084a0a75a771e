// The table of runs, with sorting and filters. The page contains only the visible rows.

let rowHeight = 32; // pixels; more for larger letters
const AROUND = 12; // rows beyond the visible ones

const rowsBox = document.getElementById("rows");
const runTable = document.getElementById("run-table");
const runBody = runTable.tBodies[0];
const filterText = document.getElementById("filter-text");
const choices = Object.fromEntries(
  ["family", "encoding", "solver", "status", "basis"].map((name) => [name, document.getElementById(`filter-${name}`)]),
);

const SHOWN = [
  {name: "instance", title: "instance", value: (run) => data.instances[run[column.instance]].short, show: instanceLink},
  {name: "family", title: "family"},
  {name: "encoding", title: "encoding"},
  {name: "solver", title: "solver"},
  {name: "status", title: "status", show: (run) => statusMark(run[column.status])},
  {name: "basis", title: "evidence"},
  {name: "cpu", title: "CPU s", number: seconds},
  {name: "wall", title: "wall s", number: seconds},
  {name: "memory", title: "MiB", number: mebibytes},
  {name: "conflicts", title: "conflicts", number: count},
  {name: "variables", title: "variables", number: count},
  {name: "clauses", title: "clauses", number: count},
  {name: "scramble", title: "scramble", number: plain, optional: true},
  {name: "seed", title: "seed", number: plain, optional: true},
  {name: "repetition", title: "repetition", number: plain, optional: true},
  {name: "threads", title: "threads", number: plain, optional: true},
].filter((shown) => !shown.optional || new Set(data.runs.map((run) => run[column[shown.name]] ?? null)).size > 1);

const state = {sort: null, descending: false, found: data.runs.map((_, number) => number), first: 0, last: 0};

function instanceLink(run, number) {
  const instance = data.instances[run[column.instance]];
  return element("a", {href: `#${data.details[number].id}`, title: instance.name}, instance.short);
}

function valueOf(shown, run) {
  return shown.value ? shown.value(run) : run[column[shown.name]];
}

// the searched text of a run; made on first use
const words = [];

function wordsOf(number) {
  if (words[number] === undefined) {
    const run = data.runs[number], instance = data.instances[run[column.instance]], details = data.details[number];
    const told = [instance.suite, instance.name, instance.describe, run[column.family], run[column.encoding], run[column.solver], run[column.status], run[column.basis]];
    const facts = details.facts.map((fact) => data.facts[fact]).filter(([label]) => data.searched.includes(label));
    words[number] = [...told, ...facts.map(([, text]) => text)].filter(Boolean).join(" ").toLowerCase();
  }
  return words[number];
}

const collator = new Intl.Collator("en", {numeric: true});

function compareBy(shown, sign) {
  return (a, b) => {
    const x = valueOf(shown, data.runs[a]), y = valueOf(shown, data.runs[b]);
    const missing = (x === null || x === undefined) - (y === null || y === undefined);
    if (missing) return missing; // missing values come last in both orders
    const order = shown.number ? x - y : collator.compare(x ?? "", y ?? "");
    return order ? sign * order : a - b;
  };
}

function update() {
  const asked = filterText.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.entries(choices).filter(([, select]) => select.value !== "");
  state.found = [];
  data.runs.forEach((run, number) => {
    const fits = chosen.every(([name, select]) => String(run[column[name]] ?? "") === select.value.slice(1));
    if (fits && asked.every((word) => wordsOf(number).includes(word))) state.found.push(number);
  });
  if (state.sort) state.found.sort(compareBy(state.sort, state.descending ? -1 : 1));
  for (const [at, heading] of [...runTable.tHead.rows[0].cells].entries()) {
    if (SHOWN[at] === state.sort) heading.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    else heading.removeAttribute("aria-sort");
  }
  const all = data.runs.length, shown = state.found.length;
  document.getElementById("shown").textContent = shown === all ? `${count(all)} runs` : `${count(shown)} of ${count(all)} runs`;
  runTable.setAttribute("aria-rowcount", shown + 1);
  rowsBox.classList.toggle("few", shown < 12);
  rowsBox.scrollTop = 0;
  runBody.replaceChildren();
  draw(true);
}

function row(place) {
  const number = state.found[place], run = data.runs[number];
  const cells = SHOWN.map((shown, at) => {
    const text = shown.show ? shown.show(run, number) : shown.number ? shown.number(valueOf(shown, run)) : valueOf(shown, run);
    return element(at ? "td" : "th", {class: shown.number && "number", scope: !at && "row"}, text);
  });
  return element("tr", {"aria-rowindex": place + 2, "data-run": data.details[number].id}, cells);
}

function space(count_) {
  const cell = element("td", {colspan: SHOWN.length});
  cell.style.height = `${count_ * rowHeight}px`;
  return element("tr", {class: "space", "aria-hidden": "true"}, cell);
}

// puts the visible rows between two empty rows that are as high as the rest
function draw(again) {
  const first = Math.max(0, Math.floor(rowsBox.scrollTop / rowHeight) - AROUND);
  const last = Math.min(state.found.length, Math.ceil((rowsBox.scrollTop + (rowsBox.clientHeight || 600)) / rowHeight) + AROUND);
  if (!again && first === state.first && last === state.last) return;
  const kept = again ? new Map() : new Map([...runBody.rows].filter((each) => each.dataset.run).map((each) => [each.dataset.run, each]));
  const focused = document.activeElement?.closest?.("#run-table tbody tr");
  const rows = [];
  for (let place = first; place < last; place += 1) rows.push(kept.get(data.details[state.found[place]].id) ?? row(place));
  if (focused && !rows.includes(focused)) rowsBox.focus({preventScroll: true});
  const active = document.activeElement;
  runBody.replaceChildren(space(first), ...rows, space(state.found.length - last));
  if (active !== document.activeElement && active?.isConnected) active.focus({preventScroll: true});
  [state.first, state.last] = [first, last];
  const height = rows[0]?.getBoundingClientRect().height;
  if (height && Math.abs(height - rowHeight) > 0.1) {
    rowHeight = height;
    draw(true);
  }
}

function sortBy(shown) {
  if (state.sort !== shown) [state.sort, state.descending] = [shown, false];
  else if (!state.descending) state.descending = true;
  else [state.sort, state.descending] = [null, false];
  update();
}

runTable.tHead.append(element("tr", {}, SHOWN.map((shown) =>
  element("th", {scope: "col", class: shown.number && "number"}, element("button", {type: "button", onclick: () => sortBy(shown)}, shown.title)),
)));
for (const [name, select] of Object.entries(choices)) {
  const values = [...new Set(data.runs.map((run) => String(run[column[name]] ?? "")))].sort(collator.compare);
  select.append(element("option", {value: ""}, "all"), ...values.map((value) => element("option", {value: `=${value}`}, value || "none")));
  select.addEventListener("change", update);
}
filterText.addEventListener("input", update);
document.getElementById("filters").addEventListener("reset", () => setTimeout(update));
document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
rowsBox.addEventListener("scroll", () => draw(false), {passive: true});
window.addEventListener("resize", () => draw(false));
update();
