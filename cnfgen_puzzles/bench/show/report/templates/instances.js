// The part of each instance: formulas, boards, runs with output and command line. Made when it is opened.

const SLICE = 200; // instances listed at a time

const instanceList = document.getElementById("instance-list");
const runsOf = data.instances.map(() => []);
data.runs.forEach((run, number) => runsOf[run[column.instance]].push(number));
const instanceAt = new Map(data.instances.map((instance, number) => [instance.id, number]));
const runAt = new Map(data.details.map((details, number) => [details.id, number]));
let listed = 0;

function verdictOf(number) {
  const said = new Set(runsOf[number].map((run) => data.runs[run][column.status]));
  if (said.has("WRONG") || (said.has("SATISFIABLE") && said.has("UNSATISFIABLE"))) return "WRONG";
  return ["SATISFIABLE", "UNSATISFIABLE"].find((status) => said.has(status)) ?? "UNKNOWN";
}

function instancePart(instance, number) {
  const runs = runsOf[number], done = runs.filter((run) => solved(data.runs[run][column.status]));
  const fastest = done.reduce((best, run) => (best === null || data.runs[run][column.cpu] < data.runs[best][column.cpu] ? run : best), null);
  const told = [instance.describe === instance.short ? null : instance.describe, `solved in ${done.length} of ${runs.length} runs`];
  if (fastest !== null) {
    const best = data.runs[fastest];
    told.push(`fastest ${[best[column.solver], best[column.encoding]].filter(Boolean).join(", ")}: ${seconds(best[column.cpu])} s`);
  }
  const part = element("details", {class: "instance", id: instance.id},
    element("summary", {}, element("b", {}, instance.short), statusMark(verdictOf(number)),
      element("span", {class: "dim"}, told.filter(Boolean).join(" · "))));
  part.addEventListener("toggle", () => {
    if (part.open) fill(part, instance, number);
  });
  return part;
}

function fill(part, instance, number) {
  if (part.dataset.filled) return;
  part.dataset.filled = "yes";
  part.append(element("div", {class: "body"},
    element("div", {class: "what"}, facts(instance), formulas(instance)), boards(instance), runTableOf(instance, number)));
}

