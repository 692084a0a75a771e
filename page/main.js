// The page: an editor, a board, and two workers (library.js has the package, solver.js the solver).

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);

/** A worker whose calls are promises. It is started again after `stop`, and the calls in progress fail. */
class Remote {
  /** @param {string} title @param {string} file @param {WorkerOptions} options */
  constructor(title, file, options) {
    this.title = title;
    this.file = file;
    this.options = options;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.calls = new Map();
    this.last = 0;
    this.start();
  }
  start() {
    this.broken = "";
    this.worker = new Worker(this.file, this.options);
    this.worker.onmessage = ({ data }) => {
      const call = this.calls.get(data.id);
      this.calls.delete(data.id);
      if (data.error) call?.reject(new Error(data.error));
      else call?.resolve(data.result);
    };
    this.worker.onerror = (event) => {
      const reason = event.message ? ` (${event.message})` : "";
      this.broken = `${this.title} cannot be loaded, or has failed${reason}. Check the connection, and reload the page.`;
      this.fail(this.broken);
    };
  }
  /** @param {object} message @returns {Promise<any>} */
  call(message) {
    if (this.broken) return Promise.reject(new Error(this.broken));
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.worker?.postMessage({ id, ...message });
    });
  }
  /** @param {string} reason */
  fail(reason) {
    for (const call of this.calls.values()) call.reject(new Error(reason));
    this.calls.clear();
  }
  stop() {
    const busy = this.calls.size > 0;
    if (busy) {
      this.worker?.terminate();
      this.start();
      this.fail("stopped");
    }
    return busy;
  }
}

const library = new Remote("Python", "library.js", { type: "module" });
const solver = new Remote("The solver", "solver.js", {});
/** @param {string} name @param {object} [args] @returns {Promise<any>} */
const python = (name, args = {}) => library.call({ name, args });

/** The puzzle as the library describes it, and the number of hints shown. */
const state = { puzzle: /** @type {any} */ (null), hints: 0, shown: "", svg: "", run: 0, name: "", ready: false };

// -- reading ----------------------------------------------------------------------------------------------------------------

/** @param {string} text @param {string} [name] */
async function read(text, name = "") {
  $("text").value = text;
  await work("Reading the puzzle.", async () => {
    state.puzzle = null;
    pictures([]);
    for (const id of ["as-text", "downloads", "formula"]) $(id).hidden = true;
    if (!text.trim()) return name ? `${name} is empty.` : READY;
    return show(await python("read", { text, name: name || "the puzzle" }), text, name);
  });
}

/** Show a puzzle; returns a sentence. @param {any} puzzle @param {string} text @param {string} [name] */
function show(puzzle, text, name = "") {
  Object.assign(state, { puzzle, hints: 0, shown: text, name });
  $("as-text").hidden = true;
  $("downloads").hidden = false;
  $("cell-row").max = puzzle.cells?.height ?? 1;
  $("cell-column").max = puzzle.cells?.width ?? 1;
  $("cell-row").min = $("cell-column").min = puzzle.family === "nonogram" ? 0 : 1;
  $("formula").hidden = !puzzle.cells;
  const formats = { dimacs: "DIMACS CNF with the variable map", svg: "SVG", png: "PNG", ...puzzle.formats };
  $("format").replaceChildren(...Object.entries(formats).map(([name, title]) => new Option(title, name)));
  pictures([{ svg: puzzle.svg, label: puzzle.title }]);
  $("clauses").replaceChildren();
  $("variables").textContent = "";
  const address = `#${encoded(text)}`;
  if (address !== location.hash) history.pushState(null, "", address);
  return [`${puzzle.title}.`, ...puzzle.warnings.map((/** @type {string} */ warning) => `Warning: ${warning}`)].join("\n");
}

/** Texts in addresses: URL-safe base64 of UTF-8. @param {string} text */
function encoded(text) {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} code */
function decoded(code) {
  const bytes = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
}

async function readAddress() {
  if (!location.hash.slice(1)) return;
  try {
    await read(decoded(location.hash.slice(1)));
  } catch {
    say("The address of this page contains no puzzle: its part after # is damaged.");
  }
}

