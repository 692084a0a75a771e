// A worker that runs CaDiCaL on one formula after another. `postMessage({cnf})` answers `{model}` or `{proof}`, the proof in LRAT.
/* global importScripts, createCadical */
const ready = load();

async function load() {
  importScripts("cadical.js");
  return WebAssembly.compileStreaming(fetch("cadical.wasm"));
}

self.onmessage = async ({ data }) => {
  let module;
  try {
    module = await ready;
  } catch (error) {
    self.postMessage({ id: data.id, error: `The solver cannot be loaded (${error.message}). Check the connection, and reload the page.` });
    return;
  }
  try {
    self.postMessage({ id: data.id, result: await solve(module, data.cnf) });
  } catch (error) {
    self.postMessage({ id: data.id, error: error.message });
  }
};

async function solve(module, cnf) {
  const answer = [];
  const errors = [];
  const solver = await new Promise((resolve, reject) => {
    createCadical({
      print: (line) => answer.push(line),
      printErr: (line) => errors.push(line),
      instantiateWasm: (imports, done) => {
        WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
        return {};
      },
    }).then(resolve, reject);
  });
  solver.FS.writeFile("/formula.cnf", cnf);
  let code;
  try {
    code = solver.callMain(["/formula.cnf", "/proof.lrat", "--no-binary", "--lrat"]);
  } catch (ended) {
    if (ended.status === undefined) throw new Error(`the solver failed (${ended.message}); use solve-puzzle for puzzles of this size`);
    code = ended.status;
  }
  if (code === 20) return { proof: solver.FS.readFile("/proof.lrat", { encoding: "utf8" }) };
  if (code !== 10) throw new Error(`the solver ended with exit code ${code}: ${errors.join(" ")}`);
  const model = [];
  for (const line of answer) {
    if (line[0] === "v") for (const word of line.slice(2).split(" ")) if (word !== "0" && word) model.push(Number(word));
  }
  return { model };
}