function factList(pairs) {
  const told = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  return element("dl", {class: "facts"}, told.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function facts(instance) {
  const sizes = Object.entries(instance.size ?? {}).map(([name, value]) => `${count(value)} ${name}`).join(", ");
  return factList([
    ["Instance", instance.name],
    ["What it is", instance.describe],
    ["Family", instance.family],
    ["Suite", new Set(data.instances.map((each) => each.suite)).size > 1 ? instance.suite : null],
    ["Size", sizes],
    ["Known to be", instance.expected],
    ["Link to this part", element("a", {href: `#${instance.id}`}, `#${instance.id}`)],
  ]);
}

function scrolled(label, table) {
  return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": label}, table);
}

function formulas(instance) {
  const scrambled = instance.formulas.some((each) => each.scramble !== null && each.scramble !== undefined);
  const titles = ["encoding", ...(scrambled ? ["scrambled"] : []), "variables", "clauses", "encoding s", "file"];
  const rows = instance.formulas.map((each) => element("tr", {},
    element("th", {scope: "row"}, each.encoding ?? "as given"),
    scrambled ? element("td", {}, each.scramble === null || each.scramble === undefined ? "no" : `seed ${each.scramble}`) : null,
    element("td", {class: "number"}, count(each.variables)),
    element("td", {class: "number"}, count(each.clauses)),
    element("td", {class: "number"}, seconds(each.seconds)),
    element("td", {class: "file", title: each.sha256 && `SHA-256 ${each.sha256}`}, element("code", {}, each.file ?? ""))));
  const heading = titles.map((title) => element("th", {scope: "col", class: /variables|clauses|made/.test(title) && "number"}, title));
  return element("div", {}, element("h4", {}, "Formulas"),
    scrolled("Formulas", element("table", {}, element("thead", {}, element("tr", {}, heading)), element("tbody", {}, rows))));
}

// an image element, in which no script can run
function boards(instance) {
  const figures = instance.boards.map(([svg, caption]) => element("figure", {},
    element("img", {class: "board", alt: `Solution of ${instance.describe ?? instance.name}`, src: `data:image/svg+xml,${encodeURIComponent(svg)}`}),
    element("figcaption", {}, caption)));
  const content = figures.length ? element("div", {class: "boards"}, figures) : element("p", {class: "dim"}, instance.note);
  return element("div", {}, element("h4", {}, figures.length > 1 ? "Boards" : "Board"), content);
}

// -- the runs of an instance --------------------------------------------------------------------------------------------

function runTableOf(instance, number) {
  const order = [...runsOf[number]].sort((a, b) => {
    const x = data.runs[a], y = data.runs[b];
    return solved(y[column.status]) - solved(x[column.status]) || x[column.cpu] - y[column.cpu];
  });
  const shown = SHOWN.filter((each) => !["instance", "family", "variables", "clauses"].includes(each.name));
  const rows = order.map((run) => element("tr", {class: "run-row", id: data.details[run].id},
    shown.map((each) => {
      const values = data.runs[run];
      const text = each.show ? each.show(values, run) : each.number ? each.number(valueOf(each, values)) : valueOf(each, values);
      return element("td", {class: each.number && "number"}, text);
    }),
    element("td", {}, element("button", {type: "button", "aria-expanded": "false", onclick: (event) => toggleRun(event.currentTarget, run)}, "details"))));
  const heading = [...shown.map((each) => element("th", {scope: "col", class: each.number && "number"}, each.title)),
    element("th", {scope: "col"}, "output, command")];
  return element("div", {class: "runs"}, element("h4", {}, "Runs, the fastest first"),
    scrolled(`Runs of ${instance.short}`, element("table", {}, element("thead", {}, element("tr", {}, heading)), element("tbody", {}, rows))));
}

function toggleRun(button, run) {
  const line = button.closest("tr"), next = line.nextElementSibling;
  const open = next?.classList.contains("run-details");
  button.setAttribute("aria-expanded", String(!open));
  if (open) {
    next.remove();
    return;
  }
  const inner = element("div", {class: "inner"}, runDetails(run, data.details[run]));
  line.after(element("tr", {class: "run-details"}, element("td", {colspan: line.cells.length}, inner)));
  const room = line.closest(".scroll").clientWidth;
  inner.style.setProperty("--inner", `${room - 24}px`); // the text is as wide as the visible part, not as the table
}

function runDetails(run, own) {
  const values = data.runs[run];
  return [
    own.command ? element("p", {class: "dim"}, "To repeat it by hand:") : null,
    own.command ? copied(own.command) : null,
    factList(own.facts.map((fact) => data.facts[fact])),
    own.output ? [element("p", {class: "dim"}, "Output (comments of the solver)"), element("pre", {class: "output", tabindex: "0"}, own.output)]
      : element("p", {class: "dim"}, values[column.status] === "ERROR" && own.kept_files ? "" : "No output was kept of this run."),
    own.kept ? keptOutput(own) : null,
  ];
}

function keptOutput(own) {
  const files = own.kept_files ?? [];
  return [element("p", {class: "dim"}, "Kept output: ", element("code", {}, own.kept), files.length ? "" : " (missing when this report was made)"),
    files.map((file) => [element("p", {class: "dim"}, element("a", {href: file.href}, file.name)),
      element("pre", {class: "output", tabindex: "0"}, file.text || "(empty)")])];
}

// a command line with a copy button, which also works for a page from disk
function copied(text) {
  const button = element("button", {type: "button"}, "Copy");
  const line = element("pre", {tabindex: "0"}, text);
  button.addEventListener("click", async () => {
    const done = await copy(text, line);
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return element("div", {class: "copy"}, line, button);
}

async function copy(text, line) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const range = document.createRange(); // the older API, which needs no permission; the text stays selected if it fails
    range.selectNodeContents(line);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
}

// -- the list, and links into it ----------------------------------------------------------------------------------------

function listMore(until) {
  const end = Math.min(data.instances.length, Math.max(until, listed + SLICE));
  const parts = [];
  for (; listed < end; listed += 1) {
    const instance = data.instances[listed];
    if (!listed || data.instances[listed - 1].family !== instance.family) parts.push(element("h3", {class: "family"}, instance.family));
    parts.push(instancePart(instance, listed));
  }
  more.before(...parts);
  more.hidden = listed >= data.instances.length;
  more.textContent = `Show more (${count(data.instances.length - listed)} left)`;
}

function addressed() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ""; // a stray % in the address
  }
}

// opens the instance or run in the address
function follow() {
  const name = addressed();
  const run = runAt.get(name);
  const number = run === undefined ? instanceAt.get(name) : data.runs[run][column.instance];
  if (number === undefined) return;
  if (number >= listed) listMore(number + 1);
  const part = document.getElementById(data.instances[number].id);
  part.open = true;
  fill(part, data.instances[number], number);
  if (run === undefined) {
    part.scrollIntoView();
    part.querySelector("summary").focus({preventScroll: true});
    return;
  }
  const line = document.getElementById(name), button = line.querySelector("button");
  document.querySelectorAll("tr.current").forEach((each) => each.classList.remove("current"));
  line.classList.add("current");
  if (button.getAttribute("aria-expanded") === "false") toggleRun(button, run);
  line.scrollIntoView({block: "center", inline: "nearest"});
  button.focus({preventScroll: true});
}

const more = element("button", {type: "button", onclick: () => listMore(0)});
instanceList.append(more);
listMore(0);
window.addEventListener("hashchange", follow);
document.addEventListener("click", (event) => { // a second click on the same link does not change the address
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) follow();
});
follow();