/** @param {File} file */
async function open(file) {
  if (file.size > 5_000_000) return say(`${file.name} has ${file.size} bytes, expected at most 5,000,000.`);
  if (!file.type.startsWith("image/")) return read(await file.text(), file.name);
  await work("Reading the picture.", async () => {
    const cells = numberIn("width");
    const picture = Object.assign(new Image(), { src: URL.createObjectURL(file) });
    await picture.decode().catch(() => {
      throw new Error(`${file.name} is not a picture that this browser can read`);
    });
    const width = Math.min(picture.naturalWidth || 400, 400);
    const height = Math.max(1, Math.round((picture.naturalHeight * width) / picture.naturalWidth || width));
    const drawing = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    if (!drawing) throw new Error("this browser has no canvas");
    drawing.fillStyle = "white";
    drawing.fillRect(0, 0, width, height);
    drawing.drawImage(picture, 0, 0, width, height);
    URL.revokeObjectURL(picture.src);
    const { data } = drawing.getImageData(0, 0, width, height);
    const gray = (/** @type {number} */ at) => Math.round(0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]);
    const greys = Array.from({ length: height }, (_, r) => Array.from({ length: width }, (_, c) => gray(4 * (r * width + c))));
    const puzzle = await python("picture", { greys, width: Math.min(cells, width) });
    $("text").value = puzzle.text;
    show(puzzle, puzzle.text);
    return `${puzzle.title}, made from ${file.name}. Check whether its solution is the only one.`;
  });
}

// -- answers ----------------------------------------------------------------------------------------------------------------

/** Run a task; its sentence or error is the status. @param {string} start @param {(run: number) => Promise<string>} task */
async function work(start, task) {
  const run = ++state.run;
  solver.stop();
  if (state.ready) say(start);
  busy(true);
  try {
    const sentence = await task(run);
    if (run === state.run) say(sentence);
  } catch (error) {
    if (run === state.run) say(/** @type {Error} */ (error).message);
  } finally {
    if (run === state.run) busy(false);
  }
}

/** @param {string} sentence */
function say(sentence) {
  $("status").textContent = sentence;
}

/** @param {boolean} on */
function busy(on) {
  for (const id of ["solve", "unique", "count", "hint"]) $(id).disabled = on || !state.puzzle;
  $("hint").disabled ||= !state.puzzle?.hints;
  $("stop").disabled = !on;
  $("board").setAttribute("aria-busy", String(on));
}

/** The number in an input; an error if it is none that the input allows. @param {string} id @returns {number} */
function numberIn(id) {
  const { value, min, max, validity, labels } = $(id);
  if (validity.valid) return Number(value);
  throw new Error(`${labels[0].textContent}: found ${value || "no number"}, expected a whole number from ${min} to ${max}.`);
}

/** Find up to `most` boards. A later run ends this one. @param {number} most @param {number} run */
async function boards(most, run) {
  const began = performance.now();
  const current = (/** @type {any} */ answer) => {
    if (run !== state.run) throw new Error("stopped");
    return answer;
  };
  let formula = current(await python("formula"));
  if (formula.sentence) return formula.sentence;
  const facts = `${formula.variables.toLocaleString()} variables, ${formula.clauses.toLocaleString()} clauses`;
  for (;;) {
    const answer = current(await solver.call({ cnf: formula.cnf }));
    const [name, args] = answer.model ? ["found", { model: answer.model }] : ["refuted", { proof: answer.proof }];
    const verdict = current(await python(name, args));
    if (answer.model) {
      pictures([{ svg: verdict.before, label: "A solution" }, { svg: verdict.svg, label: "Another solution" }]);
      $("plain").textContent = verdict.text;
      $("as-text").hidden = false;
    }
    if (!answer.model || verdict.boards >= most) {
      return `${verdict.sentence}\n${facts}; ${((performance.now() - began) / 1000).toFixed(1)} s.`;
    }
    say(`${verdict.sentence.split("\n")[0]} Searching for another one.`);
    formula = current(await python("another"));
  }
}

async function hint() {
  const found = await python("hint", { number: state.hints + 1 });
  state.hints += found.done ? 0 : 1;
  if (found.svg) pictures([{ svg: found.svg, label: "The cells that are known so far" }]);
  return found.done ? found.sentence : (found.steps.at(-1) ?? found.sentence);
}

// -- pictures ---------------------------------------------------------------------------------------------------------------

/** @param {{svg: string | null, label: string}[]} drawn */
function pictures(drawn) {
  const some = drawn.filter((each) => each.svg);
  for (const old of $("board").querySelectorAll("img")) URL.revokeObjectURL(old.src);
  $("board").replaceChildren(
    ...some.map(({ svg, label }) => {
      const image = new Image();
      image.alt = some.length > 1 ? label : state.puzzle?.title ?? label;
      image.src = URL.createObjectURL(new Blob([svg ?? ""], { type: "image/svg+xml" }));
      image.className = state.puzzle?.colored ? "colored" : "";
      image.style.setProperty("--readable", `${readableWidth(svg ?? "")}px`);
      const figure = Object.assign(document.createElement("figure"), { tabIndex: 0 });
      figure.append(image);
      return figure;
    }),
  );
  state.svg = some.at(-1)?.svg ?? "";
  for (const option of $("format").options) option.disabled = !state.svg && ["svg", "png"].includes(option.value);
}

/** The least width in which the smallest letters of a picture have 9 pixels. @param {string} svg */
function readableWidth(svg) {
  const smallest = Math.min(...Array.from(svg.matchAll(/ font-size="([\d.]+)"/g), (found) => Number(found[1])));
  return Number(/ width="([\d.]+)"/.exec(svg)?.[1] ?? 0) * Math.min(1, 9 / smallest);
}

/** The frames around cells of the last picture. @param {number[][]} cells */
function mark(cells) {
  for (const old of document.querySelectorAll(".cell")) old.remove();
  const figure = $("board").lastElementChild;
  const place = state.puzzle?.cells;
  if (!figure || !place) return;
  const image = figure.querySelector("img");
  const scale = image.clientWidth / image.naturalWidth;
  for (const [row, column] of cells) {
    const frame = document.createElement("div");
    frame.className = "cell";
    frame.style.left = `${(place.left + column * place.cell) * scale}px`;
    frame.style.top = `${(place.top + row * place.cell) * scale}px`;
    frame.style.width = frame.style.height = `${place.cell * scale}px`;
    figure.append(frame);
  }
}

/** The cell below the pointer, counted from 1; 0 for the clues beside the board. @param {PointerEvent} event */
function cellAt(event) {
  const place = state.puzzle?.cells;
  const image = /** @type {HTMLElement} */ (event.target);
  if (!place || !(image instanceof HTMLImageElement)) return null;
  const scale = image.clientWidth / image.naturalWidth;
  const column = Math.floor((event.offsetX / scale - place.left) / place.cell) + 1;
  const row = Math.floor((event.offsetY / scale - place.top) / place.cell) + 1;
  return row <= place.height && column <= place.width ? [Math.max(0, row), Math.max(0, column)] : null;
}

/** Show the clauses of a cell. @param {number[]} cell */
function choose(cell) {
  const now = [Number($("cell-row").value), Number($("cell-column").value)];
  if (now[0] === cell[0] && now[1] === cell[1] && $("clauses").children.length) return;
  [$("cell-row").value, $("cell-column").value] = cell;
  inspect().catch((error) => say(error.message));
}

async function inspect() {
  if (!$("formula").open || !state.puzzle) return;
  const [row, column] = [numberIn("cell-row") - 1, numberIn("cell-column") - 1];
  const clue = await python("clue", { row, column });
  $("clue").value = clue ?? "";
  $("clue").disabled = $("edit").disabled = clue === null;
  if (row < 0 || column < 0) return;
  const found = await python("clauses_of", { row, column });
  mark([[row, column]]);
  $("variables").textContent = `Variables: ${found.variables.join(", ") || "none"}. Clauses with them: ${found.total}.`;
  $("clauses").replaceChildren(
    ...found.clauses.map((/** @type {any} */ clause) => {
      const item = Object.assign(document.createElement("li"), { textContent: clause.text, tabIndex: 0 });
      item.onpointerenter = item.onfocus = () => mark(clause.cells);
      return item;
    }),
  );
}

// -- downloads --------------------------------------------------------------------------------------------------------------

async function download() {
  const name = $("format").value;
  const suffix = new Map([["dimacs", "cnf"], ["svg", "svg"], ["png", "png"]]).get(name) ?? "txt";
  let content;
  if (name === "dimacs") content = new Blob([await python("download")]);
  else if (name === "svg") content = new Blob([state.svg], { type: "image/svg+xml" });
  else if (name === "png") content = await png();
  else content = new Blob([await python("convert", { format: name })]);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: `puzzle.${suffix}` });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @returns {Promise<Blob>} */
async function png() {
  const image = $("board").lastElementChild.querySelector("img");
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.naturalWidth, height: 2 * image.naturalHeight });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser cannot make a PNG of this size; download the SVG.")))));
}

// -- drawing boards and pieces ------------------------------------------------------------------------------------------------

const sketch = { board: "", pieces: /** @type {string[]} */ ([]) };

function drawSketch() {
  const [width, height] = [numberIn("columns"), numberIn("rows")];
  $("sketch").style.gridTemplateColumns = `repeat(${width}, auto)`;
  const line = (/** @type {number} */ r) => {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    row.style.display = "contents";
    for (let c = 0; c < width; c++) {
      const cell = Object.assign(document.createElement("button"), { type: "button", tabIndex: r + c ? -1 : 0 });
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-label", `row ${r + 1}, column ${c + 1}`);
      cell.setAttribute("aria-selected", "false");
      cell.onclick = () => cell.setAttribute("aria-selected", String(cell.getAttribute("aria-selected") !== "true"));
      row.append(cell);
    }
    return row;
  };
  $("sketch").replaceChildren(...Array.from({ length: height }, (_, r) => line(r)));
}

/** @param {KeyboardEvent} event */
function moveInSketch(event) {
  const cells = [...$("sketch").querySelectorAll("button")];
  const width = $("sketch").firstElementChild.childElementCount;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
  const next = step && cells[cells.indexOf(/** @type {any} */ (event.target)) + step];
  if (!next) return;
  event.preventDefault();
  for (const cell of cells) cell.tabIndex = cell === next ? 0 : -1;
  next.focus();
}

/** The drawing as rows of # and . without empty rows and columns at its sides. */
function drawn() {
  const width = $("sketch").firstElementChild.childElementCount;
  const cells = [...$("sketch").querySelectorAll("button")].map((cell) => cell.getAttribute("aria-selected") === "true");
  const rows = Array.from({ length: cells.length / width }, (_, r) => cells.slice(r * width, (r + 1) * width));
  const used = rows.flatMap((row, r) => row.flatMap((on, c) => (on ? [[r, c]] : [])));
  const [top, bottom] = [Math.min(...used.map(([r]) => r)), Math.max(...used.map(([r]) => r))];
  const [left, right] = [Math.min(...used.map(([, c]) => c)), Math.max(...used.map(([, c]) => c))];
  return used.length ? rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1).map((on) => ".#"[Number(on)]).join("")) : [];
}

/** @param {(drawing: string) => void} use */
function useSketch(use) {
  const drawing = drawn().join("\n");
  if (!drawing) return say("The drawing has no cells. Click cells first.");
  use(drawing);
  $("add-piece").disabled = false;
  const block = (/** @type {string[]} */ rows, /** @type {string} */ indent) => rows.map((row) => `${indent}${row}\n`).join("");
  const pieces = sketch.pieces.map((piece) => `  - art: |\n${block(piece.split("\n"), "      ")}`).join("");
  const text = `board: |\n${block(sketch.board.split("\n"), "  ")}pieces:\n${pieces || "  - set: pentominoes\n"}`;
  return read(text, "drawing.yaml");
}

// -- start ------------------------------------------------------------------------------------------------------------------

async function listExamples() {
  const answer = await fetch("examples.json");
  if (!answer.ok) throw new Error(`examples.json: HTTP status ${answer.status}`);
  for (const { group, entries } of await answer.json()) {
    const list = Object.assign(document.createElement("optgroup"), { label: group });
    list.append(...entries.map((/** @type {any} */ entry) => new Option(entry.title, JSON.stringify(entry))));
    $("example").append(list);
  }
}

const READY = "Ready. Choose an example or paste a puzzle.";

async function start() {
  if (typeof WebAssembly !== "object" || typeof Worker !== "function") {
    return say("This page needs WebAssembly and web workers, which this browser does not offer or has switched off.");
  }
  drawSketch();
  $("example").onchange = () => {
    const entry = JSON.parse($("example").value || "{}");
    if (entry.text) read(entry.text, entry.name);
  };
  /** @type {any} */
  let waiting;
  $("text").oninput = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => read($("text").value), 400);
  };
  $("file").onchange = () => $("file").files[0] && open($("file").files[0]);
  document.addEventListener("dragover", (event) => (event.preventDefault(), document.body.classList.add("drop")));
  document.addEventListener("dragleave", () => document.body.classList.remove("drop"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("drop");
    const file = event.dataTransfer?.files[0];
    if (file) open(file);
  });
  $("solve").onclick = () => work("Solving.", (run) => boards(1, run));
  $("unique").onclick = () => work("Solving, then searching for another solution.", (run) => boards(2, run));
  $("count").onclick = () => work("Counting.", async (run) => boards(numberIn("limit"), run));
  $("hint").onclick = () => work("Searching for the next step.", hint);
  $("stop").onclick = async () => {
    state.run++;
    solver.stop();
    if (library.stop() && state.puzzle) {
      python("read", { text: state.shown, name: state.name || "the puzzle" }).catch((error) => say(error.message));
    }
    say("Stopped.");
    busy(false);
  };
  $("download").onclick = () => download().catch((error) => say(error.message));
  $("copy").onclick = async () => {
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(copied ? `Copied: ${location.href}` : `This browser does not let the page copy. The link to this puzzle: ${location.href}`);
  };
  $("columns").oninput = $("rows").oninput = () => {
    try {
      drawSketch();
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    }
  };
  $("sketch").onkeydown = moveInSketch;
  $("use-board").onclick = () => useSketch((drawing) => Object.assign(sketch, { board: drawing, pieces: [] }));
  $("add-piece").onclick = () => useSketch((drawing) => sketch.pieces.push(drawing));
  $("formula").ontoggle = $("cell-row").onchange = $("cell-column").onchange = () => inspect().catch((error) => say(error.message));
  $("edit").onclick = () =>
    work("Reading the puzzle.", async () => {
      const [row, column] = [numberIn("cell-row") - 1, numberIn("cell-column") - 1];
      const puzzle = await python("edit", { row, column, text: $("clue").value });
      $("text").value = puzzle.text;
      return show(puzzle, puzzle.text);
    });
  $("board").onclick = (/** @type {PointerEvent} */ event) => {
    const cell = cellAt(event);
    if (!cell) return;
    $("formula").open = true;
    choose(cell);
  };
  /** @type {any} */
  let resting;
  $("board").onpointermove = (/** @type {PointerEvent} */ event) => {
    const cell = $("formula").open && cellAt(event);
    if (!cell || !cell[0] || !cell[1]) return;
    mark([[cell[0] - 1, cell[1] - 1]]);
    clearTimeout(resting);
    resting = setTimeout(() => choose(cell), 150); // the clauses of the cell where the pointer rests
  };
  addEventListener("popstate", readAddress);
  listExamples().catch((error) => {
    $("example").options[0].textContent = `No examples (${error.message}); reload the page`;
    $("example").disabled = true;
  });
  await python("ready");
  state.ready = true;
  if (state.run) return; // the user was faster
  say(READY);
  await readAddress();
}

start().catch((error) => say(error.message));
